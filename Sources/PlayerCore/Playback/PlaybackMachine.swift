/// The player as its callers see it: the queue, what is wanted and what is, the seeks that somebody waits for.
///
/// A value without a clock: `handle` takes what was asked or told and when, and returns what to do and whom to tell, in
/// order. Commands come at any moment: what cannot be done yet is remembered (T2, M6). What is told of an opening that was
/// left is not heard (M8). Rows A1, A2, A4, A5, A7, A13.
public struct PlaybackMachine: Sendable {
    public enum Command: Hashable, Sendable {
        /// The wanted rate; 0 pauses.
        case setRate(PlaybackRate)
        /// In per cent.
        case setVolume(Int)
        case setMuted(Bool)
        case setGravity(VideoGravity)
        case setActionAtItemEnd(ActionAtItemEnd)
        case setLoop(QueueLoop)
        /// `nil` empties the queue. One that has failed is opened again.
        case replaceCurrent(ItemID?)
        /// Behind an item of the queue, `nil`: at its end. One that is in the queue already stays where it is.
        case insert(ItemID, after: ItemID?)
        case remove(ItemID)
        case removeAll
        case advance
        /// Without an id, nobody waits for it; of no item, it is the current one's.
        case seek(SeekID?, ItemID?, SeekTarget)
        /// So many pictures on, and back where it is below 0: of the current item, while it is open and nobody scrubs. It pauses.
        case step(SeekID, ItemID, Int)
        /// All of an item, or this one alone.
        case cancelSeeks(ItemID, only: SeekID?)
        case choose(ItemID, MediaCharacteristic, TrackChoice)
        /// For all items of which nothing else was chosen.
        case wish(MediaCharacteristic, TrackWish)
        case beginScrubbing
        case scrub(to: MediaTime)
        case endScrubbing(at: MediaTime?)
        case observe(TimeObserverID, TimeObservers.Kind)
        case endObserving(TimeObserverID)
    }

    public enum Input: Sendable {
        case command(Command)
        case news(EngineNews)
        /// `deadline` has come.
        case wake
    }

    public enum Output: Hashable, Sendable {
        case engine(EngineCommand)
        /// An answer to whoever asked: whether the picture is there.
        case sought(ItemID, SeekID, Bool)
        case observer(TimeObservers.Call)
        case item(ItemID, ItemChange)
        case player(PlayerChange)
    }

    public enum ItemChange: Hashable, Sendable {
        case status(PlaybackItem.Status)
        /// `nil`: it is opened anew, and nothing is known yet.
        case facts(MediaFacts?)
        case buffered([ClosedRange<MediaTime>])
        case selection(MediaCharacteristic, MediaSelectionGroup?)
    }

    public enum PlayerChange: Hashable, Sendable {
        case status(TimeControlStatus)
        case rate(PlaybackRate)
        case loudness(Loudness)
        case currentItem(ItemID?)
        /// In per cent; `nil`: nothing is waited for.
        case buffering(Int?)
        case didPlayToEnd(ItemID)
        case failed(ItemID, MediaFailure)
        case pipelineState(PipelineState)
        case warning(ItemID, String)
        case message(String?)
    }

    /// What the engine was told to open.
    struct Current: Hashable, Sendable {
        var opening: Opening
        var item: ItemID
        var isOpen = false
        /// As the engine says.
        var rate = PlaybackRate.paused
        /// What it cannot do.
        var refusedRate: PlaybackRate?
        var isTouched = false
        var pipelineState = PipelineState.null
        var buffering: Int?
        /// The engine's seek that is on its way for the item's wish.
        var seek: UInt64?
        /// The newest that it has not answered, though nobody may wait for it any more.
        var unansweredSeek: UInt64?
        /// It stands at its end, and nothing has moved it since.
        var hasEnded = false
        /// What there is of an end if the seek that is on its way, or the finger, leads nowhere.
        var unsettledEnd: UnsettledEnd?

        var isRunning: Bool { !rate.isPaused }
    }

    enum UnsettledEnd: Hashable, Sendable {
        /// It stood there when the seek was asked for, or the finger came.
        case told
        /// It stood there, and is sought from there to the other end to be played again.
        case restarting(isReverse: Bool)
        /// It came meanwhile, and nobody was told.
        case untold(isLooping: Bool)
    }

    // Wanted.
    /// What is played, and what follows it.
    var list: PlaybackQueue
    /// The rate that is asked for; see `actualRate`.
    public internal(set) var rate = PlaybackRate.paused
    public internal(set) var loudness: Loudness
    public internal(set) var gravity: VideoGravity
    /// The criteria: which track of a kind is chosen by itself.
    public internal(set) var wishes: [MediaCharacteristic: TrackWish]
    public internal(set) var isScrubbing = false
    /// Where that began: what is asked for while another item is current is not that one's (M8).
    var scrubbedItem: ItemID?

    // Actual.
    /// Those that have left the queue, too, until `release`.
    public internal(set) var items: [ItemID: PlaybackItem] = [:]
    var current: Current?
    public private(set) var status = TimeControlStatus.paused

    var observers = TimeObservers()
    var openings: UInt64 = 0
    var seeks: UInt64 = 0
    private var toldItem: ItemID?
    private var toldBuffering: Int?
    private var toldState = PipelineState.null
    // What the engine was told last.
    var sentRate = PlaybackRate.paused
    /// The criteria, or in their place the language of a track that was chosen of an item.
    var sentWishes: [MediaCharacteristic: TrackWish]
    private var isSentLooping = false
    private var sentNext: ItemID?

