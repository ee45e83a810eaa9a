/// The player as its callers see it: the queue, what is wanted and what is, the seeks that somebody waits for.
///
/// A value without a clock: `handle` takes what was asked or told and when, and returns what to do and whom to tell, in
/// order. Commands come at any moment: what cannot be done yet is remembered. What is told of a load that was
/// left is not heard.
public struct PlaybackMachine: Sendable {
    /// What the engine was told to open.
    private struct Current: Hashable, Sendable {
        var loadID: LoadID
        var item: ItemID
        var isOpen = false
        /// As the engine says.
        var rate = PlaybackRate.paused
        /// What it cannot do.
        var refusedRate: PlaybackRate?
        var isTouched = false
        var pipelineState = PipelineState.null
        var buffering: Int?
        /// As the engine says.
        var isSeeking = false
        /// The engine's seek that is on its way for the item's pending seek.
        var seek: UInt64?
        /// The newest that it has not answered, though nobody may wait for it any more.
        var unansweredSeek: UInt64?
        /// It stands at its end, and nothing has moved it since.
        var hasEnded = false
        /// It was played to its end, went back to its start, and stands there.
        var isRewound = false
        /// What there is of an end if the seek that is on its way, or the finger, leads nowhere.
        var unsettledEnd: UnsettledEnd?

        var isRunning: Bool { !rate.isPaused }
    }

    private enum UnsettledEnd: Hashable, Sendable {
        /// It stood there when the seek was asked for, or the finger came.
        case reported
        /// It stood there, and is sought from there to the other end to be played again.
        case restarting(isReverse: Bool)
        /// It came meanwhile, and nobody was told.
        case unreported(isLooping: Bool)
        /// It was told, and this was to follow.
        case following(Waiting)
    }

    /// What those who follow the player were told last.
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

    /// What the engine was told last.
    private struct Sent: Hashable, Sendable {
        var rate = PlaybackRate.paused
        /// The criteria, or in their place the language of a track that was chosen of an item.
        var preferences: [MediaCharacteristic: TrackPreference] = [:]
        var isLooping = false
        var isObserved = false
        var next: ItemID?
    }

    /// An item that is opened once its time has come: what is on the screen stands until then.
    private struct Waiting: Hashable, Sendable {
        var item: ItemID
        var due: MonotonicTime
    }

    /// Items of a playlist that follow by themselves do so once a second at most, however brief they are: each load is a write to
    /// the card, and one without a pause between them holds the processor.
    public static let leastStay = Duration.seconds(1)

    // Wanted.
    /// What is played, and what follows it.
    public private(set) var list: PlaybackQueue
    /// The rate that is asked for; see `actualRate`.
    public private(set) var rate = PlaybackRate.paused
    /// The rate of `setPlaying`.
    public private(set) var defaultRate = PlaybackRate.normal
    public private(set) var loudness: Loudness
    /// No louder than this, in per cent, whoever asks.
    public let volumeLimit: Double
    public private(set) var gravity: VideoGravity
    /// Where the sound is to come out.
    public private(set) var sound: SoundPreference
    /// Whether the subtitles that are chosen are to be read.
    public private(set) var showsSubtitles = true
    /// The criteria: which track of a kind is chosen by itself.
    public private(set) var preferences: [MediaCharacteristic: TrackPreference]
    public private(set) var isScrubbing = false
    /// Where that began: what is asked for while another item is current is not that one's.
    private var scrubbedItem: ItemID?

    // Actual.
    /// Those that have left the queue, too, until `release`.
    public private(set) var items: [ItemID: PlaybackItem] = [:]
    private var current: Current?
    private var waiting: Waiting?
    /// An engine is there: until then what is played is not opened.
    private var hasEngine: Bool
    /// When something was last opened.
    private var openedAt: MonotonicTime?
    public private(set) var status = TimeControlStatus.paused

    private var observers = TimeObservers()
    private var loads: UInt64 = 0
    private var seeks: UInt64 = 0
    private var lastReported = Reported()
    private var sent = Sent()

    /// Of the input that is handled.
    private var now = MonotonicTime(nanoseconds: 0)
    private var outputs: [Output] = []

    /// - Parameters:
    ///   - loudness: the engine's, as it was made; so are `gravity`, `sound` and `preferences`.
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

    /// Of a playlist, whose items stay in it; nothing is opened before `start`.
    /// - Parameter loudness: the engine's, as it was made; so are `gravity`, `sound` and `preferences`.
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

    /// Something is open, or is being opened.
    public var isOpening: Bool { current != nil }

