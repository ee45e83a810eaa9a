/// One of a film's audio or subtitle tracks.
public struct MediaOption: Hashable, Sendable {
    /// Audio, or subtitles.
    public var kind: MediaCharacteristic
    /// Counted from 1 among the tracks of its kind.
    public var number: Int
    /// `nil` if the film does not say.
    public var language: LanguageTag?
    /// The title that the film's author gave.
    public var title: String?
    /// The codec in words, "AAC", "Subtitle" and the like; `nil` if unknown.
    public var codec: String?
    /// The file beside the film that contains the track.
    public var file: String?
    /// Whether the track is in the frames, which do not state its language.
    public var isClosedCaptions = false

    /// Creates a track; omitted properties are unknown.
    public init(
        kind: MediaCharacteristic, number: Int, language: LanguageTag? = nil, title: String? = nil,
        codec: String? = nil, file: String? = nil
    ) {
        self.kind = kind
        self.number = number
        self.language = language
        self.title = title
        self.codec = codec
        self.file = file
    }

    /// The name for people: "Deutsch", "Deutsch (SDH)", "English – Director's comments", "Track 3".
    public var displayName: String {
        let title = title.flatMap { $0.isEmpty ? nil : $0 }
        guard let name = language?.displayName else { return title ?? "Track \(number)" }
        guard let title else { return name }
        return title.lowercased().contains(name.lowercased()) ? title : "\(name) – \(title)"
    }
}

/// The preferred track of a kind, in this film and those that follow.
public enum TrackPreference: Hashable, Sendable {
    /// The first track.
    case any
    /// No track: silence, or no subtitles.
    case none
    /// A track in the best of these languages. If there is none: the first audio track; for subtitles, closed captions of
    /// unknown language, else none.
    case languages([LanguageTag])
    /// Counted from 1, as `MediaOption.number`; no track if the number does not exist.
    case number(Int)

    /// The number of the preferred track; `nil` for none.
    public func choose(among tracks: [MediaOption]) -> Int? {
        switch self {
        case .none: return nil
        case .any: return tracks.first?.number
        case .number(let number): return tracks.first { $0.number == number }?.number
        case .languages(let preferences):
            if let place = LanguageTag.best(of: tracks.map(\.language), for: preferences) {
                return tracks[place].number
            }
            let captions = tracks.first(where: \.isClosedCaptions)
            return tracks.first(where: { $0.kind == .audible })?.number
                ?? captions.flatMap { $0.language == nil ? $0.number : nil }
        }
    }
}
