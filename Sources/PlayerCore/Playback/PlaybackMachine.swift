/// The player as its callers see it: the queue, the requested and the actual state, the pending seeks.
///
/// A value without a clock: `handle` takes an input and its time, and returns actions and reports, in order. Commands
/// may arrive at any moment: those that cannot be done yet are remembered. Reports of a load that was left are ignored.
public struct PlaybackMachine: Sendable {
    /// The item that the engine was asked to open.
    private struct Current: Hashable, Sendable {
        var loadID: LoadID
        var item: ItemID
        var isOpen = false
        /// The rate that the engine reports.
        var rate = PlaybackRate.paused
        /// The rate that the engine cannot play.
        var refusedRate: PlaybackRate?
        var isTouched = false
        var pipelineState = PipelineState.null
        var buffering: Int?
        /// As the engine reports.
        var isSeeking = false
        /// The engine's seek that is in flight for the item's pending seek.
        var seek: UInt64?
        /// The newest seek that the engine has not answered, even if nobody waits for it any more.
        var unansweredSeek: UInt64?
        /// Whether the film stands at its end, and nothing has moved it since.
        var hasEnded = false
        /// Whether the film was played to its end, and stands at its start.
        var isRewound = false
        /// The end to restore if the seek in flight, or the finger, leads nowhere.
        var unsettledEnd: UnsettledEnd?

        var isRunning: Bool { !rate.isPaused }
    }

    private enum UnsettledEnd: Hashable, Sendable {
        /// The film stood at the end when the seek was requested, or the finger touched.
        case reported
        /// The film stood at one end, and is being sought to the other one to be played again.
        case restarting(isReverse: Bool)
        /// The end was reached meanwhile, and was not reported.
        case unreported(isLooping: Bool)
        /// The end was reported, and this item was to follow.
        case following(Waiting)
    }

    /// The values that observers were last sent.
    private struct Reported: Hashable, Sendable {
        var item: ItemID?
        var buffering: Int?
        var state = PipelineState.null
        var isSeeking = false
        var hasEnded = false
        var list: PlaybackQueue?
        var settings: Settings?
    }

    private struct Settings: Hashable, Sendable {
        var gravity: VideoGravity
        var sound: SoundPreference
        var preferences: [MediaCharacteristic: TrackPreference]
        var showsSubtitles: Bool
        var rate: PlaybackRate
    }

    /// The values that the engine was last sent.
    private struct Sent: Hashable, Sendable {
        var rate = PlaybackRate.paused
        /// The criteria, or in their place the language of a track that was chosen in an item.
        var preferences: [MediaCharacteristic: TrackPreference] = [:]
        var isLooping = false
        var isObserved = false
        var next: ItemID?
    }

    /// An item that is opened at a set time. The current frame stays until then.
    private struct Waiting: Hashable, Sendable {
        var item: ItemID
        var due: MonotonicTime
    }

    /// Items of a playlist that follow by themselves are opened at most once a second, however brief they are. Each
    /// load writes to the card, and loads without a pause between them use up the processor.
    public static let leastStay = Duration.seconds(1)

    // Requested.
    /// The items, and the rule that chooses the next one.
    public private(set) var list: PlaybackQueue
    /// The requested rate; see `actualRate`.
    public private(set) var rate = PlaybackRate.paused
    /// The rate that `setPlaying` starts with.
    public private(set) var defaultRate = PlaybackRate.normal
    public private(set) var loudness: Loudness
    /// The highest volume that anybody can set, in per cent.
    public let volumeLimit: Double
    public private(set) var gravity: VideoGravity
    /// The preferred sound output.
    public private(set) var sound: SoundPreference
    /// Whether the chosen subtitles are shown.
    public private(set) var showsSubtitles = true
    /// The criteria for automatic choices of tracks.
    public private(set) var preferences: [MediaCharacteristic: TrackPreference]
    public private(set) var isScrubbing = false
    /// The item that was current when scrubbing began. Requests while another item is current do not apply to that one.
    private var scrubbedItem: ItemID?

    // Actual.
    /// All items of this player, including those that have left the queue, until `release`.
    public private(set) var items: [ItemID: PlaybackItem] = [:]
    private var current: Current?
    private var waiting: Waiting?
    /// Whether there is an engine. Nothing is opened before.
    private var hasEngine: Bool
    /// When an item was last opened.
    private var openedAt: MonotonicTime?
    public private(set) var status = TimeControlStatus.paused

    private var observers = TimeObservers()
    private var loads: UInt64 = 0
    private var seeks: UInt64 = 0
    private var lastReported = Reported()
    private var sent = Sent()

    /// The time of the current input.
    private var now = MonotonicTime(nanoseconds: 0)
    private var outputs: [Output] = []

