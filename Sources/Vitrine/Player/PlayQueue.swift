internal import Media
internal import PlayerCore

/// The playlist: its entries, each with a number that no other one ever had, counted from 1 (mpv's `playlist_entry_id`).
struct PlayQueue: Sendable {
    private struct Entry: Sendable {
        var location: MediaLocation
        /// What holds for this entry alone.
        var options: FileOptions?
    }

    /// Which entry is played, and what follows it.
    var list: PlaybackQueue
    private var entries: [ItemID: Entry] = [:]
    private var lastNumber: UInt64 = 0
    /// The options of the entry that plays, and what held before.
    var optionsInForce: FileOptionsInForce?
    /// The entry of which clients were notified that it starts, and not yet that it ended.
    var announcedEntry: ItemID?
    /// Where the first film starts.
    var start: MediaTime?
    /// When a film was last opened.
    var openedAt = MonotonicTime(nanoseconds: 0)

    init(_ options: PlayerOptions) {
        list = PlaybackQueue(keepsPlayed: true, actionAtQueueEnd: options.actionAtQueueEnd)
        list.repetition = options.repetition
        start = options.start
        replace(with: options.playlist)
        if let first = item(at: options.first) { list.play(first) }
    }

    var count: Int { list.items.count }

    /// Nothing of the playlist is open, nor asked for.
    var isIdle: Bool { list.current == nil }

    /// The place of the entry that plays, or is to play; `nil` where there is none.
    var place: Int? { list.current.flatMap { list.items.firstIndex(of: $0) } }

    /// The film that plays, or is to play; `nil` where there is none.
    var current: MediaLocation? { list.current.flatMap { self[$0] } }

    /// Its title and address, for people; empty where there is none.
    var name: String { current?.name ?? "" }

    /// All films, in the order in which they are played.
    var films: [MediaLocation] { list.items.compactMap { self[$0] } }

    /// The film that follows when this one ends, opened anew; `nil` where there is none.
    var following: MediaLocation? {
        guard case .item(let item) = list.following else { return nil }
        return self[item]
    }

    /// The film of an entry; `nil` where there is none.
    subscript(item: ItemID) -> MediaLocation? { entries[item]?.location }

    func contains(_ item: ItemID) -> Bool { entries[item] != nil }

    /// The entry at a place, counted from 0; `nil` where there is none.
    func item(at place: Int) -> ItemID? { list.items.indices.contains(place) ? list.items[place] : nil }

    func options(of item: ItemID) -> FileOptions? { entries[item]?.options }

    /// Takes other films, and plays the first.
    mutating func replace(with films: [MediaLocation], options: FileOptions? = nil) {
        removeAll()
        for film in films { insert(film) }
        if let first = list.items.first {
            entries[first]?.options = options
            list.play(first)
        }
    }

    /// - Parameter place: the playlist's end, where there is none.
    @discardableResult
    mutating func insert(_ film: MediaLocation, at place: Int? = nil, options: FileOptions? = nil) -> ItemID {
        lastNumber += 1
        let item = ItemID(number: lastNumber)
        entries[item] = Entry(location: film, options: options)
        list.insert(item, at: place ?? count)
        return item
    }

    mutating func remove(_ item: ItemID) {
        list.remove(item)
        entries[item] = nil
    }

    mutating func removeAll(but item: ItemID? = nil) {
        list.removeAll(but: item)
        entries = entries.filter { $0.key == item }
    }
}

extension ItemID {
    /// As mpv's clients know it.
    var entry: Int { Int(number) }
}
