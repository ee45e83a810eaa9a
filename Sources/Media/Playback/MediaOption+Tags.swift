internal import CGStreamer
internal import PlayerCore

extension MediaOption {
    /// With the tags that have come to this pad.
    init(kind: MediaCharacteristic, number: Int, _ pad: UnsafeMutablePointer<GstPad>) {
        self.init(kind: kind, number: number)
        forEachTags(at: pad) { learn($0) }
    }

    /// What is said of the file as a whole is not said of the track.
    mutating func learn(_ tags: UnsafePointer<GstTagList>) {
        if let code = tagText(GST_TAG_LANGUAGE_CODE, in: tags) { language = LanguageTag(code) ?? language }
        if let codec = tagText(kind == .audible ? GST_TAG_AUDIO_CODEC : GST_TAG_SUBTITLE_CODEC, in: tags) {
            self.codec = codec
        }
        if gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_STREAM, let title = tagText(GST_TAG_TITLE, in: tags) {
            self.title = title
        }
    }
}