    /// A library's queue.
    /// - Parameters:
    ///   - loudness: the engine's initial value, as are `gravity`, `sound` and `preferences`.
    public init(
        actionAtItemEnd: ActionAtItemEnd = .rewind, loudness: Loudness = Loudness(),
        gravity: VideoGravity = .resizeAspect, sound: SoundPreference = .automatic,
        preferences: [MediaCharacteristic: TrackPreference] = [.audible: .any, .legible: .none],
        volumeLimit: Double = 100
    ) {
        list = PlaybackQueue(keepsPlayed: false, actionAtQueueEnd: .finish)
        list.actionAtItemEnd = actionAtItemEnd
        self.loudness = Loudness(percent: min(loudness.percent, volumeLimit), isMuted: loudness.isMuted)
        self.volumeLimit = volumeLimit
        self.gravity = gravity
        self.sound = sound
        self.preferences = preferences
        sent.preferences = preferences
        hasEngine = true
        lastReported.list = list
        lastReported.settings = settings
    }

    /// A playlist, whose items stay in it; nothing is opened before `start`.
    /// - Parameter loudness: the engine's initial value, as are `gravity`, `sound` and `preferences`.
    public init(
        playlist: PlaybackQueue, loudness: Loudness = Loudness(), gravity: VideoGravity = .resizeAspect,
        sound: SoundPreference = .automatic,
        preferences: [MediaCharacteristic: TrackPreference] = [.audible: .any, .legible: .none],
        volumeLimit: Double = 100
    ) {
        self.init(
            loudness: loudness, gravity: gravity, sound: sound, preferences: preferences, volumeLimit: volumeLimit)
        list = playlist
        hasEngine = false
        lastReported.list = list
    }

    /// The current item first.
    public var queue: [ItemID] { list.items }

    public var currentItem: ItemID? { list.current }

    public var actionAtItemEnd: ActionAtItemEnd { list.actionAtItemEnd }

    public private(set) var loop: QueueLoop {
        get { list.itemRepetition == .forever ? .one : list.repetition == .forever ? .all : .off }
        set {
            list.itemRepetition = newValue == .one ? .forever : .none
            list.repetition = newValue == .all ? .forever : .none
        }
    }

    /// Whether an item is open or being opened.
    public var isOpening: Bool { current != nil }

    /// The item that is opened at a set time; `nil` if none waits.
    public var waitingItem: ItemID? { waiting?.item }

    /// Whether the item was played to its end, and nothing has moved it since.
    public var hasEnded: Bool {
        guard let current else { return false }
        if case .restarting? = current.unsettledEnd, rate.isPaused { return true }
        return current.hasEnded || current.isRewound
    }

    /// The rate of the current item when it is not paused: its own if it cannot be played at the requested one.
    public var filmRate: PlaybackRate {
        let wanted = rate.isPaused ? defaultRate : rate
        return current?.refusedRate == wanted ? .normal : wanted
    }

    /// Whether a seek or a finger moves the film.
    public var isSeeking: Bool {
        guard let current else { return false }
        return current.isSeeking || items[current.item]?.pendingSeek != nil
    }

    private var settings: Settings {
        Settings(
            gravity: gravity, sound: sound, preferences: sent.preferences, showsSubtitles: showsSubtitles,
            rate: filmRate)
    }

    /// The automatic choice of tracks for items without a choice of their own: `preferences`, or the language of a
    /// track that was chosen in an earlier item.
    public var appliedPreferences: [MediaCharacteristic: TrackPreference] { sent.preferences }

    /// The film's actual rate.
    public var actualRate: PlaybackRate { current?.rate ?? .paused }

    /// `null` while no item is open.
    public var pipelineState: PipelineState { current?.pipelineState ?? .null }

    /// The place of an item that stands still, so that it can be reported repeatedly; `nil` while the item plays, which
    /// observers hear of anyway, while somebody scrubs, and until a seek is done.
    public var restingPlace: (item: ItemID, time: MediaTime)? {
        guard let current, current.isOpen, !current.isRunning, !observers.isScrubbing, let item = items[current.item],
            item.pendingSeek == nil
        else { return nil }
        return (current.item, item.timeline.time(at: now))
    }

    /// Adds an item to this player. Must precede any command that names it.
    public mutating func adopt(_ id: ItemID, _ item: PlaybackItem) { items[id] = item }

    /// Removes an item that is in no queue from this player.
    public mutating func release(_ id: ItemID) -> PlaybackItem? {
        queue.contains(id) ? nil : items.removeValue(forKey: id)
    }

    /// When `handle(.wake)` is due.
    public var deadline: MonotonicTime? {
        [waiting?.due, observersDeadline].compactMap { $0 }.min()
    }

    private var observersDeadline: MonotonicTime? {
        guard let current, current.isRunning, !observers.isEmpty, let item = items[current.item],
            item.pendingSeek == nil,
            let next = observers.next(isReverse: item.timeline.rate.isReverse)
        else { return nil }
        return item.timeline.moment(of: next)
    }

    public mutating func handle(_ input: Input, at now: MonotonicTime) -> [Output] {
        self.now = now
        passTime()
        switch input {
        case .command(let command): handle(command)
        case .news(let news): handle(news)
        case .wake: break
        }
        openWaiting()
        notifyEngine()
        reportChanges()
        defer { outputs = [] }
        return outputs
    }

