internal import Dispatch
internal import KMS
internal import PlayerCore
internal import Synchronization

/// Connects a player's machine with its engine, its items and its observers.
///
/// Commands may come from any thread and never wait: the machine decides under a lock that protects nothing else, and
/// its outputs are done on the engine's loop, in order. The loop notifies engine, callers and followers, none of which
/// can delay it.
final class PlaybackCore: Sendable {
    struct State {
        var machine: PlaybackMachine
        /// The items in the queue, and those that are just leaving it.
        var items: [ItemID: PlayerItem] = [:]
        /// The items that a later change puts into the queue.
        var coming: Set<ItemID> = []
        var observers: [TimeObserverID: Observer] = [:]
        var nextObserver: UInt64 = 0
        var delegation: Task<Void, Never>?
        /// The number of items that were played to their end.
        var ends: UInt64 = 0
        /// The engine's own controls, and their link.
        var controls: (link: TransportLink, transport: any Transport)?
        /// The layer that shows the player.
        var layer: ObjectIdentifier?
        /// The shutdown, once requested.
        var ending: Task<Void, Never>?

        var isShutDown: Bool { ending != nil }
    }

    /// An observer of all reports.
    struct Follower: Sendable {
        let notify: @Sendable (PlayerNews) -> Void
        let finish: @Sendable () -> Void
    }

    enum Observer {
        case times(AsyncStream<MediaTime>.Continuation)
        case all(Follower)

        func finish() {
            switch self {
            case .times(let observer): observer.finish()
            case .all(let follower): follower.finish()
            }
        }
    }

    let state: Mutex<State>
    let engine: any PlaybackEngine
    /// The engine's loop.
    let outbox: DispatchQueue
    /// Used on `outbox` only, except for its time.
    private let clock: any LoopClock

    let statuses = Broadcast(TimeControlStatus.paused)
    let rates = Broadcast(PlaybackRate.paused)
    let currentItems = Broadcast<PlayerItem?>(nil)
    let volumes: Broadcast<Int>
    let mutings: Broadcast<Bool>
    let bufferings = Broadcast<Int?>(nil)
    let ends = Broadcast<PlayerItem>()
    let failures = Broadcast<ItemFailure>()
    let warnings = Broadcast<ItemWarning>()
    let pipelineStates = Broadcast(PipelineState.null)
    let messages = Broadcast<String?>(nil)
    let routes = Broadcast<[SoundRoute]>([])
    let currentRoutes = Broadcast<SoundRoute?>(nil)

    /// A command, or a change of a playlist that does not affect the current item. Done under the lock.
    enum Change: Sendable {
        case command(PlaybackMachine.Command)
        case arrange(@Sendable (inout PlaybackQueue) -> Void)
    }

    init(engine: any PlaybackEngine, _ machine: PlaybackMachine, clock: any LoopClock = SystemClock()) {
        self.engine = engine
        self.clock = clock
        outbox = engine.loop
        state = Mutex(State(machine: machine))
        volumes = Broadcast(machine.loudness.rounded)
        mutings = Broadcast(machine.loudness.isMuted)
        outbox.async { [self] in
            clock.start(on: outbox) { [weak self] in self?.wake() }
        }
        engine.attach { [weak self] news in _ = self?.handle(.news(news)) }
        guard let controls = engine.makeControls() else { return }
        // The link is the one that any controls get. It reports no times, because the loop knows them.
        let link = TransportLink(self, controls, every: .zero)
        state.withLock { $0.controls = (link, controls) }
        outbox.async { [engine] in engine.control(by: link) }
    }

    // MARK: Queries

    func read<Value>(_ body: (PlaybackMachine) -> Value) -> Value {
        state.withLock { body($0.machine) }
    }

    func item(_ id: ItemID) -> PlaybackItem? { read { $0.items[id] } }

    func time(of id: ItemID) -> MediaTime? { item(id)?.time(at: clock.now) }

    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    var currentItem: PlayerItem? {
        state.withLock { state in state.machine.currentItem.flatMap { state.items[$0] } }
    }

    var queue: [PlayerItem] {
        state.withLock { state in state.machine.queue.compactMap { state.items[$0] } }
    }

    // MARK: Commands

    /// - Returns: `false` if nothing is done any more, after a shutdown.
    @discardableResult
    func command(_ command: PlaybackMachine.Command) -> Bool { handle(.command(command)) }

    /// - Returns: as `command`.
    @discardableResult
    func make(_ change: Change) -> Bool {
        state.withLock { state in
            guard !state.isShutDown else { return false }
            decide(change, &state)
            return true
        }
    }

    /// Called by the timer, or by a test that sets the clock.
    func wake() { handle(.wake) }