    /// What is opened once its time has come; `nil` where nothing waits for that.
    public var waitingItem: ItemID? { waiting?.item }

    /// The item was played to its end, and nothing has led it elsewhere since.
    public var hasEnded: Bool {
        guard let current else { return false }
        if case .restarting? = current.unsettledEnd, rate.isPaused { return true }
        return current.hasEnded || current.isRewound
    }

    /// How fast the current item plays when it is not paused: at its own pace where it cannot be played at the wanted rate.
    public var filmRate: PlaybackRate {
        let wanted = rate.isPaused ? defaultRate : rate
        return current?.refusedRate == wanted ? .normal : wanted
    }

    /// A seek or a finger leads the film elsewhere.
    public var isSeeking: Bool {
        guard let current else { return false }
        return current.isSeeking || items[current.item]?.pendingSeek != nil
    }

    private var settings: Settings {
        Settings(
            gravity: gravity, sound: sound, preferences: sent.preferences, showsSubtitles: showsSubtitles,
            rate: filmRate)
    }

    /// Which tracks are chosen by themselves of items of which nothing else was chosen: by `preferences`, or by the language of a track that
    /// was chosen of one before.
    public var appliedPreferences: [MediaCharacteristic: TrackPreference] { sent.preferences }

    /// How fast the film really goes.
    public var actualRate: PlaybackRate { current?.rate ?? .paused }

    /// `null` while nothing is open.
    public var pipelineState: PipelineState { current?.pipelineState ?? .null }

    /// Where the item that is open stands, for whoever shows it again and again; `nil` while it plays, which observers are
    /// told as it does, while somebody scrubs, and until a seek is done.
    public var restingPlace: (item: ItemID, time: MediaTime)? {
        guard let current, current.isOpen, !current.isRunning, !observers.isScrubbing, let item = items[current.item],
            item.pendingSeek == nil
        else { return nil }
        return (current.item, item.timeline.time(at: now))
    }

    /// An item becomes this player's; before any command that names it.
    public mutating func adopt(_ id: ItemID, _ item: PlaybackItem) { items[id] = item }

    /// An item that is in no queue is the player's no longer.
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

    /// The current item is going to be another one, or none.
    private mutating func leave() {
        waiting = nil
        guard let current else { return }
        answer(items[current.item]?.forgetSeek(), of: current.item, false)
        items[current.item]?.timeline.run(at: .paused, now)
        self.current = nil
        // A finger that held it holds nothing of the next one.
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
        // Backwards, an item of a playlist that begins at its start would be at its end.
        if list.keepsPlayed, defaultRate.isReverse, seek == nil, items[id]?.beginsElsewhere == false {
            setDefaultRate(.normal)
        }
        for (kind, choice) in (items[id]?.choices ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where choice != .automatic {
            outputs.append(.film(.select(loadID, kind, choice)))
        }
    }

    /// Changes an item, and tells what is new of it.
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

    // MARK: Telling

    /// The film has played on since the last time that anything happened.
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
        // Of a seek that nobody waits for, such as a loop's, nothing is told.
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
            // Nobody has followed the film until now.
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
        // Played to its end it has nowhere to go on to.
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

    /// Changes the playlist; what plays plays on. What was to follow an end and is gone is decided anew.
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
        // At the end of those that failed, too, it is what comes next.
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

    /// What was to follow an end, and has left the playlist, is decided anew.
    private mutating func followAnother() {
        guard let next = waiting?.item, !list.items.contains(next) else { return }
        waiting = nil
        goOn()
    }

    /// Without the one that plays, the next one plays, or nothing.
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
        // Of a library's item that has failed nothing is asked of those that follow.
        guard id == (list.keepsPlayed ? currentItem : current?.item), isNew || choice == .automatic else { return }
        if isNew, let current, current.item == id { outputs.append(.film(.select(current.loadID, kind, choice))) }
        // What is chosen of this item is asked of those that follow, and the player's criteria stay what they are.
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
        // Behind the farthest time there is none, and nothing is added to it.
        let target = SeekTarget(target.time.clamped(to: .zero ... .farthest), within: target.tolerance)
        answer(items[item]?.remember(id, target), of: item, false)
        guard current?.item == item else { return }
        current?.seek = nil
        unsettleEnd()
    }

