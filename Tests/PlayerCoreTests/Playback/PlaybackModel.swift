import PlayerCore

/// What a player is to do, as its user would say it: a list whose first item is played, a few wishes, and what becomes of them
/// when a film opens, ends or fails. It knows nothing of the machine but the number of times that it opened something.
struct PlaybackModel {
    var list: [ItemID] = []
    var rate = PlaybackRate.paused
    var volume = 100
    var isMuted = false
    var loop = QueueLoop.off
    var action: ActionAtItemEnd
    var tracks: [ItemID: TrackChoice] = [:]
    var audible = TrackWish.any
    /// Where the first item stands, if that can be known: it has not played since it was put there.
    var place: MediaTime?

    /// The first item is open, or being opened: neither is there none, nor has it failed.
    private(set) var isPlayable = false
    private(set) var openings: UInt64 = 0
    private var failuresInARow = 0
    private var hasEnded = false

    init(action: ActionAtItemEnd) {
        self.action = action
    }

    var loopsOne: Bool { loop == .one || loop == .all && list.count == 1 }
    private var goesOn: Bool { loop == .all || action == .advance }
    /// What follows the end of the first item.
    var next: ItemID? { goesOn && !loopsOne && list.count > 1 ? list[1] : nil }

    // MARK: Calls

    mutating func setRate(_ rate: PlaybackRate) {
        self.rate = rate
        guard !rate.isPaused else { return }
        hasEnded = false
        place = nil
    }

    mutating func seek(to time: MediaTime) {
        guard isPlayable else { return }
        hasEnded = false
        place = rate.isPaused ? time : nil
    }

    mutating func replace(_ item: ItemID?) {
        guard let item else { return removeAll() }
        if item == list.first, isPlayable { return }
        list = [item] + list.dropFirst().filter { $0 != item }
        failuresInARow = 0
        open()
    }

    mutating func insert(_ item: ItemID, after other: ItemID?) {
        guard !list.contains(item) else { return }
        let failed = isPlayable ? nil : list.first
        if let other, let place = list.firstIndex(of: other) {
            list.insert(item, at: place + 1)
        } else {
            list.append(item)
        }
        guard !isPlayable else { return }
        // It waits in vain for the first one no longer.
        if failed != nil { list.removeFirst() }
        failuresInARow = 0
        open()
    }

    mutating func remove(_ item: ItemID) {
        let wasFirst = item == list.first
        list.removeAll { $0 == item }
        if wasFirst { open() }
    }

    mutating func removeAll() {
        list = []
        open()
    }

    mutating func advance() {
        guard !list.isEmpty else { return }
        let left = list.removeFirst()
        if loop == .all { list.append(left) }
        failuresInARow = 0
        open()
    }

    mutating func choose(_ choice: TrackChoice, of item: ItemID) {
        guard tracks[item] ?? .automatic != choice else { return }
        tracks[item] = choice
        if choice == .off, item == list.first, isPlayable { audible = .none }
    }

    private mutating func open() {
        isPlayable = !list.isEmpty
        hasEnded = false
        guard isPlayable else { return }
        openings += 1
        place = rate.isPaused ? .zero : nil
    }

    // MARK: News

    mutating func hear(_ news: EngineNews) {
        switch news {
        case .opened(let opening, _) where isFirst(opening): failuresInARow = 0
        case .failed(let opening, _) where isFirst(opening): fail()
        case .ended(let opening, let isLooping) where isFirst(opening) && !isLooping && !hasEnded: end()
        default: break
        }
    }

    private func isFirst(_ opening: Opening) -> Bool { isPlayable && opening.number == openings }

    private mutating func fail() {
        isPlayable = false
        failuresInARow += 1
        guard goesOn, list.count > 1 else { return }
        // All of them, one after another: there is no sense in another round.
        if loop == .all, failuresInARow >= list.count { return }
        let left = list.removeFirst()
        if loop == .all { list.append(left) }
        open()
    }

    private mutating func end() {
        if goesOn { return advance() }
        rate = .paused
        hasEnded = action == .pause
        place = action == .rewind ? .zero : nil
    }
}
