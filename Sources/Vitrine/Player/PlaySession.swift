public import Control
public import KMS
public import Logging
internal import Media
internal import PlayerCore
public import ServiceLifecycle

/// Waits for a display, plays on it, serves clients, and gives the console back, whatever ends it. With a window in the
/// options it plays in that, and looks for no display.
public actor PlaySession: Service {
    /// How it ended; `nil` while it goes on, and where an error of the display ended it.
    public private(set) var outcome: PlayerOutcome?

    private var request: DisplayRequest
    private let options: PlayerOptions
    private let server: IPCServer?
    private let log: Logger

    /// Opens nothing yet: `run` does.
    public init(request: DisplayRequest, options: PlayerOptions, server: IPCServer?, log: Logger) {
        self.request = request
        self.options = options
        self.server = server
        self.log = log
    }

    /// Returns once it has ended, with `outcome` set.
    /// - Throws: what ended it: an error of the display, of GStreamer or of the server, with which `outcome` is set, too.
    public func run() async throws {
        log.trace("begin")
        let player = VitrinePlayer(options: options, display: nil, log: log)
        // Clients are served from the start, also while there is no display.
        try await withThrowingTaskGroup(of: PlayerOutcome?.self) { group in
            group.addTask { try await self.play(player) }
            if let server {
                group.addTask {
                    do throws(IPCServerError) {
                        try await server.run(RemotePlayer(player))
                    } catch {
                        await player.end(.ended(code: 1))
                        throw error
                    }
                    return nil
                }
            }
            var failure: (any Error)?
            while let ended = await group.nextResult() {
                switch ended {
                case .success(nil): break
                case .success(let ended?):
                    outcome = ended
                    group.cancelAll()
                case .failure(let error):
                    // The player's end, which the server's failure brings about, comes after it.
                    failure = failure ?? error
                    if !(error is IPCServerError) { group.cancelAll() }
                }
            }
            if let failure { throw failure }
        }
    }

    private func play(_ player: VitrinePlayer) async throws -> PlayerOutcome {
        // Beside the opening of the display, which waits for flips.
        async let started: Void = offLoop { () throws(MediaFailure) in try GStreamer.start() }
        if options.window != nil {
            try await started
            return await player.play()
        }
        guard let display = try await openDisplay(for: player) else {
            return await player.outcome ?? .ended(code: 0)
        }
        log.trace("display open")
        try await started
        log.trace("GStreamer started")
        for refusal in display.choice.refusals { log.warning("\(refusal)") }
        await player.use(display)
        let watch = Task { await follow(player) }
        let outcome = await player.play()
        watch.cancel()
        await watch.value
        let last = await player.display
        await offLoop {
            do { try last?.restore() } catch { self.log.error("the console is not back: \(error)") }
        }
        return outcome
    }

    /// `nil` when the shutdown, or a client's `quit`, came first.
    private func openDisplay(for player: VitrinePlayer) async throws -> Display? {
        // Televisions come and go a few times while they start: what was chosen may be gone when it is opened.
        for attempt in 1... {
            guard let choice = try await waitForDisplay(for: player) else { return nil }
            log.trace("display chosen")
            do throws(KMSError) {
                return try await offLoop { () throws(KMSError) in try Display.open(choice) }
            } catch {
                guard attempt < 5, case .systemCall = error else { throw error }
                log.warning("\(error): the displays are looked at again")
            }
        }
        return nil
    }

    /// Cable out and in, another display, a television switched off and on (N7).
    private func follow(_ player: VitrinePlayer) async {
        let monitor: HotplugMonitor
        do throws(KMSError) {
            monitor = try HotplugMonitor()
        } catch {
            log.warning("a display that is plugged in again will not be found: \(error)")
            return
        }
        var watch = ConnectorWatch(await state(of: player))
        for await _ in monitor.events {
            // Again until what was chosen is what is there: a display may change while it is opened, which takes some
            // 300 ms.
            for attempt in 1...5 {
                guard !Task.isCancelled, let display = await player.display else { return }
                let now = await state(of: player)
                guard watch.isNews(now) else { break }
                if attempt > 1, watch.hasFailed || now?.isLinkBad == true {
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                }
                let isDone = await follow(player, from: display)
                let isSame = await player.display?.connectorID == display.connectorID
                let seen = isDone ? (isSame ? now : await state(of: player)) : nil
                if watch.looked(seen, isGone: isDone ? await player.isDisplayGone : false) { break }
            }
        }
    }

    /// One step: to the display that there is now, or to none. `false` if that failed.
    private func follow(_ player: VitrinePlayer, from display: Display) async -> Bool {
        let request = request
        do throws(KMSError) {
            guard let choice = try await offLoop({ () throws(KMSError) in try display.pollConnected(request) }) else {
                await player.displayLeft()
                return true
            }
            return await player.move { () throws(KMSError) in try display.reopened(choice) }
        } catch {
            log.warning("the displays cannot be read: \(error)")
            return false
        }
    }

    private func state(of player: VitrinePlayer) async -> ConnectorState? {
        let display = await player.display
        return await offLoop { try? display?.currentState() }
    }

    /// From one look for a display to the next: a film is to be there within 1 s of the display, and takes up to half of that
    /// itself.
    private static let patience = Duration.milliseconds(500)

    /// A card's driver may come after another's.
    private static let driversPatience = Duration.seconds(5)

    /// Whoever is not in the card's group is not let in later either; until the node has the mode of its group takes a moment.
    private static let udevsPatience = Duration.seconds(60)

    /// `nil` when the shutdown, or a client's `quit`, came first.
    private func waitForDisplay(for player: VitrinePlayer) async throws -> DisplayChoice? {
        var told = ""
        let began = MonotonicTime.now
        while !Task.isShuttingDownGracefully, !Task.isCancelled, await player.outcome == nil {
            let request = request
            var (reason, pause) = ("no display is connected", Self.patience)
            do throws(KMSError) {
                if let choice = try await offLoop({ () throws(KMSError) in try Display.pollConnected(request) }) {
                    return choice
                }
            } catch {
                // What its holder keeps from being known, too: nothing to be told yet.
                if case .displayHeld = error, .now - began < Display.holdersPatience {
                    try? await Task.sleep(for: .milliseconds(50))
                    continue
                }
                if let easier = easier(request, after: error, waited: .now - began) {
                    log.error("\(error): the display is chosen without that wish. \(error.remedy)")
                    self.request = easier
                    continue
                }
                guard options.supply != nil, Self.isPassing(error, after: .now - began) else { throw error }
                (reason, pause) = ("\(error)", .now - began < .seconds(30) ? .milliseconds(50) : Self.patience)
            }
            if reason != told { log.notice("\(reason): waiting for one") }
            told = reason
            // Without a display, waiting is all that there is to do.
            if pause >= Self.patience {
                options.service?.ready()
                options.service?.status("\(reason): waiting for one")
                options.whenSettled?()
            }
            options.service?.keepWatchdogQuiet()
            let watchdog = options.service?.watchdog ?? .seconds(2)
            try? await cancelWhenGracefulShutdown { [pause] in try await Task.sleep(for: min(pause, watchdog / 2)) }
        }
        return nil
    }

    /// A player that is to stay shows its film, be it not as was wished.
    private func easier(_ request: DisplayRequest, after error: KMSError, waited time: Duration) -> DisplayRequest? {
        guard options.supply != nil else { return nil }
        if case .noSuchConnector = error, time < Self.driversPatience { return nil }
        return request.easier(after: error)
    }

    /// Early in a board's start the display's driver is still being loaded, and udev has not given its node to a group yet.
    static func isPassing(_ error: KMSError, after time: Duration) -> Bool {
        switch error {
        case .noCard: true
        // The kernel's own owner: udev's rules come, on a slow machine after more than a minute.
        case .noPermission(_, group: "root"): true
        case .noPermission: time < udevsPatience
        case .noSuchConnector: time < driversPatience
        default: false
        }
    }
}
