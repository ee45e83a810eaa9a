internal import CGStreamer
internal import PlayerCore

extension MediaOption {
    /// With the tags that have passed this pad, or the parser before it: ssaparse keeps them for itself.
    init(kind: MediaCharacteristic, number: Int, _ pad: UnsafeMutablePointer<GstPad>) {
        self.init(kind: kind, number: number)
        if let before = Self.pad(beforeParserOf: pad) {
            learnAll(before)
            gst_object_unref(before)
        }
        learnAll(pad)
    }

    private mutating func learnAll(_ pad: UnsafeMutablePointer<GstPad>) {
        var index: guint = 0
        while let event = gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
            learn(event)
            gst_event_unref(event)
            index += 1
        }
    }

    /// The sink pad of the element whose source a decoder's ghost pad shows. The caller owns the reference.
    private static func pad(beforeParserOf ghost: UnsafeMutablePointer<GstPad>) -> UnsafeMutablePointer<GstPad>? {
        let pad = innermost(of: ghost)
        defer { gst_object_unref(pad) }
        guard let element = gst_pad_get_parent_element(pad) else { return nil }
        defer { gst_object_unref(element) }
        return gst_element_get_static_pad(element, "sink")
    }

    /// From an event of tags; what is said of the file as a whole is not said of the track.
    mutating func learn(_ event: UnsafeMutablePointer<GstEvent>) {
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(event, &tags)
        guard let tags else { return }
        func text(_ tag: String) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard gst_tag_list_get_string(tags, tag, &text) != 0, let text = takeString(text), !text.isEmpty else {
                return nil
            }
            return text
        }
        if let code = text(GST_TAG_LANGUAGE_CODE) { language = LanguageTag(code) ?? language }
        if let codec = text(kind == .audible ? GST_TAG_AUDIO_CODEC : GST_TAG_SUBTITLE_CODEC) { self.codec = codec }
        if gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_STREAM, let title = text(GST_TAG_TITLE) { self.title = title }
    }
}