    /// Sends a request, in the order of commands.
    func send(_ request: ScreenRequest) {
        state.withLock { _ in outbox.async { [engine] in engine.show(request) } }
    }

    /// Seeks without waiting.
    func jump(to time: MediaTime) { command(.seek(nil, nil, SeekTarget(time))) }

    /// Shows the player on this layer's display from now on, in place of another layer's.
    func show(on display: Display?, in area: OSDLayout.Rectangle?, by layer: ObjectIdentifier) {
        state.withLock { state in
            state.layer = layer
            outbox.async { [engine] in engine.show(on: display, in: area) }
        }
    }

    /// As `show`, if this layer still shows the player.
    func showElsewhere(on display: Display?, in area: OSDLayout.Rectangle?, by layer: ObjectIdentifier) {
        state.withLock { state in
            guard state.layer == layer else { return }
            outbox.async { [engine] in engine.show(on: display, in: area) }
        }
    }

    /// Shows the player nowhere, unless another layer shows it by now.
    func hide(by layer: ObjectIdentifier) {
        state.withLock { state in
            guard state.layer == layer else { return }
            state.layer = nil
            outbox.async { [engine] in engine.show(on: nil, in: nil) }
        }
    }

    /// Adopts an item's state, with the command that puts the item into the queue.
    /// - Returns: as `command`.
    func adopt(_ item: PlayerItem, _ value: PlaybackItem, by change: Change?) -> Bool {
        state.withLock { state in
            guard !state.isShutDown else { return false }
            state.machine.adopt(item.id, value)
            state.items[item.id] = item
            if let change { decide(change, &state) } else { state.coming.insert(item.id) }
            return true
        }
    }

    /// Returns an item's state; `nil` while it is in the queue.
    func release(_ id: ItemID) -> PlaybackItem? {
        state.withLock { state in
            guard let value = state.machine.release(id) else { return nil }
            state.items[id] = nil
            return value
        }
    }

    @discardableResult
    private func handle(_ input: PlaybackMachine.Input) -> Bool {
        state.withLock { state in
            guard !state.isShutDown else { return false }
            decide(input, &state)
            return true
        }
    }

    /// Enqueues decisions under the lock, so that they are done in the order in which they were made.
    private func decide(_ input: PlaybackMachine.Input, _ state: inout State) {
        take(state.machine.handle(input, at: clock.now), &state)
    }

    private func decide(_ change: Change, _ state: inout State) {
        switch change {
        case .command(let command): take(state.machine.handle(.command(command), at: clock.now), &state)
        case .arrange(let arrange): take(state.machine.rearrange(at: clock.now, arrange), &state)
        }
    }

    private func take(_ outputs: [PlaybackMachine.Output], _ state: inout State) {
        // Backwards, items end at their start.
        if !state.machine.filmRate.isReverse { state.ends += UInt64(outputs.count { $0.isEnd }) }
        let deadline = state.machine.deadline
        let isAlone = state.machine.list.keepsPlayed && state.machine.list.items.count == 1
        let queue = Set(state.machine.queue)
        state.coming.subtract(queue)
        let left = state.items.filter { [coming = state.coming] in !queue.contains($0.key) && !coming.contains($0.key) }
            .values
        let named = state.items
        outbox.async { [self] in
            for output in outputs { perform(output, named, isAlone) }
            for item in left { item.comeHome(from: self) }
            clock.schedule(deadline)
        }
    }

    // MARK: Time

    func times(_ kind: TimeObservers.Kind) -> AsyncStream<MediaTime> {
        let depth = if case .periodic = kind { 1 } else { Broadcast<MediaTime>.depth }
        let (stream, observer) = AsyncStream.makeStream(of: MediaTime.self, bufferingPolicy: .bufferingNewest(depth))
        let id: TimeObserverID? = state.withLock { state in
            guard let id = observe(kind, &state) else { return nil }
            state.observers[id] = .times(observer)
            return id
        }
        guard let id else {
            observer.finish()
            return stream
        }
        observer.onTermination = { [weak self] _ in self?.endObserving(id) }
        return stream
    }

    func observe(_ kind: TimeObservers.Kind, _ state: inout State) -> TimeObserverID? {
        guard let id = number(&state) else { return nil }
        decide(Change.command(.observe(id, kind)), &state)
        return id
    }

    /// `nil` if nothing is reported any more.
    func number(_ state: inout State) -> TimeObserverID? {
        guard !state.isShutDown else { return nil }
        state.nextObserver += 1
        return TimeObserverID(number: state.nextObserver)
    }

    func endObserving(_ id: TimeObserverID) {
        state.withLock { state in
            state.observers[id] = nil
            if !state.isShutDown { decide(Change.command(.endObserving(id)), &state) }
        }
    }

    // MARK: Outputs

