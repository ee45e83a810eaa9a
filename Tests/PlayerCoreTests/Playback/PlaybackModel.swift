import PlayerCore

/// The expected behaviour of a player in its user's terms: a list whose first item is played, a few settings, and the
/// results of films that open, end or fail. Of the machine it knows only the number of times that it opened something.
struct PlaybackModel {
    var list: [ItemID] = []
    var rate = PlaybackRate.paused
    var volume = 100.0
    var isMuted = false
    var loop = QueueLoop.off
    var action: ActionAtItemEnd
    var tracks: [ItemID: TrackChoice] = [:]
    /// The preference for items without a choice: the criteria, or the last choice.
    var audible = TrackPreference.any
    var legible = TrackPreference.none
    /// The criteria for sounds.
    var criteria = TrackPreference.any
    let isSeekable: Bool
    let refusesReverse: Bool
    var now = MonotonicTime(nanoseconds: 0)
    /// The last target of the first item, if known, and when it was set.
    private var place: MediaTime?
    private var since = MonotonicTime(nanoseconds: 0)
    /// The item has not played since.
    private var stopsAtEnd = false

    /// Whether the first item is open, or being opened: there is one, and it has not failed.
    private(set) var isPlayable = false
    private var isOpen = false
    private(set) var loads: UInt64 = 0
    /// By the program, by a finger on the screen, and by too little buffered data.
    private(set) var isScrubbing = false
    private(set) var isTouched = false
    private(set) var isStarved = false
    private var isSoughtInTouch = false
    private var scrubbed: ItemID?
    private var sounds: [MediaOption] = []
    private var failuresInARow = 0
    private var hasEnded = false
    /// The expected number of reported ends.
    private(set) var ends = 0
    private var isSeeking = false
    /// Whether the engine has not answered, even if nobody waits for it.
    private var isUnderWay = false
    /// The requested direction.
    private var runsBackwards = false
    /// The end to restore if the current seek or finger leads nowhere: it was reached meanwhile, looping or not, or the
    /// item stood there, or was on its way back from there to be played again.
    private var endMeanwhile: Bool?
    private var stoodAtEnd = false
    private var isRestarting = false
    private var isRestartReverse = false
    private var refusedRate: PlaybackRate?

    init(action: ActionAtItemEnd, isSeekable: Bool = true, refusesReverse: Bool = false) {
        self.action = action
        self.isSeekable = isSeekable
        self.refusesReverse = refusesReverse
    }

    /// The film's rate when it may play and nothing holds it.
    var playedRate: PlaybackRate {
        if isScrubbing || isTouched || isStarved { return .paused }
        return rate.isReverse && (refusesReverse || rate == refusedRate) ? .normal : rate
    }

    var status: TimeControlStatus {
        if rate.isPaused { return .paused }
        if !isPlayable { return .waiting(.noItemToPlay) }
        if isScrubbing || isTouched { return .waiting(.scrubbing) }
        return isStarved ? .waiting(.buffering) : .playing
    }

    /// Whether it plays backwards, as far as is known.
    private var isReverse: Bool { rate.isReverse && rate != refusedRate }
    var loopsOne: Bool { loop == .one || loop == .all && list.count == 1 }
    private var goesOn: Bool { loop == .all || action == .advance }
    /// The item that follows the end of the first one.
    var next: ItemID? { goesOn && !loopsOne && list.count > 1 ? list[1] : nil }

    // MARK: Calls

    mutating func setRate(_ rate: PlaybackRate) {
        self.rate = rate
        guard !rate.isPaused else { return }
        stopsAtEnd = false
        if hasEnded { restart() }
    }

    mutating func seek(to time: MediaTime) {
        guard isPlayable, isSeekable else { return }
        leaveEnd()
        (isSeeking, isUnderWay) = (true, true)
        // It may be done when the finger has lifted.
        if isTouched { isSoughtInTouch = true }
        put(isTouched ? nil : time)
    }

    mutating func step(_ count: Int64, of frame: MediaTime, within length: MediaTime) {
        guard isOpen, isSeekable, !isScrubbing, !isTouched else { return }
        let start = stopsAtEnd ? place : nil
        rate = .paused
        leaveEnd()
        (isSeeking, isUnderWay) = (true, true)
        put(start.map { ($0 + frame * count).clamped(to: .zero...length) })
    }

    private mutating func leaveEnd() {
        stoodAtEnd = stoodAtEnd || hasEnded || isRestarting
        (hasEnded, isRestarting) = (false, false)
    }

    private mutating func forgetEnd() {
        (hasEnded, endMeanwhile, stoodAtEnd, isRestarting) = (false, nil, false, false)
    }

    mutating func cancelSeeks() {
        isSeeking = false
        if isSeekable { put(nil) }
    }

    private mutating func put(_ time: MediaTime?) {
        (place, since, stopsAtEnd) = (time, now, rate.isPaused || isScrubbing)
    }

    /// Whether the item can have moved from its target to this position.
    func mayBe(at position: MediaTime) -> Bool {
        guard let place else { return true }
        // The fastest requested rate.
        return place.distance(to: position) <= (stopsAtEnd ? .zero : (2 as PlaybackRate).filmTime(in: now - since))
    }

