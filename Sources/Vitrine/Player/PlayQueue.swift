internal import Media
internal import PlayerCore

/// The playlist: a machine that decides which of its entries is played, and the entries' films. Each entry has a number that no
/// other one ever had, counted from 1 (mpv's `playlist_entry_id`).
struct PlayQueue: Sendable {
    private struct Entry: Sendable {
        var location: MediaLocation
        /// What holds for this entry alone.
        var options: FileOptions?
    }

    /// Decides; `VitrinePlayer.conduct` does what it says.
    var machine: PlaybackMachine
    private var entries: [ItemID: Entry] = [:]
    private var lastNumber: UInt64 = 0
    /// The options of the entry that plays, and what held before.
    var optionsInForce: FileOptionsInForce?
    /// The entry of which clients were notified that it starts, and not yet that it ended.
    var announcedEntry: ItemID?

    init(_ options: PlayerOptions) {
        var list = PlaybackQueue(keepsPlayed: true, actionAtQueueEnd: options.actionAtQueueEnd)
        list.repetition = options.repetition
        machine = PlaybackMachine(
            playlist: list, rate: options.rate, isPaused: options.isPaused,
            wishes: [.audible: options.audio, .legible: options.subtitle])
        let items = options.playlist.map { add($0) }
        _ = machine.rearrange(at: .now) { list in
            for item in items { list.append(item) }
            if let first = items.indices.contains(options.first) ? items[options.first] : items.first {
                list.play(first)
            }
        }
        if let start = options.start, let first = self.list.current { setStart(start, of: first) }
    }

    /// The order of the entries, and what follows each of them.
    var list: PlaybackQueue { machine.list }

    var count: Int { list.items.count }

    /// Nothing of the playlist is open, nor asked for.
    var isIdle: Bool { list.current == nil }

    /// The place of the entry that plays, or is to play; `nil` where there is none.
    var place: Int? { list.current.flatMap { list.items.firstIndex(of: $0) } }

    /// The film that plays, or is to play; `nil` where there is none.
    var current: MediaLocation? { list.current.flatMap { self[$0] } }

    /// All films, in the order in which they are played.
    var films: [MediaLocation] { list.items.compactMap { self[$0] } }

    /// The film of an entry; `nil` where there is none.
    subscript(item: ItemID) -> MediaLocation? { entries[item]?.location }

    /// The entry at a place, counted from 0; `nil` where there is none.
    func item(at place: Int) -> ItemID? { list.items.indices.contains(place) ? list.items[place] : nil }

    func options(of item: ItemID) -> FileOptions? { entries[item]?.options }

    /// Makes an entry, which is still to be put into the list.
    mutating func add(_ film: MediaLocation, options: FileOptions? = nil) -> ItemID {
        lastNumber += 1
        let item = ItemID(number: lastNumber)
        entries[item] = Entry(location: film, options: options)
        var state = PlaybackItem()
        state.isRepeatable = film.isRepeatable
        for (kind, number) in options?.tracks ?? [:] { state.choose(number.map { .track($0 - 1) } ?? .off, of: kind) }
        machine.adopt(item, state)
        return item
    }

    /// Where an entry starts the next time that it is opened.
    mutating func setStart(_ time: MediaTime, of item: ItemID) {
        guard var state = machine.items[item] else { return }
        _ = state.remember(nil, SeekTarget(time))
        machine.adopt(item, state)
    }

    /// Forgets the films of entries that have left the list.
    mutating func forgetOthers() {
        guard entries.count != list.items.count else { return }
        let items = Set(list.items)
        for item in entries.keys where !items.contains(item) {
            entries[item] = nil
            _ = machine.release(item)
        }
    }
}

extension ItemID {
    /// As mpv's clients know it.
    var entry: Int { Int(number) }
}