    // MARK: Items

    /// Leaves the current item, because another one, or none, becomes current.
    private mutating func leave() {
        waiting = nil
        guard let current else { return }
        answer(items[current.item]?.forgetSeek(), of: current.item, false)
        items[current.item]?.timeline.run(at: .paused, now)
        self.current = nil
        // A finger on the old item does not hold the next one.
        observers.isScrubbing = isScrubbing
    }

    private mutating func openCurrent(isNextItem: Bool = false) {
        guard hasEngine else { return }
        guard let id = currentItem else {
            outputs.append(.film(.close))
            return
        }
        loads += 1
        openedAt = now
        change(id) { $0.begin() }
        outputs.append(.player(.opens(id, isNextItem: isNextItem)))
        let loadID = LoadID(number: loads)
        current = Current(loadID: loadID, item: id)
        let seek = items[id]?.pendingSeek.map { filmSeek($0.target) }
        outputs.append(.film(.open(loadID, id, seek: seek)))
        // Played backwards, an item of a playlist that starts at its first frame would be at its end.
        if list.keepsPlayed, defaultRate.isReverse, seek == nil, items[id]?.beginsElsewhere == false {
            setDefaultRate(.normal)
        }
        for (kind, choice) in (items[id]?.choices ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where choice != .automatic {
            outputs.append(.film(.select(loadID, kind, choice)))
        }
    }

    /// Changes an item, and reports the differences.
    private mutating func change(_ id: ItemID, _ change: (inout PlaybackItem) -> Void) {
        guard let old = items[id] else { return }
        var item = old
        change(&item)
        items[id] = item
        if item.status != old.status { outputs.append(.item(id, .status(item.status))) }
        if item.mediaInfo != old.mediaInfo { outputs.append(.item(id, .mediaInfo(item.mediaInfo))) }
        if item.bufferedRanges != old.bufferedRanges { outputs.append(.item(id, .buffered(item.bufferedRanges))) }
        for kind in MediaCharacteristic.allCases where item.groups[kind] != old.groups[kind] {
            outputs.append(.item(id, .selection(kind, item.groups[kind])))
        }
    }

    // MARK: Reports

    /// Moves the observers' time on to now.
    private mutating func passTime() {
        guard let current, current.isRunning, !observers.isEmpty, let item = items[current.item],
            item.pendingSeek == nil
        else {
            return
        }
        let timeline = item.timeline
        report(observers.run(to: timeline.time(at: now), isReverse: timeline.rate.isReverse))
    }

    private mutating func report(_ calls: [TimeObservers.Call]) {
        outputs += calls.map { .observer($0) }
    }

    private mutating func notifyEngine() {
        guard hasEngine else { return }
        if list.isLooping != sent.isLooping {
            sent.isLooping = list.isLooping
            outputs.append(.film(.setLooping(sent.isLooping)))
        }
        if observers.isEmpty == sent.isObserved {
            sent.isObserved = !observers.isEmpty
            outputs.append(.film(.setObserved(sent.isObserved)))
        }
        var next = waiting?.item
        if next == nil, case .item(let item) = list.following { next = item }
        if next != sent.next {
            sent.next = next
            outputs.append(.film(.setNext(next)))
        }
    }

    private mutating func reportChanges() {
        if currentItem != lastReported.item {
            lastReported.item = currentItem
            outputs.append(.player(.currentItem(currentItem)))
        }
        if current?.buffering != lastReported.buffering {
            lastReported.buffering = current?.buffering
            outputs.append(.player(.buffering(lastReported.buffering)))
        }
        if pipelineState != lastReported.state {
            lastReported.state = pipelineState
            outputs.append(.player(.pipelineState(lastReported.state)))
        }
        if isSeeking != lastReported.isSeeking {
            lastReported.isSeeking = isSeeking
            outputs.append(.player(.seeking(lastReported.isSeeking)))
        }
        if hasEnded != lastReported.hasEnded {
            lastReported.hasEnded = hasEnded
            outputs.append(.player(.hasEnded(lastReported.hasEnded)))
        }
        if list != lastReported.list {
            lastReported.list = list
            outputs.append(.player(.queue))
        }
        if settings != lastReported.settings {
            lastReported.settings = settings
            outputs.append(.player(.settings))
        }
        let newStatus = statusNow
        if newStatus != status {
            status = newStatus
            outputs.append(.player(.status(newStatus)))
        }
    }

    private var statusNow: TimeControlStatus {
        guard let current else { return rate.isPaused ? .paused : .waiting(.noItemToPlay) }
        if rate.isPaused { return current.isRunning ? .playing : .paused }
        if !current.isOpen { return .waiting(.opening) }
        if isScrubbing || current.isTouched { return .waiting(.scrubbing) }
        if current.buffering != nil { return .waiting(.buffering) }
        // Seeks that nobody waits for, such as a loop's, are not reported.
        if items[current.item]?.pendingSeek?.id != nil { return .waiting(.seeking) }
        return current.isRunning ? .playing : .waiting(.opening)
    }
}

// MARK: Commands

extension PlaybackMachine {
    private mutating func handle(_ command: Command) {
        switch command {
        case .start:
            hasEngine = true
            openCurrent()
        case .setRate(let rate): setRate(rate.playable)
        case .setPlaying(let isPlaying): setRate(isPlaying ? defaultRate : .paused)
        case .setDefaultRate(let rate): if !rate.isPaused { setDefaultRate(rate.playable) }
        case .setVolume(let percent): setLoudness(Loudness(percent: percent, isMuted: loudness.isMuted))
        case .setMuted(let isMuted): setLoudness(Loudness(percent: loudness.percent, isMuted: isMuted))
        case .setGravity(let gravity): setGravity(gravity)
        case .setSound(let preference): setSound(preference)
        case .setSubtitlesShown(let areShown):
            guard areShown != showsSubtitles else { return }
            showsSubtitles = areShown
            outputs.append(.film(.setSubtitlesShown(areShown)))
        case .setActionAtItemEnd(let action): list.actionAtItemEnd = action
        case .setLoop(let loop): self.loop = loop
        case .replaceCurrent(let id): replaceCurrent(id)
        case .wait(let id, let pause):
            guard queue.contains(id) else { return }
            leave()
            if list.keepsPlayed { list.play(id) }
            follow(id, after: pause)
        case .stop:
            leave()
            list.stop()
            openCurrent()
        case .insert(let id, let before): insert(id, after: before)
        case .remove(let id): remove(id)
        case .removeAll: removeAll()
        case .advance: advance()
        case .seek(let id, let item, let target):
            if let item = item ?? currentItem { seek(id, item, target) }
        case .step(let id, let item, let count): step(id, item, count)
        case .cancelSeeks(let item, let id):
            if id == nil || items[item]?.pendingSeek?.id == id { cancelSeeks(item) }
        case .choose(let id, let kind, let choice): choose(id, kind, choice)
        case .preference(let kind, let preference):
            preferences[kind] = preference
            sendPreference(kind, preference)
        case .beginScrubbing: beginScrubbing()
        case .scrub(let time):
            guard isScrubbing, let item = currentItem, item == scrubbedItem else { return }
            seek(nil, item, SeekTarget(time, within: .keyFrameBefore))
        case .endScrubbing(let time): endScrubbing(at: time)
        case .observe(let id, let kind):
            // Nobody has observed the film until now.
            if observers.isEmpty, let current, let item = items[current.item] {
                observers.stand(at: item.timeline.time(at: now))
            }
            observers.add(id, kind)
        case .endObserving(let id): observers.remove(id)
        }
    }

