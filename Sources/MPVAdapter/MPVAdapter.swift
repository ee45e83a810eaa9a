public import Control
public import Logging
internal import Media
internal import PlayerCore
public import Vitrine

/// Adapts a playlist's player to the clients of mpv's JSON IPC (docs/mpv.md).
///
/// An actor, so that a read followed by a change (`cycle`, `add`, a relative seek) is done for one client after
/// another.
public actor MPVAdapter: MPVPlayer {
    let player: QueuePlayer
    let hasOSD: Bool
    let isFullscreen: Bool
    let log: Logger
    let whenListIsEmpty: (@Sendable () -> Void)?
    let quit: @Sendable (Int32) -> Void

    let eventListeners: Listeners<MPVEvent>
    private let changeListeners: Listeners<Set<String>>
    /// Yields whenever a client starts or stops listening for changes.
    private let listening: AsyncStream<Void>
    private let news: AsyncStream<PlayerNews>

    private var entries = EntryBook()
    /// The entry that clients know to have started, and not yet to have ended.
    var announced: AnnouncedEntry?
    var optionsInForce: OptionsInForce?
    /// Counts seeks: a position that was read before another client's seek is outdated.
    var seekCount = 0
    private var pace: TimePace?
    private var timeTask: Task<Void, Never>?
    /// Whether a client has ended the program: later reports are about the end of everything, not of an entry.
    var isQuitting = false

    /// The interval of time reports to clients. 4 per second are required; the rest compensates for ticks that are lost
    /// while the machine is busy.
    private static let interval = MediaTime.milliseconds(240)

    private enum TimePace: Hashable {
        /// At each multiple of a film time.
        case film(every: MediaTime)
        /// By the clock, while a seek or a finger moves the film: the player reports no times then.
        case clock
    }

    /// Follows the player from now on: create it before `QueuePlayer.start`, so that no event is lost.
    /// - Parameters:
    ///   - player: a player with a playlist.
    ///   - hasOSD: whether texts can be shown on the screen.
    ///   - isFullscreen: whether films go to a display, not into a window.
    ///   - whenListIsEmpty: called when a client loads an empty list, once the playlist is empty; `nil` plays the test
    ///     picture.
    ///   - quit: ends the program with this status.
    public init(
        _ player: QueuePlayer, hasOSD: Bool, isFullscreen: Bool, log: Logger,
        whenListIsEmpty: (@Sendable () -> Void)? = nil, quit: @escaping @Sendable (Int32) -> Void
    ) {
        self.player = player
        self.hasOSD = hasOSD
        self.isFullscreen = isFullscreen
        self.log = log
        self.whenListIsEmpty = whenListIsEmpty
        self.quit = quit
        let (listening, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.listening = listening
        eventListeners = Listeners()
        changeListeners = Listeners { change.yield() }
        news = player.news()
        entries.number(player.items)
    }

    /// Reports the player's events to clients, until the player is closed or the task is cancelled. Clients are not
    /// notified afterwards. Cancel it before the player is closed: then clients are notified that the entry ended
    /// because the program quits.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followListeners() }
            for await one in news where !isQuitting { handle(one) }
            group.cancelAll()
        }
        endEntry(.quit)
        eventListeners.send(.shutdown)
        eventListeners.finish()
        changeListeners.finish()
        followTime()
    }

    // MARK: Listeners

    public nonisolated var propertyNames: [String] {
        MPVProperty.allCases.map(\.rawValue) + MPVProperty.aliases.keys.sorted()
    }

    public nonisolated func changes() -> AsyncStream<Set<String>> { changeListeners.stream() }

    public nonisolated func events() -> AsyncStream<MPVEvent> { eventListeners.stream() }

    nonisolated func changed(_ properties: Set<MPVProperty>) { changeListeners.send(properties) }

    private func followListeners() async {
        for await _ in listening { followTime() }
    }

    /// Updates the interval of time reports. Called after everything that may change it. Without listeners, no time is
    /// read.
    func followTime() {
        let filmInterval = Self.interval.scaled(by: abs(filmRate.factor))
        let pace: TimePace? =
            changeListeners.isEmpty ? nil : player.isSeeking ? .clock : .film(every: filmInterval)
        guard pace != self.pace else { return }
        self.pace = pace
        timeTask?.cancel()
        timeTask = nil
        switch pace {
        case .film(let interval):
            timeTask = Task { [changeListeners, times = player.periodicTimes(every: interval)] in
                for await _ in times { changeListeners.send(MPVProperty.ofPosition) }
            }
        case .clock:
            timeTask = Task { [changeListeners] in
                while (try? await Task.sleep(for: .nanoseconds(Self.interval.nanoseconds))) != nil {
                    changeListeners.send(MPVProperty.ofSeek)
                }
            }
        case nil: break
        }
    }

    // MARK: Entries

    func number(of item: PlayerItem) -> Int { entries.number(of: item, in: player.items) }

    func options(of item: PlayerItem) -> EntryOptions? { entries.options(of: item) }

    /// - Parameter options: apply to the first of these films.
    func makeItems(_ films: [MediaLocation], with options: EntryOptions?) -> [PlayerItem] {
        // Existing items have the lower numbers.
        entries.number(player.items)
        return films.enumerated().map { place, film in
            let options = place == 0 ? options : nil
            let item = PlayerItem(Asset(film), start: options?.start)
            for (kind, choice) in options?.tracks ?? [:] { item.choose(choice, of: kind) }
            entries.add(item, with: options)
            return item
        }
    }
}
