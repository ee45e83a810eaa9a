internal import CGStreamer
internal import PlayerCore

extension MediaOption {
    /// With the tags that have come to this pad.
    init(kind: MediaCharacteristic, number: Int, _ pad: Pad) {
        self.init(kind: kind, number: number)
        for tags in pad.tags { learn(tags) }
    }

    /// What is said of the file as a whole is not said of the track.
    mutating func learn(_ tags: TagList) {
        if let code = tags[GST_TAG_LANGUAGE_CODE] { language = LanguageTag(code) ?? language }
        if let codec = tags[kind == .audible ? GST_TAG_AUDIO_CODEC : GST_TAG_SUBTITLE_CODEC] { self.codec = codec }
        if !tags.areGlobal, let title = tags[GST_TAG_TITLE] { self.title = title }
    }
}