    private mutating func setRate(_ rate: PlaybackRate) {
        if rate != self.rate {
            self.rate = rate
            outputs.append(.player(.rate(rate)))
        }
        applyRate()
        guard !rate.isPaused else { return }
        current?.isRewound = false
        // A film that was played to its end cannot go on from there.
        if current?.hasEnded == true { restart() }
    }

    private mutating func setDefaultRate(_ rate: PlaybackRate) {
        guard rate != defaultRate else { return }
        defaultRate = rate
        outputs.append(.film(.setDefaultRate(rate)))
        if !self.rate.isPaused {
            self.rate = rate
            if !isScrubbing { sent.rate = rate }
            outputs.append(.player(.rate(rate)))
        }
    }

    private mutating func setLoudness(_ asked: Loudness) {
        let loudness = Loudness(percent: min(asked.percent, volumeLimit), isMuted: asked.isMuted)
        guard loudness != self.loudness else { return }
        self.loudness = loudness
        outputs += [.film(.setLoudness(loudness)), .player(.loudness(loudness))]
    }

    private mutating func setSound(_ preference: SoundPreference) {
        guard preference != sound else { return }
        sound = preference
        outputs.append(.film(.setSound(preference)))
    }

    private mutating func setGravity(_ gravity: VideoGravity) {
        guard gravity != self.gravity else { return }
        self.gravity = gravity
        outputs.append(.film(.setGravity(gravity)))
    }

    private mutating func applyRate() {
        let rate = isScrubbing ? .paused : rate
        guard rate != sent.rate else { return }
        sent.rate = rate
        outputs.append(.film(.setRate(rate)))
    }

