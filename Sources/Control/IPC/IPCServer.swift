import Dispatch
import Glibc
import NIOCore
import NIOExtras
import NIOPosix

/// mpv's JSON IPC on a Unix socket: clients written for mpv control the player behind ``MPVPlayer``.
///
/// The socket has mode 0600 from the first moment. One thread, an event loop, does all the work. A client that does not
/// read, or never leaves, costs bounded memory and delays nobody: see ``outputBound``, ``lineBound`` and
/// ``clientBound``.
public final class IPCServer: Sendable {
    /// The most bytes that may wait for a client to read them, beyond the kernel's own buffer and the largest message
    /// among them, before the client is disconnected: 1 MiB, some ten thousand events.
    public static let outputBound = 1 << 20
    /// The longest line from a client, in bytes. A longer one is answered with an error and ends the connection.
    public static let lineBound = 1 << 20
    /// The most clients that may be connected at once, so that they cannot use up the player's file descriptors.
    /// Further ones are disconnected.
    public static let clientBound = 32

    private let socket: ControlSocket

    /// The socket's path, as given.
    public var path: String { socket.path }

    /// Binds the socket at `path` and listens: clients can connect from now on, and are answered once ``run(_:)`` runs.
    ///
    /// A socket at `path` without a listener is replaced; the name is removed again when ``run(_:)`` ends or the server
    /// is released. Until then, a lock file beside it, `path` with `.lock` appended, keeps every other server away.
    /// Blocks only for system calls on the file system.
    public init(path: String) throws(IPCServerError) {
        socket = try ControlSocket(path: path)
    }

    /// Serves clients until the task is cancelled, then answers running requests, closes all connections and removes
    /// the socket. Can be called once.
    ///
    /// - Throws: ``IPCServerError/notListening(path:)`` the second time,
    ///   ``IPCServerError/listenerFailed(path:reason:)``.
    public func run(_ player: any MPVPlayer) async throws(IPCServerError) {
        guard let descriptor = socket.takeDescriptor() else { throw .notListening(path: path) }
        await Self.waitForClient(on: descriptor)
        guard !Task.isCancelled else {
            socket.removeName()
            close(descriptor)
            return
        }
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let failure: IPCServerError?
        do {
            let (clients, joined) = AsyncStream.makeStream(of: Client.self)
            let listener = try await Self.listen(on: descriptor, loops, joined)
            listener.closeFuture.whenComplete { _ in joined.finish() }
            await withTaskCancellationHandler {
                await Self.serve(clients, player)
            } onCancel: {
                listener.close(promise: nil)
            }
            failure = Task.isCancelled ? nil : .listenerFailed(path: path, reason: "it was closed")
        } catch {
            failure = .listenerFailed(path: path, reason: "\(error)")
        }
        socket.removeName()
        // Fails only if it was shut down before.
        try? await loops.shutdownGracefully()
        if let failure { throw failure }
    }

    /// Waits until a client connects, or the task is cancelled. The event loop is created for the first client, not at
    /// the player's start, when a small board's processor has more urgent work.
    private static func waitForClient(on descriptor: CInt) async {
        // Sources may be cancelled from any thread; Dispatch does not say so in Swift's terms.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                source.setEventHandler { source.cancel() }
                source.setCancelHandler { continuation.resume() }
                source.activate()
            }
        } onCancel: {
            source.cancel()
        }
    }

    private typealias Client = NIOAsyncChannel<ByteBuffer, Never>

    private static func listen(
        on descriptor: CInt, _ loops: MultiThreadedEventLoopGroup, _ joined: AsyncStream<Client>.Continuation
    ) async throws -> any Channel {
        let count = NIOLoopBoundBox.makeBoxSendingValue(0, as: Int.self, eventLoop: loops.next())
        return try await ServerBootstrap(group: loops)
            // Data that a client sends before it half-closes is still answered: `echo ... | socat - SOCKET`.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard count.value < clientBound else { throw TooManyClients() }
                    count.value += 1
                    channel.closeFuture.whenComplete { _ in count.value -= 1 }
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(LineBasedFrameDecoder(), maximumBufferSize: lineBound),
                        ConnectionBounds())
                    let client = try Client(wrappingChannelSynchronously: channel)
                    if case .terminated = joined.yield(client) { channel.close(promise: nil) }
                }
            }
            .withBoundSocket(descriptor)
            .get()
    }

    /// Ends when no more clients can connect and the last one has left.
    private static func serve(_ clients: AsyncStream<Client>, _ player: any MPVPlayer) async {
        await withDiscardingTaskGroup { sessions in
            var number = 0
            let messages = ClientMessages()
            for await client in clients {
                let session = IPCSession(
                    name: "ipc_\(number)", channel: client.channel, player: player, messages: messages)
                number += 1
                sessions.addTask {
                    // An error that ends a connection early ends only its session.
                    try? await client.executeThenClose { await session.serve($0) }
                }
            }
            sessions.cancelAll()
        }
    }
}

private struct TooManyClients: Error {}
