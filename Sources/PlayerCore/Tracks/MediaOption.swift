/// One of a film's sounds or subtitles, to be chosen among others of its kind.
public struct MediaOption: Hashable, Sendable {
    /// A sound, or subtitles.
    public var kind: MediaCharacteristic
    /// Counted from 1 among those of its kind.
    public var number: Int
    /// `nil` where the film does not say.
    public var language: LanguageTag?
    /// As the film's author named it.
    public var title: String?
    /// "AAC", "Subtitle" and the like, in words; `nil` where it is not known.
    public var codec: String?
    /// The file beside the film that it is from.
    public var file: String?

    /// What is not known of it is `nil`.
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

    /// "Deutsch", "Deutsch (SDH)", "English – Director's comments", "Track 3".
    public var displayName: String {
        let title = title.flatMap { $0.isEmpty ? nil : $0 }
        guard let name = language?.displayName else { return title ?? "Track \(number)" }
        guard let title else { return name }
        return title.lowercased().contains(name.lowercased()) ? title : "\(name) – \(title)"
    }
}

/// Which track of a kind is wanted, of this film and of those that follow.
public enum TrackPreference: Hashable, Sendable {
    /// The first one there is.
    case any
    /// None at all: silence, or no subtitles.
    case none
    /// One in the best of these languages; where there is none, of sound the first one, of subtitles none.
    case languages([LanguageTag])
    /// Counted from 1, as `MediaOption.number`; none where there is no such one.
    case number(Int)

    /// The number of the track that suits; `nil`: none.
    public func choose(among tracks: [MediaOption]) -> Int? {
        switch self {
        case .none: return nil
        case .any: return tracks.first?.number
        case .number(let number): return tracks.first { $0.number == number }?.number
        case .languages(let preferences):
            if let place = LanguageTag.best(of: tracks.map(\.language), for: preferences) {
                return tracks[place].number
            }
            return tracks.first(where: { $0.kind == .audible })?.number
        }
    }
}