    /// Those that follow one another before they are done add up; what is sought before them is where they begin.
    private mutating func step(_ id: SeekID, _ item: ItemID, _ count: Int) {
        guard count != 0, let current, current.item == item, current.isOpen, !current.isTouched, !isScrubbing,
            let state = items[item], let mediaInfo = state.mediaInfo, mediaInfo.hasVideo, mediaInfo.isSeekable,
            !mediaInfo.isLive
        else { return answer(id, of: item, false) }
        setRate(.paused)
        // Until its frame is there, for all that one knows.
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

    /// What is under way cannot be called back; nobody waits for it any more.
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
        // Under a finger a refusal is the finger's.
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

    /// This item follows, and what is on the screen stands until its time has come.
    private mutating func follow(_ item: ItemID, after pause: Duration = .zero) {
        current?.hasEnded = false
        let due = list.keepsPlayed ? openedAt.map { $0 + Self.leastStay } : nil
        waiting = Waiting(item: item, due: max(due ?? now, now + pause))
        openWaiting()
    }

    /// Called after everything that may have brought its time.
    private mutating func openWaiting() {
        guard let waiting, waiting.due <= now else { return }
        leave()
        if waiting.item != currentItem {
            if list.keepsPlayed { list.play(waiting.item) } else { list.advance() }
        }
        openCurrent(isNextItem: true)
    }

    /// Backwards, unless the film is known not to be played so.
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
            // To be played again it is to begin at its start, then.
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
                // The finger's seeks take its place.
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
        // Nobody is told of it while a seek is to lead elsewhere.
        guard item.pendingSeek == nil else { return }
        if current?.isRunning == true, expected.distance(to: time) < Self.discontinuity {
            report(observers.run(to: time, isReverse: item.timeline.rate.isReverse))
        } else if expected != time {
            report(observers.jump(to: time))
        }
    }

    /// A film that is so far from where it should be did not play there.
    private static let discontinuity = MediaTime.seconds(1)

    private mutating func sought(_ loadID: LoadID, _ number: UInt64, _ time: MediaTime?) {
        guard let id = item(of: loadID) else { return }
        if current?.unansweredSeek == number { current?.unansweredSeek = nil }
        guard current?.seek == number else {
            // Nobody waits for it any more; the film is there all the same.
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

    /// Something is to lead away from the end; a seek that was to play it again is not done any more.
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

    /// A seek, or a finger, came to nothing: an end from before is one.
    private mutating func settleEnd() {
        // A seek that is on its way, or a finger's, may still lead away.
        guard let current, let end = current.unsettledEnd else { return }
        guard current.unansweredSeek == nil, !current.isTouched, !isScrubbing else { return }
        self.current?.unsettledEnd = nil
        switch end {
        // It goes on from the other end, and has told where it is.
        case .unreported(isLooping: true): outputs.append(.player(.didPlayToEnd(current.item)))
        case .unreported(isLooping: false): ended(current.loadID, false)
        case .reported where rate.isPaused: self.current?.hasEnded = true
        case .reported: restart()
        // It is to be played the other way by now, which leads away from where it is.
        case .restarting(let wasReverse) where !rate.isPaused && isReverse != wasReverse: break
        // Opened anew it would stand at its start, from where backwards there is no way.
        case .restarting(isReverse: true):
            self.current?.hasEnded = true
            setRate(.paused)
        case .restarting: openAnew()
        case .following(let next) where list.items.contains(next.item): waiting = next
        case .following: goOn()
        }
    }

    /// A seek that was to lead elsewhere did not: the film is where it is.
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
        // On its way to somewhere else it has not played to its end, once it gets there.
        guard item.pendingSeek == nil, !isScrubbing else {
            if current?.unsettledEnd == nil { current?.unsettledEnd = .unreported(isLooping: isLooping) }
            return
        }
        current?.unsettledEnd = nil
        // It may have been paused just then.
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
        // Backwards, what follows would be at its end at once.
        if isReverse, !list.isLooping { stopAtEnd(isReverse: true) } else { goOn() }
    }

    /// What follows the end.
    private mutating func goOn() {
        switch list.goOn() {
        case .again where current == nil: if let item = currentItem { follow(item) }
        case .again: restart()
        case .item(let item): follow(item)
        case .nothing where actionAtItemEnd == .advance && !list.keepsPlayed: advance()
        case .nothing: stopAtEnd()
        }
    }

    /// Nothing follows.
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

    /// It was to be played again, and its demuxer does not find its other end.
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

    /// No entry of the playlist is left to go on with: the first one is tried again, after a pause where all have failed, or
    /// nothing plays any more.
    private mutating func failedLast() {
        if list.repetition.takeOne(), let first = list.items.first {
            return follow(first, after: list.failures.pause(of: list.items.count))
        }
        list.stop()
        setRate(.paused)
        if list.actionAtQueueEnd == .finish { outputs.append(.player(.didFinish)) }
    }
}
