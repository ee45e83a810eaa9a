internal import CGStreamer
internal import PlayerCore

/// The picture that a sound has in its tags: an album's cover.
enum Cover {
    /// Adds the cover to a film's pipeline, as one picture and its end. Blocks while it is decoded, 3 s at most. A damaged one
    /// is known as soon as its decoder says so, and is no error of the sound's.
    /// - Returns: the pad that the picture comes out of, which is the caller's; `nil` where it cannot be decoded.
    static func pad(
        of coded: OpaquePointer, in pipeline: UnsafeMutablePointer<GstElement>
    ) throws(MediaFailure) -> UnsafeMutablePointer<GstPad>? {
        guard let picture = decode(coded) else { return nil }
        defer { gst_sample_unref(picture) }
        let source = try makeElement("appsrc", name: "cover")
        // Without a time it is never late.
        setProperty(source, "format", serialized: "time")
        gst_bin_add(pipeline.cast(to: GstBin.self), source)
        let app = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstAppSrc.self)
        gst_app_src_push_sample(app, picture)
        gst_app_src_end_of_stream(app)
        return gst_element_get_static_pad(source, "src")
    }

    /// The first picture in the tags that have come to a sound's pad, or to its decoder; the caller owns it.
    static func coded(in sound: UnsafeMutablePointer<GstPad>) -> OpaquePointer? {
        var found: OpaquePointer?
        forEachTags(at: sound) { tags in
            guard found == nil else { return }
            gst_tag_list_get_sample(tags, GST_TAG_IMAGE, &found)
        }
        return found
    }

    private static func decode(_ coded: OpaquePointer) -> OpaquePointer? {
        let line = "appsrc name=source ! decodebin ! appsink name=picture sync=false"
        guard let pipeline = gst_parse_launch(line, nil) else { return nil }
        defer {
            gst_element_set_state(pipeline, GST_STATE_NULL)
            gst_object_unref(pipeline)
        }
        let bin = pipeline.cast(to: GstBin.self)
        guard let source = gst_bin_get_by_name(bin, "source"), let sink = gst_bin_get_by_name(bin, "picture") else {
            return nil
        }
        defer {
            gst_object_unref(source)
            gst_object_unref(sink)
        }
        let app = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstAppSrc.self)
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        gst_app_src_push_sample(app, coded)
        gst_app_src_end_of_stream(app)
        let bus = gst_element_get_bus(pipeline)
        defer { gst_object_unref(bus) }
        let output = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
        for _ in 0..<60 {
            if let picture = gst_app_sink_try_pull_sample(output, 50_000_000) { return picture }
            if let error = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) {
                gst_message_unref(error)
                return nil
            }
            if gst_app_sink_is_eos(output) != 0 { return nil }
        }
        return nil
    }
}
