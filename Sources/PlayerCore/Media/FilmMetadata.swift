/// The texts in a film's container and streams, by mpv's names ("title", "artist").
public struct FilmMetadata: Hashable, Sendable {
    /// GStreamer's text tags and mpv's names for them. Of two tags with one name, the later entry is preferred. The
    /// title is not in the list: a track's title is not the film's.
    public static let names: [(tag: String, name: String)] = [
        ("artist", "artist"), ("album", "album"), ("album-artist", "album_artist"), ("composer", "composer"),
        ("performer", "performer"), ("conductor", "conductor"), ("genre", "genre"), ("datetime", "date"),
        ("date", "date"), ("track-number", "track"), ("album-disc-number", "disc"), ("comment", "comment"),
        ("description", "description"), ("keywords", "keywords"), ("lyrics", "lyrics"), ("grouping", "grouping"),
        ("copyright", "copyright"), ("license", "license"), ("organization", "organization"),
        ("publisher", "publisher"), ("encoded-by", "encoded_by"), ("encoder", "encoder"), ("show-name", "show"),
        ("show-season-number", "season_number"), ("show-episode-number", "episode_sort"),
    ]

    /// The film's own title.
    public var title: String?
    private var ofWhole: [String: String] = [:]
    private var ofStreams: [Stream] = []

    private struct Stream: Hashable, Sendable {
        var source: UInt
        var texts: [String: String]
    }

    public init() {}

    /// - Parameters:
    ///   - stream: the stream that has the texts, by any number; `nil` for the container.
    ///   - text: the value of one of GStreamer's tags; `nil` if there is none.
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

    /// The texts by name. The container's precede a stream's, and the first stream's precede the others'.
    public var texts: [String: String] {
        var texts = ofWhole
        for stream in ofStreams { texts.merge(stream.texts) { old, _ in old } }
        texts["title"] = title
        return texts
    }
}
