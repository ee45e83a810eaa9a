import Control
import Logging
import MPVAdapter
import Vitrine

/// The clients of mpv's protocol, who control the player, and what they ask of the kiosk.
struct MPVClients: Sendable {
    /// Their requests to end the program, with its exit status.
    let quits: AsyncStream<Int32>
    /// News that a client has emptied the list of films.
    let empties: AsyncStream<Void>
    private let adapter: MPVAdapter
    private let server: IPCServer?
    /// Follows the player for them until it is cancelled.
    private let following: Task<Void, Never>

    /// - Parameter reportsEmptyList: whether there is news in `empties`; otherwise an empty list is the player's own
    ///   affair.
    init(
        of player: QueuePlayer, _ options: PlayerOptions, server: IPCServer?, reportsEmptyList: Bool, log: Logger
    ) {
        let (quits, quit) = AsyncStream.makeStream(of: Int32.self)
        let (empties, empty) = AsyncStream.makeStream(of: Void.self)
        let hasNoFilms: @Sendable () -> Void = { empty.yield() }
        let adapter = MPVAdapter(
            player, hasOSD: options.hasOSD, isFullscreen: options.window == nil, log: log,
            whenListIsEmpty: reportsEmptyList ? hasNoFilms : nil, quit: { quit.yield($0) })
        (self.quits, self.empties, self.adapter, self.server) = (quits, empties, adapter, server)
        following = Task { await adapter.run() }
    }

    /// Whether clients can connect.
    var mayConnect: Bool { server != nil }

    /// Serves the clients that connect, until it is cancelled.
    func serve() async throws(IPCServerError) { try await server?.run(adapter) }

    /// Reports the end to the clients.
    func finish() async {
        following.cancel()
        await following.value
    }
}
