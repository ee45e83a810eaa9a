/// The items that are played one after another, and the rule that chooses the next one. A value without a clock.
///
/// An item that was played stays in a playlist, as mpv's entries do, and leaves a library's queue, as AV Foundation's
/// do.
public struct PlaybackQueue: Hashable, Sendable {
    /// The item that follows the end of the current one.
    public enum Following: Hashable, Sendable {
        /// The same item, without opening it anew.
        case again
        case item(ItemID)
        case nothing
    }

    /// In playback order.
    public private(set) var items: [ItemID] = []
    /// The item that plays, or is to play; `nil` for none.
    public private(set) var current: ItemID?
    /// Whether an item stays when another one is played. Otherwise the current item is always the first one.
    public let keepsPlayed: Bool
    public var actionAtItemEnd = ActionAtItemEnd.advance
    /// The action when no other item follows, in a queue that advances.
    public var actionAtQueueEnd: ActionAtQueueEnd
    /// The number of times that each item is repeated before the next one.
    public var itemRepetition = Repetition.none
    /// The number of times that the whole queue is repeated.
    public var repetition = Repetition.none
    public var failures = Failures()
    /// The order before the shuffle.
    private var order: [ItemID]?

    public init(keepsPlayed: Bool, actionAtQueueEnd: ActionAtQueueEnd) {
        self.keepsPlayed = keepsPlayed
        self.actionAtQueueEnd = actionAtQueueEnd
    }

    // MARK: The next item

    /// The item that will follow the current one. Does not use up a repetition.
    public var following: Following {
        var copy = self
        return copy.goOn()
    }

    /// Chooses the item that follows now, and uses up a repetition if it needs one. It does not become the current item
    /// yet.
    public mutating func goOn() -> Following {
        if itemRepetition.takeOne() { return .again }
        if goesOn, let next { return .item(next) }
        guard repetition.takeOne(), let first = items.first else { return .nothing }
        return items.count > 1 ? .item(first) : .again
    }

    /// Whether other items follow by themselves.
    private var goesOn: Bool { repetition != .none || actionAtItemEnd == .advance }

    /// The item behind the current one; `nil` if that is the last.
    public var next: ItemID? { neighbor(by: 1) }

    /// The item `step` places further on.
    public func neighbor(by step: Int) -> ItemID? {
        guard let place = current.flatMap({ items.firstIndex(of: $0) }), items.indices.contains(place + step) else {
            return nil
        }
        return items[place + step]
    }

    /// Whether the current item repeats for ever.
    public var isLooping: Bool { itemRepetition == .forever || repetition == .forever && items.count == 1 }

    /// Whether as many items have failed in a row as there are.
    public var haveAllFailed: Bool { failures.count >= items.count }

    /// The item that follows a failure of the current one, except for repetitions that wait first.
    public var followingFailure: ItemID? { goesOn && !(repetition == .forever && haveAllFailed) ? next : nil }

    // MARK: The current item

    /// Makes this the current item: an item of the playlist, or any item in place of a library's current one.
    public mutating func play(_ item: ItemID) {
        if keepsPlayed {
            guard items.contains(item) else { return }
        } else {
            items = [item] + items.dropFirst().filter { $0 != item }
        }
        current = item
    }

    /// Stops playback; the items stay.
    public mutating func stop() { current = nil }

    /// Advances to the next item. In a library's queue that repeats, the current item moves to the end.
    public mutating func advance() {
        guard !keepsPlayed, !items.isEmpty else { return current = next }
        let left = items.removeFirst()
        if repetition != .none { items.append(left) }
        current = items.first
    }

    // MARK: Changes

    /// Appends an item. Like all changes here, it keeps the current item, if that stays in the queue.
    public mutating func append(_ item: ItemID) { insert(item, at: items.count) }

    public mutating func insert(_ item: ItemID, at place: Int) {
        items.insert(item, at: place)
        if !keepsPlayed { current = items.first }
    }

    /// Removes an item. In a library's queue the next item becomes current.
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

    /// Shuffles the items.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        order = items
        items.shuffle(using: &generator)
    }

    /// Restores the order from before the shuffle, once; later items go to the end in the order in which they were
    /// added.
    public mutating func unshuffle() {
        guard let order else { return }
        self.order = nil
        let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        func rank(_ item: ItemID) -> (Int, UInt64) { (places[item] ?? order.count, item.number) }
        items.sort { rank($0) < rank($1) }
    }

    // MARK: Failures

    /// Counts failures in a row. Once all items have failed, the next attempt waits, each time longer, so that a broken
    /// playlist does not spin.
    public struct Failures: Hashable, Sendable {
        /// An item that was open for so long does not count as one that fails at once.
        public static let healthyAfter = Duration.seconds(10)
        /// The longest wait.
        public static let longest = Duration.seconds(60)

        /// The number of failures in a row.
        public private(set) var count = 0
        /// Whether any item could be opened since somebody last asked for these.
        public private(set) var hasOpened = false
        private var openSince: MonotonicTime?

        public init() {}

        /// An item has opened: its first frame is there.
        public mutating func opened(at now: MonotonicTime) {
            hasOpened = true
            openSince = now
        }

        /// An item reached its end.
        public mutating func ended() { count = 0 }

        /// An item failed. If it was open for `healthyAfter`, the count starts anew.
        public mutating func failed(at now: MonotonicTime) {
            if let openSince, now - openSince >= Self.healthyAfter { count = 0 }
            openSince = nil
            count += 1
        }

        /// The delay before the first of `items` items is tried again: a second once each of them has failed, doubled
        /// each time that all of them fail again.
        public func pause(of items: Int) -> Duration {
            let rounds = count / max(items, 1)
            return rounds == 0 ? .zero : min(.seconds(1 << min(rounds - 1, 16)), Self.longest)
        }
    }
}

/// The action when a queue that advances has no next item.
public enum ActionAtQueueEnd: String, Hashable, Sendable, CaseIterable {
    /// Seeks to the last item's start, and pauses.
    case rewind
    /// Pauses on the last item's last frame.
    case pause
    /// Stops playback.
    case finish
}

/// The number of repetitions.
public enum Repetition: Hashable, Sendable {
    case none
    case times(Int)
    case forever

    /// Uses up one repetition; `false` if there is none left.
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
