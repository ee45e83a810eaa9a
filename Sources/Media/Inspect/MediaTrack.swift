public import PlayerCore

/// One track of a film: video, audio or subtitles.
public struct MediaTrack: Hashable, Sendable {
    /// The kind of a track, with its properties that are known before it plays.
    public enum Kind: Hashable, Sendable {
        /// `width` by `height` are square pixels, upright; `frameDuration` is `nil` if it varies or is unknown.
        case video(width: Int, height: Int, frameDuration: RationalTime?)
        /// `sampleRate` in hertz.
        case audio(channels: Int, sampleRate: Int)
        /// Text, or images of text.
        case subtitle
    }

    /// Video, audio or subtitles.
    public var kind: Kind
    /// The description: "H.264 (High Profile)".
    public var codec: String
    /// The file's ISO 639 code: "en", "deu"; `nil` if it has none.
    public var language: String?
    /// The file's own name for the track.
    public var title: String?
}

extension MediaTrack {
    /// - Parameter kind: the discoverer's name; one that is neither video, audio nor subtitle gives `nil`.
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
    /// The container's tags, and those of its streams except names and languages, which belong to the streams alone;
    /// images and other binary tags are left out.
    static func readMetadata(of info: DiscovererInfo) -> [String: String] {
        let container = info.container
        let own: Set = container == nil ? [] : ["title", "language-code"]
        return info.streams.reduce(into: container?.containerTags?.texts ?? [:]) { metadata, stream in
            metadata.merge((stream.tags?.texts ?? [:]).filter { !own.contains($0.key) }) { old, _ in old }
        }
    }
}
