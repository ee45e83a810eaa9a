internal import Media
internal import PlayerCore

/// The films that are played one after another, and what follows the last of them.
struct PlayQueue: Sendable {
    var entries: NumberedList<MediaLocation>
    /// The place of the film that plays.
    var index: Int
    /// Nothing of the playlist is open, nor asked for.
    var isIdle: Bool
    /// What holds for single entries, by their numbers.
    private(set) var fileOptions: [Int: FileOptions] = [:]
    /// The options of the entry that plays, and what held before.
    var optionsInForce: FileOptionsInForce?
    /// The entry of which clients were notified that it starts, and not yet that it ended.
    var announcedEntry: Int?
    /// Where the first film starts.
    var start: MediaTime?
    /// Once nothing is to be repeated.
    var atEnd: PlayerOptions.AtEnd
    var repetitions = Repetitions()
    /// Those that could not be played.
    var failures = FailedFilms()
    /// When a film was last opened.
    var openedAt = MonotonicTime(nanoseconds: 0)

    init(_ options: PlayerOptions) {
        entries = NumberedList(options.playlist)
        isIdle = options.playlist.isEmpty
        index = options.playlist.indices.contains(options.first) ? options.first : 0
        start = options.start
        atEnd = options.atEnd
        if options.atEnd == .loop { repetitions.playlist = .forever }
    }

    var count: Int { entries.count }

    /// The film that plays, or is to play; `nil` where there is none.
    var current: MediaLocation? { isIdle || !contains(index) ? nil : entries[index] }

    func contains(_ place: Int) -> Bool { entries.indices.contains(place) }

    /// Whether the film that plays follows itself for ever.
    var isLooping: Bool { repetitions.isLoop(of: count) }

    /// The film that follows when this one ends, opened anew; `nil` where there is none.
    var following: MediaLocation? {
        guard !isIdle, case .film(let place) = repetitions.next(after: index, of: count) else { return nil }
        return entries[place]
    }

    func options(at place: Int) -> FileOptions? { fileOptions[entries.number(at: place)] }

    mutating func setOptions(_ options: FileOptions?, at place: Int) {
        fileOptions[entries.number(at: place)] = options
    }

    /// Takes other films, from the first.
    mutating func replace(with films: [MediaLocation]) {
        entries.replace(with: films)
        fileOptions = [:]
        index = 0
    }

    mutating func removeAll() {
        entries.removeAll()
        fileOptions = [:]
    }

    /// Changes the list; what plays plays on.
    mutating func rearrange(_ change: (inout NumberedList<MediaLocation>) -> Void) {
        let current = isIdle ? nil : number(at: index)
        change(&entries)
        index = current.flatMap { entries.place(of: $0) } ?? 0
        let numbers = Set(entries.indices.map { entries.number(at: $0) })
        fileOptions = fileOptions.filter { numbers.contains($0.key) }
    }

    /// The number of the entry at a place, which it keeps wherever it is moved; `nil` for none.
    func number(at place: Int) -> Int? { contains(place) ? entries.number(at: place) : nil }
}
