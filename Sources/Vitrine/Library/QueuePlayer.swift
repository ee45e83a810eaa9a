public import Logging
public import PlayerCore

/// Plays items one after another: a queue, or a playlist.
///
/// An item of a queue that has ended leaves the queue, or moves to its end if all are looped. An item that fails leaves
/// it, after the failure was reported. Without an item the player waits, and plays on with the next one that is
/// inserted.
///
/// The items of a playlist stay in it. It opens nothing before `start`. `actionAtQueueEnd` decides what follows its
/// last item. A failed item is followed by the next one in `items`, or, if the playlist repeats, by the first after a
/// growing pause.
public final class QueuePlayer: Player, @unchecked Sendable {
    /// Creates a queue of these items, the first of which is the current one; it plays after `play`.
    public convenience init(
        _ items: [PlayerItem], options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(engine: PlayerLoop(options: options, log: log), actionAtItemEnd: .advance, options: options)
        for item in items { insert(item) }
    }

    /// Creates a queue with one item, or none: as `Player`'s initializer, but an item that has ended is followed by the
    /// next.
    public convenience init(
        _ item: PlayerItem? = nil, options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(item.map { [$0] } ?? [], options: options, log: log)
    }

    /// Creates a playlist, which starts with the first of these items, or with another one of them.
    public convenience init(
        playlist items: [PlayerItem], first: Int = 0, actionAtQueueEnd: ActionAtQueueEnd = .rewind,
        options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        let core = PlaybackCore(
            engine: PlayerLoop(options: options, log: log), PlaybackMachine(playlistOf: options, actionAtQueueEnd))
        self.init(playlist: items, first: first, core)
    }

    init(playlist items: [PlayerItem], first: Int = 0, _ core: PlaybackCore) {
        super.init(core)
        append(items)
        if let item = items.indices.contains(first) ? items[first] : items.first {
            core.make(.arrange { $0.play(item.id) })
        }
    }

    override init(
        engine: any PlaybackEngine, actionAtItemEnd: ActionAtItemEnd, options: PlayerOptions = PlayerOptions()
    ) {
        super.init(engine: engine, actionAtItemEnd: actionAtItemEnd, options: options)
    }

    /// In playback order; in a queue the current one is first.
    public var items: [PlayerItem] { core.queue }

    /// Inserts an item behind another one of a queue, or at its end. An item that is in the queue stays where it is;
    /// one of another player leaves that.
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) {
        item.enter(core, by: .command(.insert(item.id, after: other?.id)))
    }

    /// Removes an item. If it is the current one of a queue, the next one follows; of a playlist as well, or the first
    /// one if the playlist repeats.
    public func remove(_ item: PlayerItem) { core.command(.remove(item.id)) }

    /// Removes all items and stops playback; an item that is inserted into a queue then plays at once, unless the
    /// player is paused.
    public func removeAllItems() { core.command(.removeAll) }

    /// Advances to the next item now. In a queue that loops all, the current one moves to the end.
    public func advanceToNextItem() { core.command(.advance) }

    /// Whether the current item, or the whole queue, repeats; initially `.off`.
    public var loop: QueueLoop {
        get { core.read(\.loop) }
        set { core.command(.setLoop(newValue)) }
    }
}

/// The members for a playlist.
extension QueuePlayer {
    /// Opens the current item of a playlist: once, after a layer was given its display, so that the film need not move
    /// to it.
    public func start() { core.command(.start) }

    /// The number of times that each item is repeated before the next one.
    public var itemRepetition: Repetition {
        get { core.read(\.list.itemRepetition) }
        set { core.make(.arrange { $0.itemRepetition = newValue }) }
    }

    /// The number of times that the whole playlist is repeated.
    public var repetition: Repetition {
        get { core.read(\.list.repetition) }
        set { core.make(.arrange { $0.repetition = newValue }) }
    }

    /// The action when no other item follows.
    public var actionAtQueueEnd: ActionAtQueueEnd {
        get { core.read(\.list.actionAtQueueEnd) }
        set { core.make(.arrange { $0.actionAtQueueEnd = newValue }) }
    }

    /// The recent failures: the number of items in a row, and whether any could be opened.
    public var failures: PlaybackQueue.Failures {
        get { core.read(\.list.failures) }
        set { core.make(.arrange { $0.failures = newValue }) }
    }

    /// Plays an item of the playlist now, from its start.
    public func play(_ item: PlayerItem) { core.command(.replaceCurrent(item.id)) }

    /// Plays an item of the playlist after this time; nothing is open until then.
    public func play(_ item: PlayerItem, after pause: Duration) { core.command(.wait(for: item.id, pause)) }

    /// Stops playback; the items stay.
    public func stop() { core.command(.stop) }

    /// Plays the item `step` places further on; in a playlist that repeats, also across its ends. Does nothing if there
    /// is none, or nothing plays.
    /// - Returns: whether there is one.
    @discardableResult
    public func advance(by step: Int) -> Bool {
        let other: ItemID? = core.read { machine in
            let list = machine.list
            guard list.current != nil else { return nil }
            let end = list.repetition == .none ? nil : step < 0 ? list.items.last : list.items.first
            return list.neighbor(by: step) ?? end
        }
        guard let other else { return false }
        return core.command(.replaceCurrent(other))
    }

    /// Appends items to the playlist. As with all changes that keep the current item, it plays on.
    public func append(_ items: [PlayerItem]) { insert(items, at: .max) }

    /// Inserts items behind the first `place` items.
    public func insert(_ items: [PlayerItem], at place: Int) {
        for item in items { item.enter(core, by: nil) }
        let ids = items.map(\.id)
        core.make(
            .arrange { list in
                var place = min(place, list.items.count)
                for id in ids where !list.items.contains(id) {
                    list.insert(id, at: place)
                    place += 1
                }
            })
    }

    /// Replaces all items, and plays the first of these now.
    public func replaceItems(with items: [PlayerItem]) {
        guard let first = items.first else { return removeAllItems() }
        append(items)
        play(first)
        let ids = Set(items.map(\.id))
        core.make(
            .arrange { list in
                for item in list.items where !ids.contains(item) { list.remove(item) }
            })
    }

    /// Removes all items except the current one.
    public func removeOtherItems() { core.make(.arrange { $0.removeAll(but: $0.current) }) }

    /// Moves the item at `place` before the one at `target`, or to the end if there is none.
    /// - Returns: `false` if there is no such item.
    @discardableResult
    public func move(itemAt place: Int, before target: Int) -> Bool {
        guard items.indices.contains(place) else { return false }
        return core.make(.arrange { if $0.items.indices.contains(place) { $0.move(place, before: target) } })
    }

    /// Shuffles the items.
    public func shuffle() {
        core.make(
            .arrange { list in
                var generator = SystemRandomNumberGenerator()
                list.shuffle(using: &generator)
            })
    }

    /// Restores the order from before the shuffle.
    public func unshuffle() { core.make(.arrange { $0.unshuffle() }) }
}

extension PlaybackMachine {
    init(playlistOf options: PlayerOptions, _ action: ActionAtQueueEnd) {
        self.init(
            playlist: PlaybackQueue(keepsPlayed: true, actionAtQueueEnd: action),
            loudness: Loudness(percent: Double(options.volume)), gravity: options.gravity,
            sound: options.sound,
            preferences: [.audible: options.audio, .legible: options.subtitle], volumeLimit: Double(options.volumeLimit)
        )
    }
}