    mutating func beginScrubbing() {
        guard !isScrubbing else { return }
        isScrubbing = true
        scrubbed = list.first
        cancelSeeks()
        leaveEnd()
    }

    mutating func scrub(to time: MediaTime) {
        if isScrubbing, scrubbed == list.first { seek(to: time) }
    }

    mutating func endScrubbing(at time: MediaTime?) {
        guard isScrubbing else { return }
        if let time { scrub(to: time) }
        isScrubbing = false
        if !rate.isPaused { stopsAtEnd = false }
        settle()
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
        // It no longer waits in vain for the first one.
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
        guard tracks[item] ?? .automatic != choice || choice == .automatic else { return }
        tracks[item] = choice
        guard item == list.first, isPlayable else { return }
        if choice == .automatic { audible = criteria }
        if choice == .off { audible = .none }
        // By its language for those that follow.
        if case .track(let place) = choice, let language = sounds.dropFirst(place).first?.language {
            audible = .languages([language])
        }
    }

    private mutating func open() {
        (isPlayable, isOpen) = (!list.isEmpty, false)
        forgetEnd()
        (isSeeking, isUnderWay, refusedRate, runsBackwards) = (false, false, nil, false)
        (isTouched, isSoughtInTouch, isStarved, sounds) = (false, false, false, [])
        guard isPlayable else { return }
        loads += 1
        put(.zero)
    }

    // MARK: Reports

    mutating func hear(_ news: FilmNews) {
        switch news {
        case .opened(let loadID, _) where isFirst(loadID): (isOpen, failuresInARow) = (true, 0)
        case .failed(let loadID, _) where isFirst(loadID): fail()
        case .ended(let loadID, let isLooping) where isFirst(loadID) && !hasEnded:
            if isSeeking || isScrubbing {
                if !stoodAtEnd, !isRestarting { endMeanwhile = endMeanwhile ?? isLooping }
                if !isSeeking { put(nil) }
            } else {
                end(isLooping: isLooping)
            }
        case .sought(let loadID, _, let time) where isFirst(loadID): sought(time)
        case .selection(let loadID, let group) where isFirst(loadID): sounds = group.options
        case .buffering(let loadID, let percent) where isFirst(loadID): isStarved = percent < 100
        case .touched(let loadID, let isTouched) where isFirst(loadID):
            self.isTouched = isTouched
            if isTouched {
                (isSeeking, isUnderWay) = (false, false)
                leaveEnd()
            }
            if isTouched || isSoughtInTouch { put(nil) }
            isSoughtInTouch = false
            settle()
        // The position where the finger leaves it.
        case .position(let loadID, let time) where isFirst(loadID) && isTouched:
            forgetEnd()
            put(time)
        case .rateRefused(let loadID, let rate) where isFirst(loadID):
            refusedRate = rate
            if isRestarting, isRestartReverse { restart() }
        case .running(let loadID, let rate) where isFirst(loadID): runsBackwards = rate.isReverse
        default: break
        }
    }

    private func isFirst(_ loadID: LoadID) -> Bool { isPlayable && loadID.number == loads }

    private mutating func fail() {
        forgetEnd()
        (isPlayable, isOpen, isSeeking, isUnderWay) = (false, false, false, false)
        (isTouched, isSoughtInTouch, isStarved, sounds) = (false, false, false, [])
        failuresInARow += 1
        guard goesOn, list.count > 1 else { return }
        // All have failed, one after another: another round is pointless.
        if loop == .all, failuresInARow >= list.count { return }
        let left = list.removeFirst()
        if loop == .all { list.append(left) }
        open()
    }

    private mutating func sought(_ time: MediaTime?) {
        (isSeeking, isUnderWay) = (false, false)
        guard time == nil else { return forgetEnd() }
        put(nil)
        settle()
    }

    /// The seek or finger did not lead away from the end.
    private mutating func settle() {
        guard !isUnderWay, !isTouched, !isScrubbing else { return }
        let (end, stood, restarted) = (endMeanwhile, stoodAtEnd, isRestarting)
        (endMeanwhile, stoodAtEnd, isRestarting) = (nil, false, false)
        if restarted {
            guard rate.isPaused || isReverse == isRestartReverse else { return }
            // A film that cannot be sought to its start is opened there; to its end there is no other way.
            guard isRestartReverse else { return open() }
            (hasEnded, rate) = (true, .paused)
        } else if stood {
            if rate.isPaused { hasEnded = true } else { restart() }
        } else if let end {
            self.end(isLooping: end)
        }
    }

    private mutating func end(isLooping: Bool) {
        ends += 1
        let isBackwards = runsBackwards
        forgetEnd()
        if isLooping { return put(nil) }
        hasEnded = true
        if loopsOne { return restart() }
        // The next item starts at its start.
        if goesOn, !isBackwards { return advance() }
        rate = .paused
        guard action == .rewind else {
            return put(nil)
        }
        restart()
    }

    /// From its start: a film that is not seekable refuses that, and is opened again.
    private mutating func restart() {
        hasEnded = false
        (isSeeking, isUnderWay, isRestarting, isRestartReverse) = (true, true, true, isReverse)
        // Backwards from its end, unless that is known to be refused.
        put(rate.isReverse ? nil : .zero)
    }
}
