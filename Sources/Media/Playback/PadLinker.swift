internal import CGStreamer
internal import CPictureSink
internal import PlayerCore

/// Links the decoder's pads to the film's and the sound's branch as they appear.
///
/// Called on GStreamer's streaming threads, one at a time for one source; what goes wrong is posted on the bus.
final class PadLinker {
    /// Borrowed: the pipeline's signal handlers own this object.
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let video: VideoBranch
    private let audio: AudioBranch
    private var hasVideo = false
    private var hasAudio = false

    init(pipeline: UnsafeMutablePointer<GstElement>, video: VideoBranch, audio: AudioBranch) {
        self.pipeline = pipeline
        self.video = video
        self.audio = audio
    }

    func link(_ pad: UnsafeMutablePointer<GstPad>) {
        do throws(MediaFailure) {
            switch Self.kind(of: pad) {
            case "video" where !hasVideo:
                hasVideo = true
                try video.link(pad, in: pipeline)
                announce("vitrine-has-video", pad)
            case "audio" where !hasAudio && !audio.isSilent:
                hasAudio = true
                try audio.link(pad, in: pipeline)
                announce("vitrine-has-audio", pad)
            default: break
            }
        } catch {
            post(error)
        }
    }

    /// Puts a gate before a decoder as it appears.
    func guardDecoder(_ element: UnsafeMutablePointer<GstElement>) {
        guard let factory = gst_element_get_factory(element) else { return }
        let klass = gst_element_factory_get_metadata(factory, "klass").map { String(cString: $0) } ?? ""
        guard klass.contains("Decoder"), klass.contains("Audio") || klass.contains("Video"),
            let pad = gst_element_get_static_pad(element, "sink")
        else { return }
        vitrine_gate_attach(klass.contains("Audio") ? audio.gate : video.decoderGate, pad)
        gst_object_unref(pad)
    }

    /// All pads are known. Sound alone without a card still needs a clock to play by; nothing at all is an error.
    func complete(_ source: UnsafeMutablePointer<GstElement>) {
        if !hasAudio { audio.card?.releaseLater() }
        guard !hasVideo, !hasAudio else { return }
        var silent: UnsafeMutablePointer<GstPad>?
        withUnsafeMutablePointer(to: &silent) { found in
            _ = gst_element_foreach_src_pad(
                source,
                { _, pad, data in
                    guard let pad, PadLinker.kind(of: pad) == "audio" else { return 1 }
                    data?.assumingMemoryBound(to: UnsafeMutablePointer<GstPad>?.self).pointee = pad
                    return 0
                }, found)
        }
        do throws(MediaFailure) {
            guard let silent else {
                throw MediaFailure(reason: .notMedia, message: "there is neither film nor sound in it")
            }
            let sink = try makeElement("fakesink", name: "silence")
            setProperty(sink, "sync", to: true)
            gst_bin_add(pipeline.cast(to: GstBin.self), sink)
            gst_element_sync_state_with_parent(sink)
            let entry = gst_element_get_static_pad(sink, "sink")
            gst_pad_link(silent, entry)
            gst_object_unref(entry)
            announce("vitrine-has-audio", silent)
        } catch {
            post(error)
        }
    }

    private static func kind(of pad: UnsafeMutablePointer<GstPad>) -> String? {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0, let name = gst_structure_get_name(gst_caps_get_structure(caps, 0)) else {
            return nil
        }
        return String(cString: name).split(separator: "/").first.map(String.init)
    }

    private func announce(_ name: String, _ pad: UnsafeMutablePointer<GstPad>) {
        let source = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
        let structure = gst_structure_new_empty(name)
        if let caps = gst_pad_get_current_caps(pad) {
            var value = GValue()
            g_value_init(&value, gst_caps_get_type())
            g_value_set_boxed(&value, caps)
            gst_structure_set_value(structure, "caps", &value)
            g_value_unset(&value)
            gst_caps_unref(caps)
        }
        gst_element_post_message(pipeline, gst_message_new_application(source, structure))
    }

    private func post(_ failure: MediaFailure) {
        let source = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
        let structure = gst_structure_new_empty("vitrine-cannot-link")
        var value = GValue()
        g_value_init(&value, FundamentalType.string)
        g_value_set_string(&value, failure.message)
        gst_structure_set_value(structure, failure.reason == .notMedia ? "not-media" : "message", &value)
        g_value_unset(&value)
        gst_element_post_message(pipeline, gst_message_new_application(source, structure))
    }
}
