public import Logging
public import PlayerCore

/// Plays items one after another: a queue, or a playlist.
///
/// An item of a queue that has ended leaves it, or, where all are looped, goes to its end; so does one that fails, after it was
/// told. Where no item is left the player waits, and plays on with the next that is inserted.
///
/// The items of a playlist stay in it. It opens nothing before `start`; what follows its last item `actionAtQueueEnd` says, and
/// of items that fail `items` has the next, or, where it repeats itself, the first after a pause that grows.
public final class QueuePlayer: Player, @unchecked Sendable {
    /// A queue of these items, the first of which is the current one; it plays none before `play`.
    public convenience init(
        _ items: [PlayerItem], options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(engine: PlayerLoop(options: options, log: log), actionAtItemEnd: .advance, options: options)
        for item in items { insert(item) }
    }

    /// With one item, or none at first: `Player`'s own, but that what has ended is followed by the next.
    public convenience init(
        _ item: PlayerItem? = nil, options: PlayerOptions = PlayerOptions(), log: Logger = Logger(label: "vitrine")
    ) {
        self.init(item.map { [$0] } ?? [], options: options, log: log)
    }

    /// A playlist, which begins with the first of these items, or with another one of them.
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

    /// In the order in which they are played; of a queue the current one first.
    public var items: [PlayerItem] { core.queue }

    /// Behind an item of a queue, or at its end. One that is in the queue stays where it is; one of another player's
    /// leaves that.
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) {
        item.enter(core, by: .command(.insert(item.id, after: other?.id)))
    }

    /// Of a queue, the next one follows where it is the current one; of a playlist as well, or the first one where that
    /// repeats itself.
    public func remove(_ item: PlayerItem) { core.command(.remove(item.id)) }

    /// Nothing is played any more; what is inserted into a queue then plays at once, unless the player is paused.
    public func removeAllItems() { core.command(.removeAll) }

    /// On to the next item, now. Where all of a queue are looped, the current one goes to its end.
    public func advanceToNextItem() { core.command(.advance) }

    /// Whether the current item begins again at its end, or all of the queue do; `.off` at first.
    public var loop: QueueLoop {
        get { core.read(\.loop) }
        set { core.command(.setLoop(newValue)) }
    }
}

/// A playlist.
extension QueuePlayer {
    /// Opens the current item of a playlist: once, after a layer was given its display, which films would have to move to
    /// otherwise.
    public func start() { core.command(.start) }

    /// How often each item is played once more before the next one.
    public var itemRepetition: Repetition {
        get { core.read(\.list.itemRepetition) }
        set { core.make(.arrange { $0.itemRepetition = newValue }) }
    }

    /// How often all of them are played once more.
    public var repetition: Repetition {
        get { core.read(\.list.repetition) }
        set { core.make(.arrange { $0.repetition = newValue }) }
    }

    /// What happens once no other item follows.
    public var actionAtQueueEnd: ActionAtQueueEnd {
        get { core.read(\.list.actionAtQueueEnd) }
        set { core.make(.arrange { $0.actionAtQueueEnd = newValue }) }
    }

    /// What has failed lately: how many items in a row, and whether any could be opened.
    public var failures: PlaybackQueue.Failures {
        get { core.read(\.list.failures) }
        set { core.make(.arrange { $0.failures = newValue }) }
    }

    /// Plays an item of the playlist now, from its start.
    public func play(_ item: PlayerItem) { core.command(.replaceCurrent(item.id)) }

    /// Plays an item of the playlist once so much time has passed; nothing is open until then.
    public func play(_ item: PlayerItem, after pause: Duration) { core.command(.wait(for: item.id, pause)) }

    /// Nothing is played; the items stay.
    public func stop() { core.command(.stop) }

    /// The item so many places further on, where the playlist repeats itself also from one of its ends to the other; nothing
    /// where there is none, or nothing plays.
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

    /// At the playlist's end. What plays plays on, as with all changes of a playlist that leave it there.
    public func append(_ items: [PlayerItem]) { insert(items, at: .max) }

    /// Behind `place` items.
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

    /// Plays these items from the first, now, in place of those that there are.
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

    /// All but the current one.
    public func removeOtherItems() { core.make(.arrange { $0.removeAll(but: $0.current) }) }

    /// The item at `place` comes before the one at `target`, or last where there is none.
    /// - Returns: `false` where there is no such item.
    @discardableResult
    public func move(itemAt place: Int, before target: Int) -> Bool {
        guard items.indices.contains(place) else { return false }
        return core.make(.arrange { if $0.items.indices.contains(place) { $0.move(place, before: target) } })
    }

    /// Into an order of chance.
    public func shuffle() {
        core.make(
            .arrange { list in
                var generator = SystemRandomNumberGenerator()
                list.shuffle(using: &generator)
            })
    }

    /// Into the order from before they were shuffled.
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