    private func perform(_ output: PlaybackMachine.Output, _ items: [ItemID: PlayerItem], _ isAlone: Bool) {
        switch output {
        case .film(let command):
            var request = command.item.flatMap { items[$0]?.request }
            request?.isAlone = isAlone
            engine.send(command, request)
        case .sought(let item, let seek, let isThere): items[item]?.answer(seek, isThere)
        case .observer(let call):
            switch state.withLock({ $0.observers[call.observer] }) {
            case .times(let observer)?: observer.yield(call.time)
            case .all(let follower)?: follower.notify(.time(call.time, of: currentItems.now ?? nil))
            case nil: break
            }
        case .item(let id, let change):
            guard let item = items[id] else { return }
            item.report(change, by: self)
            if item === currentItems.now ?? nil, let news = PlayerNews(change, of: item) { notifyFollowers(news) }
        case .player(let change): notify(change, items)
        }
    }

    private func notify(_ change: PlaybackMachine.PlayerChange, _ items: [ItemID: PlayerItem]) {
        switch change {
        case .status(let status):
            statuses.send(status)
            notifyFollowers(.status(status))
        case .rate(let rate):
            rates.send(rate)
            notifyFollowers(.rate(rate))
        case .loudness(let loudness):
            notifyFollowers(.loudness(loudness))
            volumes.sendIfNew(loudness.rounded)
            mutings.sendIfNew(loudness.isMuted)
        case .currentItem(let id):
            let item = id.flatMap { items[$0] }
            currentItems.send(item)
            notifyFollowers(.item(item))
            for news in item?.reported ?? [] { notifyFollowers(news) }
        case .buffering(let percent):
            bufferings.send(percent)
            notifyFollowers(.buffering(percent))
        case .didPlayToEnd(let id):
            guard let item = items[id] else { return }
            ends.send(item)
            notifyFollowers(.ended(item))
        case .failed(let id, let failure):
            guard let item = items[id] else { return }
            let failure = ItemFailure(
                item: item, failure: failure, error: PlayerError(failure, address: item.asset.address))
            failures.send(failure)
            notifyFollowers(.failed(failure))
        case .warning(let id, let text):
            guard let item = items[id] else { return }
            let warning = ItemWarning(item: item, text: text)
            warnings.send(warning)
            notifyFollowers(.warning(warning))
        case .opens(let id, let isNextItem):
            if let item = items[id] { notifyFollowers(.opens(item, isNextItem: isNextItem)) }
        case .shows(let id): if let item = items[id] { notifyFollowers(.shows(item)) }
        case .seeking(let isSeeking): notifyFollowers(.seeking(isSeeking))
        case .hasEnded(let hasEnded): notifyFollowers(.hasEnded(hasEnded))
        case .didFinish: notifyFollowers(.finished)
        case .settings: notifyFollowers(.settings)
        case .queue: notifyFollowers(.queue)
        case .screen: notifyFollowers(.screen)
        case .touch(let report): notifyFollowers(.touch(report))
        case .routes(let routes):
            self.routes.sendIfNew(routes)
            notifyFollowers(.routes(routes))
        case .route(let route):
            currentRoutes.sendIfNew(route)
            notifyFollowers(.route(route))
        case .pipelineState(let state):
            pipelineStates.send(state)
            notifyFollowers(.pipelineState(state))
        case .message(let text):
            messages.sendIfNew(text)
            notifyFollowers(.message(text))
        }
    }

    // MARK: End

    /// Answers all waiting callers, ends all sequences, and releases the engine's resources. Done once; later callers
    /// wait for it, too.
    func shutDown() async {
        let ending = state.withLock { state in
            if let ending = state.ending { return ending }
            decide(Change.command(.removeAll), &state)
            let ending = Task { await end() }
            state.ending = ending
            return ending
        }
        await ending.value
    }

    private func end() async {
        await withCheckedContinuation { done in
            outbox.async { [clock] in
                clock.stop()
                done.resume()
            }
        }
        let observers = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers
        }
        for observer in observers.values { observer.finish() }
        await engine.shutDown()
        statuses.finish()
        rates.finish()
        volumes.finish()
        mutings.finish()
        currentItems.finish()
        bufferings.finish()
        ends.finish()
        failures.finish()
        warnings.finish()
        pipelineStates.finish()
        messages.finish()
        routes.finish()
        currentRoutes.finish()
    }
}

extension PlaybackMachine.Output {
    fileprivate var isEnd: Bool { if case .player(.didPlayToEnd) = self { true } else { false } }
}

extension FilmCommand {
    /// The item that the output is about.
    fileprivate var item: ItemID? {
        switch self {
        case .open(_, let id, _): id
        case .setNext(let id): id
        default: nil
        }
    }
}