    /// Of the input that is handled.
    var now = MonotonicTime(nanoseconds: 0)
    var outputs: [Output] = []

    /// - Parameters:
    ///   - loudness: the engine's, as it was made; so are `gravity` and `wishes`.
    public init(
        actionAtItemEnd: ActionAtItemEnd = .rewind, loudness: Loudness = Loudness(),
        gravity: VideoGravity = .resizeAspect,
        wishes: [MediaCharacteristic: TrackWish] = [.audible: .any, .legible: .none]
    ) {
        list = PlaybackQueue(keepsPlayed: false, actionAtQueueEnd: .finish)
        list.actionAtItemEnd = actionAtItemEnd
        self.loudness = loudness
        self.gravity = gravity
        self.wishes = wishes
        sentWishes = wishes
    }

    /// The current item first.
    public var queue: [ItemID] { list.items }

    public var currentItem: ItemID? { list.current }

    public var actionAtItemEnd: ActionAtItemEnd { list.actionAtItemEnd }

    public internal(set) var loop: QueueLoop {
        get { list.itemRepetition == .forever ? .one : list.repetition == .forever ? .all : .off }
        set {
            list.itemRepetition = newValue == .one ? .forever : .none
            list.repetition = newValue == .all ? .forever : .none
        }
    }

    /// How fast the film really goes.
    public var actualRate: PlaybackRate { current?.rate ?? .paused }

    /// `null` while nothing is open.
    public var pipelineState: PipelineState { current?.pipelineState ?? .null }

    /// Where the item that is open stands, for whoever shows it again and again (M2); `nil` while it plays, which observers are
    /// told as it does, while somebody scrubs (A7), and until a seek is done.
    public var standing: (item: ItemID, time: MediaTime)? {
        guard let current, current.isOpen, !current.isRunning, !observers.isScrubbing, let item = items[current.item],
            item.wish == nil
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
        guard let current, current.isRunning, !observers.isEmpty, let item = items[current.item], item.wish == nil,
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
        tellEngine()
        tellChanges()
        defer { outputs = [] }
        return outputs
    }

    // MARK: Items

    /// The current item is going to be another one, or none.
    mutating func leave() {
        guard let current else { return }
        answer(items[current.item]?.forgetSeek(), of: current.item, false)
        items[current.item]?.timeline.run(at: .paused, now)
        self.current = nil
        // A finger that held it holds nothing of the next one.
        observers.isScrubbing = isScrubbing
    }

    mutating func openCurrent() {
        guard let id = currentItem else {
            outputs.append(.engine(.close))
            return
        }
        openings += 1
        change(id) { $0.begin() }
        let opening = Opening(number: openings)
        current = Current(opening: opening, item: id)
        let seek = items[id]?.wish.map { engineSeek($0.target) }
        outputs.append(.engine(.open(opening, id, seek: seek)))
        for (kind, choice) in (items[id]?.choices ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where choice != .automatic {
            outputs.append(.engine(.select(opening, kind, choice)))
        }
    }

    /// Changes an item, and tells what is new of it.
    mutating func change(_ id: ItemID, _ change: (inout PlaybackItem) -> Void) {
        guard let old = items[id] else { return }
        var item = old
        change(&item)
        items[id] = item
        if item.status != old.status { outputs.append(.item(id, .status(item.status))) }
        if item.facts != old.facts { outputs.append(.item(id, .facts(item.facts))) }
        if item.bufferedRanges != old.bufferedRanges { outputs.append(.item(id, .buffered(item.bufferedRanges))) }
        for kind in MediaCharacteristic.allCases where item.groups[kind] != old.groups[kind] {
            outputs.append(.item(id, .selection(kind, item.groups[kind])))
        }
    }

    // MARK: Telling

    /// The film has played on since the last time that anything happened.
    mutating func passTime() {
        guard let current, current.isRunning, !observers.isEmpty, let item = items[current.item], item.wish == nil
        else {
            return
        }
        let timeline = item.timeline
        tell(observers.run(to: timeline.time(at: now), isReverse: timeline.rate.isReverse))
    }

    mutating func tell(_ calls: [TimeObservers.Call]) {
        outputs += calls.map { .observer($0) }
    }

    mutating func tellEngine() {
        if list.isLooping != isSentLooping {
            isSentLooping = list.isLooping
            outputs.append(.engine(.setLooping(isSentLooping)))
        }
        var next: ItemID?
        if case .item(let item) = list.following { next = item }
        if next != sentNext {
            sentNext = next
            outputs.append(.engine(.setNext(next)))
        }
    }

    mutating func tellChanges() {
        if currentItem != toldItem {
            toldItem = currentItem
            outputs.append(.player(.currentItem(currentItem)))
        }
        if current?.buffering != toldBuffering {
            toldBuffering = current?.buffering
            outputs.append(.player(.buffering(toldBuffering)))
        }
        if pipelineState != toldState {
            toldState = pipelineState
            outputs.append(.player(.pipelineState(toldState)))
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
        if items[current.item]?.wish?.id != nil { return .waiting(.seeking) }
        return current.isRunning ? .playing : .waiting(.opening)
    }
}
