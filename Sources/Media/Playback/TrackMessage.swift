internal import CGStreamer
internal import PlayerCore

/// A track on its way from the streaming thread that found it to the film's worker: a message on the bus.
enum TrackMessage {
    static let name = "vitrine-track"

    static func post(_ track: MediaOption, on pipeline: UnsafeMutablePointer<GstElement>) {
        let structure = gst_structure_new_empty(name)
        for (field, text) in [
            ("kind", track.kind.rawValue), ("number", "\(track.number)"), ("language", track.language?.description),
            ("title", track.title), ("codec", track.codec),
        ] {
            guard let text else { continue }
            var value = GValue()
            g_value_init(&value, FundamentalType.string)
            g_value_set_string(&value, text)
            gst_structure_set_value(structure, field, &value)
            g_value_unset(&value)
        }
        let source = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
        gst_element_post_message(pipeline, gst_message_new_application(source, structure))
    }

    static func track(in structure: UnsafePointer<GstStructure>) -> MediaOption? {
        func text(_ field: String) -> String? { gst_structure_get_string(structure, field).map { String(cString: $0) } }
        guard let kind = text("kind").flatMap({ MediaCharacteristic(rawValue: $0) }),
            let number = text("number").flatMap({ Int($0) })
        else { return nil }
        return MediaOption(
            kind: kind, number: number, language: text("language").flatMap { LanguageTag($0) }, title: text("title"),
            codec: text("codec"))
    }

    /// Posts the track again with each of its tags.
    static func watch(
        _ pad: UnsafeMutablePointer<GstPad>, _ kind: MediaCharacteristic, _ number: Int,
        in pipeline: UnsafeMutablePointer<GstElement>
    ) {
        let watch = Watch(kind: kind, number: number, pipeline: pipeline)
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { pad, info, data in
                guard let pad, let data, let event = gst_pad_probe_info_get_event(info),
                    event.pointee.type == GST_EVENT_TAG
                else { return GST_PAD_PROBE_OK }
                let watch = Unmanaged<Watch>.fromOpaque(data).takeUnretainedValue()
                // The pad has the tags that came before.
                var track = MediaOption(kind: watch.kind, number: watch.number, pad)
                withTags(of: event) { track.learn($0) }
                TrackMessage.post(track, on: watch.pipeline)
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(watch).toOpaque(), { Unmanaged<Watch>.fromOpaque($0!).release() })
    }

    /// For the pad's streaming thread.
    private final class Watch {
        let kind: MediaCharacteristic
        let number: Int
        /// Borrowed: the pad is of an element of this bin.
        let pipeline: UnsafeMutablePointer<GstElement>

        init(kind: MediaCharacteristic, number: Int, pipeline: UnsafeMutablePointer<GstElement>) {
            self.kind = kind
            self.number = number
            self.pipeline = pipeline
        }
    }
}
