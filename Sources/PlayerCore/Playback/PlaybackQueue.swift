/// The items that are played one after another, and what follows each of them by itself. A value without a clock.
///
/// An item that was played stays in a playlist, as mpv's entries do, and leaves a library's queue, as AV Foundation's do.
public struct PlaybackQueue: Hashable, Sendable {
    /// What follows the current item at its end.
    public enum Following: Hashable, Sendable {
        /// The same item, which need not be opened anew.
        case again
        case item(ItemID)
        case nothing
    }

    /// In the order in which they are played.
    public private(set) var items: [ItemID] = []
    /// The item that is played, or is to be; `nil`: nothing is.
    public private(set) var current: ItemID?
    /// Whether an item stays when another one is played. Otherwise the current item is the first one.
    public let keepsPlayed: Bool
    public var actionAtItemEnd = ActionAtItemEnd.advance
    /// What happens once no other item follows, where items follow one another.
    public var actionAtQueueEnd: ActionAtQueueEnd
    /// How often each item is played once more before the next one.
    public var itemRepetition = Repetition.none
    /// How often all of them are played once more.
    public var repetition = Repetition.none
    public var failures = Failures()
    /// The order from before it was shuffled.
    private var order: [ItemID]?

    public init(keepsPlayed: Bool, actionAtQueueEnd: ActionAtQueueEnd) {
        self.keepsPlayed = keepsPlayed
        self.actionAtQueueEnd = actionAtQueueEnd
    }

    // MARK: What follows

    /// What will follow the current item. It takes no repetition.
    public var following: Following {
        var copy = self
        return copy.goOn()
    }

    /// What follows the current item now: takes the repetition that this costs. Another item is not yet the current one.
    public mutating func goOn() -> Following {
        if itemRepetition.takeOne() { return .again }
        if goesOn, let next { return .item(next) }
        guard repetition.takeOne(), let first = items.first else { return .nothing }
        return items.count > 1 ? .item(first) : .again
    }

    /// Whether other items follow by themselves.
    private var goesOn: Bool { repetition != .none || actionAtItemEnd == .advance }

    /// The item behind the current one; `nil`: the current one is the last.
    public var next: ItemID? { neighbor(by: 1) }

    /// The item so many places further on.
    public func neighbor(by step: Int) -> ItemID? {
        guard let place = current.flatMap({ items.firstIndex(of: $0) }), items.indices.contains(place + step) else {
            return nil
        }
        return items[place + step]
    }

    /// Whether the current item follows itself for ever.
    public var isLooping: Bool { itemRepetition == .forever || repetition == .forever && items.count == 1 }

    /// As many items have failed in a row as there are.
    public var haveAllFailed: Bool { failures.count >= items.count }

    /// What follows the current item once it has failed, without the repetitions that are to be waited for.
    public var followingFailure: ItemID? { goesOn && !(repetition == .forever && haveAllFailed) ? next : nil }

    // MARK: The current item

    /// Makes this the current item: one of a playlist, or any one, which takes the place of a library's current one.
    public mutating func play(_ item: ItemID) {
        if keepsPlayed {
            guard items.contains(item) else { return }
        } else {
            items = [item] + items.dropFirst().filter { $0 != item }
        }
        current = item
    }

    /// Nothing is played; the items stay.
    public mutating func stop() { current = nil }

    /// On to the next item. Where the queue repeats itself, the current one of a library's goes to its end.
    public mutating func advance() {
        guard !keepsPlayed, !items.isEmpty else { return current = next }
        let left = items.removeFirst()
        if repetition != .none { items.append(left) }
        current = items.first
    }

    // MARK: Changes

    /// Each of these leaves the current item what it is, where it stays in the queue.
    public mutating func append(_ item: ItemID) { insert(item, at: items.count) }

    public mutating func insert(_ item: ItemID, at place: Int) {
        items.insert(item, at: place)
        if !keepsPlayed { current = items.first }
    }

    /// In a library's queue the next item is the current one then.
    public mutating func remove(_ item: ItemID) {
        items.removeAll { $0 == item }
        if current == item { current = keepsPlayed ? nil : items.first }
    }

    public mutating func removeAll(but item: ItemID? = nil) {
        items = item.map { [$0] } ?? []
        if current != item { current = nil }
        order = nil
    }

    /// Moves the item at `place` before the one at `target`, or to the end where there is none.
    public mutating func move(_ place: Int, before target: Int) {
        let target = items.indices.contains(target) ? target : items.count
        let item = items.remove(at: place)
        items.insert(item, at: target > place ? target - 1 : target)
    }

    /// Puts the items into an order of chance.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        order = items
        items.shuffle(using: &generator)
    }

    /// Puts the items into the order from before they were shuffled, once; later ones come last, in the order in which they came.
    public mutating func unshuffle() {
        guard let order else { return }
        self.order = nil
        let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        func rank(_ item: ItemID) -> (Int, UInt64) { (places[item] ?? order.count, item.number) }
        items.sort { rank($0) < rank($1) }
    }

    // MARK: Failures

    /// Items that fail one after another: once all of them have, the next try waits, each time longer, so that nothing goes
    /// round and round.
    public struct Failures: Hashable, Sendable {
        /// A film that was open for so long is none of those that fail at once.
        public static let healthyAfter = Duration.seconds(10)
        /// The longest wait.
        public static let longest = Duration.seconds(60)

        /// So many in a row.
        public private(set) var count = 0
        /// Whether any item could be opened, since somebody asked for these.
        public private(set) var hasOpened = false
        private var openSince: MonotonicTime?

        public init() {}

        /// An item is open: its first frame is there.
        public mutating func opened(at now: MonotonicTime) {
            hasOpened = true
            openSince = now
        }

        /// An item came to its end.
        public mutating func ended() { count = 0 }

        /// An item that was open for long enough before (`healthyAfter`) begins the count anew.
        public mutating func failed(at now: MonotonicTime) {
            if let openSince, now - openSince >= Self.healthyAfter { count = 0 }
            openSince = nil
            count += 1
        }

        /// How long to wait before the first of so many items is tried again: a second once each of them has failed, twice as
        /// long each time that they all fail again.
        public func pause(of items: Int) -> Duration {
            let rounds = count / max(items, 1)
            return rounds == 0 ? .zero : min(.seconds(1 << min(rounds - 1, 16)), Self.longest)
        }
    }
}

/// What happens where items follow one another, and none is left to follow.
public enum ActionAtQueueEnd: String, Hashable, Sendable, CaseIterable {
    /// Back to the last item's start, and paused.
    case rewind
    /// Paused on the last item's last frame.
    case pause
    /// Nothing is played any more.
    case finish
}

/// How often something is played once more.
public enum Repetition: Hashable, Sendable {
    case none
    case times(Int)
    case forever

    /// Takes one of them; `false` where there is none left.
    public mutating func takeOne() -> Bool {
        switch self {
        case .none: return false
        case .times(let count):
            self = count > 1 ? .times(count - 1) : .none
            return count > 0
        case .forever: return true
        }
    }
}
