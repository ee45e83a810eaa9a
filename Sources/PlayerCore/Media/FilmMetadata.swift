/// What a film's container and its streams say of it in words, by mpv's names ("title", "artist").
public struct FilmMetadata: Hashable, Sendable {
    /// GStreamer's tags of that kind, and mpv's names for them. What stands further down is the better of two that have one
    /// name. The title is none of them: a track's is not the film's.
    public static let names: [(tag: String, name: String)] = [
        ("artist", "artist"), ("album", "album"), ("album-artist", "album_artist"), ("composer", "composer"),
        ("performer", "performer"), ("conductor", "conductor"), ("genre", "genre"), ("datetime", "date"),
        ("date", "date"), ("track-number", "track"), ("album-disc-number", "disc"), ("comment", "comment"),
        ("description", "description"), ("keywords", "keywords"), ("lyrics", "lyrics"), ("grouping", "grouping"),
        ("copyright", "copyright"), ("license", "license"), ("organization", "organization"),
        ("publisher", "publisher"), ("encoded-by", "encoded_by"), ("encoder", "encoder"), ("show-name", "show"),
        ("show-season-number", "season_number"), ("show-episode-number", "episode_sort"),
    ]

    /// The film's own.
    public var title: String?
    private var ofWhole: [String: String] = [:]
    private var ofStreams: [Stream] = []

    private struct Stream: Hashable, Sendable {
        var source: UInt
        var texts: [String: String]
    }

    public init() {}

    /// - Parameters:
    ///   - stream: which one says it, by any number; `nil` for the container.
    ///   - text: what one of GStreamer's tags says; `nil` where nothing is said.
    public mutating func learn(of stream: UInt?, _ text: (_ tag: String) -> String?) {
        var texts: [String: String] = [:]
        for (tag, name) in Self.names {
            if let text = text(tag) { texts[name] = text }
        }
        guard let stream else { return ofWhole.merge(texts) { $1 } }
        if let place = ofStreams.firstIndex(where: { $0.source == stream }) {
            ofStreams[place].texts.merge(texts) { $1 }
        } else {
            ofStreams.append(Stream(source: stream, texts: texts))
        }
    }

    /// What the container says goes before what a stream says, the first stream's before the others'.
    public var texts: [String: String] {
        var texts = ofWhole
        for stream in ofStreams { texts.merge(stream.texts) { old, _ in old } }
        texts["title"] = title
        return texts
    }
}
