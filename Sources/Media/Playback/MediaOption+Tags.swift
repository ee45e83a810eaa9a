internal import CGStreamer
internal import PlayerCore

extension MediaOption {
    /// A track with the tags on this pad.
    init(kind: MediaCharacteristic, number: Int, _ pad: Pad) {
        self.init(kind: kind, number: number)
        for tags in pad.tags { learn(tags) }
    }

    /// Learns a track's tags. Those of the whole file do not apply.
    mutating func learn(_ tags: TagList) {
        if let code = tags[GST_TAG_LANGUAGE_CODE] { language = LanguageTag(code) ?? language }
        if let codec = tags[kind == .audible ? GST_TAG_AUDIO_CODEC : GST_TAG_SUBTITLE_CODEC] { self.codec = codec }
        if !tags.areGlobal, let title = tags[GST_TAG_TITLE] { self.title = title }
    }
}