    private mutating func replaceCurrent(_ id: ItemID?) {
        guard let id else { return removeAll() }
        guard items[id] != nil else { return }
        if id == currentItem, current != nil, !list.keepsPlayed { return }
        leave()
        list.play(id)
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    /// Changes the playlist; the current item plays on. If the item that was to follow an end has been removed, another
    /// one is chosen.
    public mutating func rearrange(
        at now: MonotonicTime, _ change: (inout PlaybackQueue) -> Void
    ) -> [Output] {
        self.now = now
        change(&list)
        followAnother()
        notifyEngine()
        reportChanges()
        defer { outputs = [] }
        return outputs
    }

    private mutating func insert(_ id: ItemID, after before: ItemID?) {
        guard items[id] != nil, !queue.contains(id) else { return }
        let place = before.flatMap { queue.firstIndex(of: $0) }.map { $0 + 1 } ?? queue.endIndex
        list.insert(id, at: place)
        // Behind items that have all failed, too, the inserted item is the next one.
        guard current == nil else { return }
        if queue.count > 1, isFailed(queue[0]) { list.remove(queue[0]) }
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    private func isFailed(_ id: ItemID) -> Bool {
        if case .failed? = items[id]?.status { true } else { false }
    }

    private mutating func remove(_ id: ItemID) {
        guard let place = queue.firstIndex(of: id) else { return }
        if list.keepsPlayed { return removeEntry(id) }
        if place == 0 { leave() }
        list.remove(id)
        answer(items[id]?.forgetSeek(), of: id, false)
        if place == 0 { openCurrent() }
    }

    /// Chooses another item if the one that was to follow an end has left the playlist.
    private mutating func followAnother() {
        guard let next = waiting?.item, !list.items.contains(next) else { return }
        waiting = nil
        goOn()
    }

    /// Removes an entry. If it was playing, the next one plays, or nothing.
    private mutating func removeEntry(_ id: ItemID) {
        let next = list.next ?? (list.repetition == .none ? nil : list.items.first)
        let isCurrent = id == currentItem
        if isCurrent { leave() }
        list.remove(id)
        guard isCurrent else { return followAnother() }
        if let next, next != id { list.play(next) }
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    private mutating func removeAll() {
        leave()
        for id in queue { answer(items[id]?.forgetSeek(), of: id, false) }
        list.removeAll()
        openCurrent()
    }

    private mutating func advance() {
        guard !queue.isEmpty else { return }
        leave()
        list.advance()
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    private mutating func choose(_ id: ItemID?, _ kind: MediaCharacteristic, _ choice: TrackChoice) {
        let item = id.flatMap { items[$0] }
        guard id == nil || item != nil else { return }
        let isNew = item.map { $0.choices[kind] ?? .automatic != choice } ?? true
        if let id { items[id]?.choose(choice, of: kind) }
        // A library's item that has failed passes no choice on to those that follow.
        guard id == (list.keepsPlayed ? currentItem : current?.item), isNew || choice == .automatic else { return }
        if isNew, let current, current.item == id { outputs.append(.film(.select(current.loadID, kind, choice))) }
        // The choice for this item is passed on to those that follow. The player's criteria stay as they are.
        switch choice {
        case .automatic: sendPreference(kind, preferences[kind] ?? .none)
        case .off: sendPreference(kind, .none)
        case .track(let place):
            let options = item?.groups[kind]?.options ?? []
            if options.indices.contains(place), let language = options[place].language {
                sendPreference(kind, .languages([language]))
            }
        }
    }

    private mutating func sendPreference(_ kind: MediaCharacteristic, _ preference: TrackPreference) {
        guard sent.preferences[kind] != preference else { return }
        sent.preferences[kind] = preference
        outputs.append(.film(.setPreference(kind, preference)))
    }

    // MARK: Seeks

    private mutating func seek(_ id: SeekID?, _ item: ItemID, _ target: SeekTarget) {
        guard let state = items[item], !isFailed(item), state.mediaInfo?.isSeekable != false else {
            return answer(id, of: item, false)
        }
        remember(id, item, target)
        if current?.item == item, current?.isOpen == true { sendSeek() }
    }

    private mutating func remember(_ id: SeekID?, _ item: ItemID, _ target: SeekTarget) {
        // No film reaches beyond the farthest time, and no sum of it may overflow.
        let target = SeekTarget(target.time.clamped(to: .zero ... .farthest), within: target.tolerance)
        answer(items[item]?.remember(id, target), of: item, false)
        guard current?.item == item else { return }
        current?.seek = nil
        unsettleEnd()
    }

    /// Steps. Steps that follow one another before they are done add up, from the target of a seek that precedes them.
    private mutating func step(_ id: SeekID, _ item: ItemID, _ count: Int) {
        guard count != 0, let current, current.item == item, current.isOpen, !current.isTouched, !isScrubbing,
            let state = items[item], let mediaInfo = state.mediaInfo, mediaInfo.hasVideo, mediaInfo.isSeekable,
            !mediaInfo.isLive
        else { return answer(id, of: item, false) }
        setRate(.paused)
        // An estimate, until the frame is there.
        let way = (mediaInfo.frameDuration ?? .zero) * Int64(min(max(count, -Scrubber.mostSteps), Scrubber.mostSteps))
        let start = state.time(at: now).clamped(to: .zero ... .farthest)
        let place = (start + way).clamped(to: .zero...max(mediaInfo.duration ?? .farthest, .zero))
        remember(id, item, SeekTarget(place))
        outputs.append(.film(.step(current.loadID, number: filmSeek(SeekTarget(place)).number, by: count)))
    }

    private mutating func sendSeek() {
        guard let current, let pendingSeek = items[current.item]?.pendingSeek else { return }
        outputs.append(.film(.seek(current.loadID, filmSeek(pendingSeek.target))))
    }

    private mutating func filmSeek(_ target: SeekTarget) -> FilmSeek {
        seeks += 1
        current?.seek = seeks
        current?.unansweredSeek = seeks
        return FilmSeek(number: seeks, target: target)
    }

    /// Cancels the pending seek. The engine still does it, but nobody waits for it any more.
    private mutating func cancelSeeks(_ item: ItemID) {
        guard let state = items[item], state.pendingSeek != nil else { return }
        answer(items[item]?.forgetSeek(), of: item, false)
        guard current?.item == item else { return }
        current?.seek = nil
        reportPlace(of: item)
    }

    private mutating func answer(_ id: SeekID?, of item: ItemID, _ isThere: Bool) {
        if let id { outputs.append(.sought(item, id, isThere)) }
    }

    private mutating func restart() {
        guard let current, let item = items[current.item] else { return }
        let target = SeekTarget(isReverse ? item.timeline.duration ?? .zero : .zero)
        remember(nil, current.item, target)
        // Under a finger, a refusal belongs to the finger's seek.
        let end: UnsettledEnd = current.isTouched ? .reported : .restarting(isReverse: isReverse)
        self.current?.unsettledEnd = end
        outputs.append(.film(.restart(current.loadID, filmSeek(target))))
    }

    private mutating func openAnew() {
        guard let current else { return }
        guard items[current.item]?.isRepeatable == true else {
            self.current?.hasEnded = true
            return setRate(.paused)
        }
        follow(current.item)
    }

    /// Opens this item once it is due. The current frame stays until then.
    private mutating func follow(_ item: ItemID, after pause: Duration = .zero) {
        current?.hasEnded = false
        let due = list.keepsPlayed ? openedAt.map { $0 + Self.leastStay } : nil
        waiting = Waiting(item: item, due: max(due ?? now, now + pause))
        openWaiting()
    }

    /// Opens the waiting item if it is due. Called after everything that may have changed that.
    private mutating func openWaiting() {
        guard let waiting, waiting.due <= now else { return }
        leave()
        if waiting.item != currentItem {
            if list.keepsPlayed { list.play(waiting.item) } else { list.advance() }
        }
        openCurrent(isNextItem: true)
    }

    /// Whether the film is to play backwards, and is not known to refuse it.
    private var isReverse: Bool { rate.isReverse && current?.refusedRate != rate }

    // MARK: Scrubbing

    private mutating func beginScrubbing() {
        guard !isScrubbing else { return }
        isScrubbing = true
        observers.isScrubbing = true
        scrubbedItem = currentItem
        if let item = currentItem { cancelSeeks(item) }
        unsettleEnd()
        applyRate()
    }

    private mutating func endScrubbing(at time: MediaTime?) {
        guard isScrubbing else { return }
        isScrubbing = false
        observers.isScrubbing = false
        if let time, let item = currentItem, item == scrubbedItem { seek(nil, item, SeekTarget(time)) }
        applyRate()
        settleEnd()
    }
}

// MARK: News

extension PlaybackMachine {
    private mutating func handle(_ news: FilmNews) {
        switch news {
        case .opened(let loadID, let mediaInfo): opened(loadID, mediaInfo)
        case .mediaInfo(let loadID, let mediaInfo):
            guard let id = item(of: loadID) else { return }
            learn(id, mediaInfo)
        case .shown(let loadID): if let id = item(of: loadID) { outputs.append(.player(.shows(id))) }
        case .seeking(let loadID, let isSeeking): if item(of: loadID) != nil { current?.isSeeking = isSeeking }
        case .running(let loadID, let rate): run(loadID, rate)
        case .rateRefused(let loadID, let rate):
            guard item(of: loadID) != nil else { return }
            current?.refusedRate = rate
            // To be played again, the film is to start at its start now.
            if case .restarting(isReverse: true)? = current?.unsettledEnd { restart() }
        case .position(let loadID, let time): place(loadID, time)
        case .sought(let loadID, let number, let time): sought(loadID, number, time)
        case .buffering(let loadID, let percent):
            guard item(of: loadID) != nil else { return }
            current?.buffering = percent < 100 ? percent : nil
        case .buffered(let loadID, let ranges):
            guard let id = item(of: loadID) else { return }
            change(id) { $0.bufferedRanges = ranges }
        case .selection(let loadID, let group):
            guard let id = item(of: loadID) else { return }
            change(id) { $0.groups[group.characteristic] = group }
        case .touched(let loadID, let isTouched):
            guard let id = item(of: loadID) else { return }
            current?.isTouched = isTouched
            observers.isScrubbing = isTouched || isScrubbing
            if isTouched {
                // The finger's seeks replace it.
                cancelSeeks(id)
                current?.unansweredSeek = nil
                unsettleEnd()
            }
            if !observers.isScrubbing, let item = items[id] { report(observers.jump(to: item.timeline.time(at: now))) }
            settleEnd()
        case .tapped(let loadID): if item(of: loadID) != nil { setRate(defaultRate) }
        case .ended(let loadID, let isLooping): ended(loadID, isLooping)
        case .restartMissed(let loadID): missedRestart(loadID)
        case .failed(let loadID, let failure): failed(loadID, failure)
        case .state(let loadID, let state):
            if item(of: loadID) != nil { current?.pipelineState = state }
        case .warning(let loadID, let text):
            if let id = item(of: loadID) { outputs.append(.player(.warning(id, text))) }
        case .message(let text): outputs.append(.player(.message(text)))
        case .screen: outputs.append(.player(.screen))
        case .touch(let report): outputs.append(.player(.touch(report)))
        case .routes(let routes): outputs.append(.player(.routes(routes)))
        case .route(let route): outputs.append(.player(.route(route)))
        }
    }

    private func item(of loadID: LoadID) -> ItemID? {
        current?.loadID == loadID ? current?.item : nil
    }

    private mutating func learn(_ id: ItemID, _ mediaInfo: MediaInfo) {
        change(id) { item in
            item.mediaInfo = mediaInfo
            item.timeline.learn(mediaInfo.duration)
        }
    }

    private mutating func opened(_ loadID: LoadID, _ mediaInfo: MediaInfo) {
        guard let id = item(of: loadID) else { return }
        learn(id, mediaInfo)
        guard current?.isOpen == false else { return }
        current?.isOpen = true
        if list.keepsPlayed { list.failures.opened(at: now) } else { list.failures = PlaybackQueue.Failures() }
        change(id) { $0.status = .readyToPlay }
        guard let pendingSeek = items[id]?.pendingSeek else { return report(observers.jump(to: .zero)) }
        if !mediaInfo.isSeekable {
            answer(pendingSeek.id, of: id, false)
            items[id]?.pendingSeek = nil
            current?.seek = nil
        } else if current?.seek == nil {
            sendSeek()
        }
    }

    private mutating func run(_ loadID: LoadID, _ rate: PlaybackRate) {
        guard let id = item(of: loadID), let current, current.rate != rate else { return }
        self.current?.rate = rate
        items[id]?.timeline.run(at: rate, now)
        guard let item = items[id], item.pendingSeek == nil, current.isRunning != !rate.isPaused else { return }
        report(observers.report(item.timeline.time(at: now)))
    }

    private mutating func place(_ loadID: LoadID, _ time: MediaTime) {
        guard let id = item(of: loadID), let item = items[id] else { return }
        if current?.isTouched == true { leaveEnd() }
        let expected = item.timeline.time(at: now)
        items[id]?.timeline.place(at: time, now)
        // The position is not reported while a seek is to lead elsewhere.
        guard item.pendingSeek == nil else { return }
        if current?.isRunning == true, expected.distance(to: time) < Self.discontinuity {
            report(observers.run(to: time, isReverse: item.timeline.rate.isReverse))
        } else if expected != time {
            report(observers.jump(to: time))
        }
    }

    /// A film that is so far from its expected position did not play there.
    private static let discontinuity = MediaTime.seconds(1)

    private mutating func sought(_ loadID: LoadID, _ number: UInt64, _ time: MediaTime?) {
        guard let id = item(of: loadID) else { return }
        if current?.unansweredSeek == number { current?.unansweredSeek = nil }
        guard current?.seek == number else {
            // Nobody waits for the seek any more, but it has moved the film.
            if let time {
                leaveEnd()
                place(loadID, time)
            } else {
                settleEnd()
            }
            return
        }
        current?.seek = nil
        answer(items[id]?.forgetSeek(), of: id, time != nil)
        guard let time else {
            reportPlace(of: id)
            return settleEnd()
        }
        var isRewound = false
        if case .restarting? = current?.unsettledEnd { isRewound = rate.isPaused }
        leaveEnd()
        current?.isRewound = isRewound
        items[id]?.timeline.place(at: time, now)
        report(observers.jump(to: time))
    }

    private mutating func leaveEnd() {
        current?.hasEnded = false
        current?.isRewound = false
        current?.unsettledEnd = nil
    }

    /// Notes that a seek or a finger is about to leave the end. A seek that was to play the film again is void.
    private mutating func unsettleEnd() {
        if case .restarting? = current?.unsettledEnd { current?.hasEnded = true }
        if current?.hasEnded == true { current?.unsettledEnd = .reported }
        if current != nil, let waiting {
            current?.unsettledEnd = .following(waiting)
            self.waiting = nil
        }
        current?.hasEnded = false
        current?.isRewound = false
    }

    /// Restores the end that a seek or a finger has not left.
    private mutating func settleEnd() {
        // A seek in flight, or a finger, may still leave the end.
        guard let current, let end = current.unsettledEnd else { return }
        guard current.unansweredSeek == nil, !current.isTouched, !isScrubbing else { return }
        self.current?.unsettledEnd = nil
        switch end {
        // The film continues from the other end, and has reported its position.
        case .unreported(isLooping: true): outputs.append(.player(.didPlayToEnd(current.item)))
        case .unreported(isLooping: false): ended(current.loadID, false)
        case .reported where rate.isPaused: self.current?.hasEnded = true
        case .reported: restart()
        // The film is to be played in the other direction now, which leaves the end.
        case .restarting(let wasReverse) where !rate.isPaused && isReverse != wasReverse: break
        // Opened anew, the film would stand at its start, which is the end of backward playback.
        case .restarting(isReverse: true):
            self.current?.hasEnded = true
            setRate(.paused)
        case .restarting: openAnew()
        case .following(let next) where list.items.contains(next.item): waiting = next
        case .following: goOn()
        }
    }

    /// Reports the position of a film that a seek did not move.
    private mutating func reportPlace(of id: ItemID) {
        guard let current, let item = items[id] else { return }
        let time = item.timeline.time(at: now)
        if current.isRunning, observers.place.distance(to: time) < Self.discontinuity {
            report(observers.run(to: time, isReverse: item.timeline.rate.isReverse))
        } else if observers.place != time {
            report(observers.jump(to: time))
        }
    }

    private mutating func ended(_ loadID: LoadID, _ isLooping: Bool) {
        guard let id = item(of: loadID), let item = items[id], current?.hasEnded == false, waiting == nil else {
            return
        }
        // A film that is to be sought elsewhere has not been played to its end.
        guard item.pendingSeek == nil, !isScrubbing else {
            if current?.unsettledEnd == nil { current?.unsettledEnd = .unreported(isLooping: isLooping) }
            return
        }
        current?.unsettledEnd = nil
        // The film may have been paused just then.
        let played = list.keepsPlayed && item.timeline.rate.isPaused ? defaultRate : item.timeline.rate
        let isReverse = played.isReverse && current?.refusedRate != played
        let end = isReverse ? .zero : item.timeline.duration ?? item.timeline.time(at: now)
        items[id]?.timeline.place(at: end, now)
        report(observers.run(to: end, isReverse: isReverse))
        outputs.append(.player(.didPlayToEnd(id)))
        list.failures.ended()
        if isLooping {
            let start = isReverse ? item.timeline.duration ?? .zero : .zero
            items[id]?.timeline.place(at: start, now)
            report(observers.jump(to: start))
            return
        }
        current?.hasEnded = true
        // Played backwards, the next item would be at its end at once.
        if isReverse, !list.isLooping { stopAtEnd(isReverse: true) } else { goOn() }
    }

    /// Goes on to the item that follows the end.
    private mutating func goOn() {
        switch list.goOn() {
        case .again where current == nil: if let item = currentItem { follow(item) }
        case .again: restart()
        case .item(let item): follow(item)
        case .nothing where actionAtItemEnd == .advance && !list.keepsPlayed: advance()
        case .nothing: stopAtEnd()
        }
    }

    /// Stops at the end, because no item follows.
    private mutating func stopAtEnd(isReverse: Bool = false) {
        setRate(.paused)
        guard let current else {
            if list.keepsPlayed, list.actionAtQueueEnd == .finish { outputs.append(.player(.didFinish)) }
            return
        }
        self.current?.hasEnded = true
        switch list.keepsPlayed ? list.actionAtQueueEnd : actionAtItemEnd == .rewind ? .rewind : .pause {
        case .rewind: restart()
        case .finish where !isReverse: outputs.append(.player(.didFinish))
        case .pause, .finish: outputs.append(.film(.stopAtEnd(current.loadID)))
        }
    }

    /// Handles a film that was to be played again, but whose demuxer does not find the other end.
    private mutating func missedRestart(_ loadID: LoadID) {
        guard item(of: loadID) != nil, waiting == nil else { return }
        openAnew()
    }

    private mutating func failed(_ loadID: LoadID, _ failure: MediaFailure) {
        guard let id = item(of: loadID) else { return }
        leave()
        change(id) { $0.status = .failed(failure) }
        outputs.append(.player(.failed(id, failure)))
        list.failures.failed(at: now)
        guard let next = list.keepsPlayed ? list.next : list.followingFailure else {
            outputs.append(.film(.closeFailed))
            if list.keepsPlayed { failedLast() }
            return
        }
        if list.keepsPlayed { list.play(next) } else { list.advance() }
        openCurrent()
    }

    /// Handles the failure of the playlist's last playable entry: the first one is tried again, after a pause if all
    /// have failed, or playback stops.
    private mutating func failedLast() {
        if list.repetition.takeOne(), let first = list.items.first {
            return follow(first, after: list.failures.pause(of: list.items.count))
        }
        list.stop()
        setRate(.paused)
        if list.actionAtQueueEnd == .finish { outputs.append(.player(.didFinish)) }
    }
}
