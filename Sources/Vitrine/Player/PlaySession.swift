public import Control
public import KMS
public import Logging
internal import Media
internal import PlayerCore
public import ServiceLifecycle

/// Waits for a display, plays on it, serves clients, and gives the console back, whatever ends it.
public actor PlaySession: Service {
    public private(set) var outcome: PlayerOutcome?

    private let request: DisplayRequest
    private let options: PlayerOptions
    private let server: IPCServer?
    private let log: Logger

    public init(request: DisplayRequest, options: PlayerOptions, server: IPCServer?, log: Logger) {
        self.request = request
        self.options = options
        self.server = server
        self.log = log
    }

    public func run() async throws {
        log.trace("begin")
        // GStreamer's registry and the display's mode take their time beside each other.
        let first = options.playlist.first
        async let started: Void = offLoop { () throws(MediaFailure) in try FilmPipeline.prepare(for: first) }
        guard let choice = try await waitForDisplay() else { return }
        log.trace("display chosen")
        let display = try await offLoop { () throws(KMSError) in try Display.open(choice) }
        log.trace("display open")
        try await started
        log.trace("GStreamer started")
        let player = VitrinePlayer(options: options, display: display, log: log)
        let result = await serve(player)
        outcome = try result.get()
        await offLoop {
            do { try display.restore() } catch { self.log.error("the console is not back: \(error)") }
        }
    }

    private func serve(_ player: VitrinePlayer) async -> Result<PlayerOutcome, IPCServerError> {
        guard let server else { return .success(await player.play()) }
        return await withTaskGroup(of: Result<PlayerOutcome, IPCServerError>?.self) { group in
            group.addTask { .success(await player.play()) }
            group.addTask {
                do throws(IPCServerError) {
                    try await server.run(RemotePlayer(player))
                    return nil
                } catch {
                    await player.end(.ended(code: 1))
                    return .failure(error)
                }
            }
            var result: Result<PlayerOutcome, IPCServerError> = .success(.ended(code: 0))
            for await ended in group {
                guard let ended else { continue }
                result = ended
                group.cancelAll()
            }
            return result
        }
    }

    /// `nil` when the shutdown came first.
    private func waitForDisplay() async throws -> DisplayChoice? {
        var isTold = false
        while !Task.isShuttingDownGracefully {
            let request = request
            if let choice = try await offLoop({ () throws(KMSError) in try Display.pollConnected(request) }) {
                return choice
            }
            if !isTold { log.notice("no display is connected: waiting for one") }
            isTold = true
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
        return nil
    }
}
