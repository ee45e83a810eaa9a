public import PlayerCore

/// One track of a film: its video, a sound, subtitles.
public struct MediaTrack: Hashable, Sendable {
    /// What a track is of, with what is known of it before it plays.
    public enum Kind: Hashable, Sendable {
        /// Square pixels, upright, are `width` by `height`; each frame stands for `frameDuration`, `nil` where that varies or is
        /// unknown.
        case video(width: Int, height: Int, frameDuration: RationalTime?)
        /// `sampleRate` in hertz.
        case audio(channels: Int, sampleRate: Int)
        /// Text or pictures of text.
        case subtitle
    }

    /// Its video, a sound, subtitles.
    public var kind: Kind
    /// In words: "H.264 (High Profile)".
    public var codec: String
    /// As the file says it, ISO 639: "en", "deu"; `nil` where it does not.
    public var language: String?
    /// The file's own name for it.
    public var title: String?
}

extension MediaTrack {
    /// - Parameter kind: the discoverer's name of it; `nil` comes of what is neither video, sound nor subtitle.
    init?(_ stream: DiscovererStream, _ kind: String, _ codec: String) {
        switch kind {
        case "video": self.kind = Self.video(stream)
        case "audio": self.kind = .audio(channels: stream.channels, sampleRate: stream.sampleRate)
        case "subtitles": self.kind = .subtitle
        default: return nil
        }
        self.codec = codec
        let tags = stream.tags
        language = tags?["language-code"]
        title = tags?["title"]
    }

    private static func video(_ stream: DiscovererStream) -> Kind {
        let ((across, down), rate) = (stream.pixelAspect, stream.frameRate)
        let (width, height) = stream.upright.size(
            width: stream.size.width * max(across, 1) / max(down, 1), height: stream.size.height)
        return .video(
            width: width, height: height,
            frameDuration: RationalTime(frames: rate.numerator, perSeconds: rate.denominator))
    }
}

extension MediaInspection {
    /// The container's tags, and what its streams say besides except for names and languages, which are theirs alone;
    /// pictures and other lumps are left out.
    static func readMetadata(of info: DiscovererInfo) -> [String: String] {
        let container = info.container
        let own: Set = container == nil ? [] : ["title", "language-code"]
        return info.streams.reduce(into: container?.containerTags?.texts ?? [:]) { metadata, stream in
            metadata.merge((stream.tags?.texts ?? [:]).filter { !own.contains($0.key) }) { old, _ in old }
        }
    }
}
