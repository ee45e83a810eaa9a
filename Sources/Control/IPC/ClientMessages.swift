import Synchronization

/// The messages between clients by `script-message`.
final class ClientMessages: Sendable {
    private let listeners = Mutex<[String: AsyncStream<MPVEvent>.Continuation]>([:])

    /// The messages to the client of this name, from now on; at most a thousand unread ones are kept.
    func stream(to name: String) -> AsyncStream<MPVEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MPVEvent.self, bufferingPolicy: .bufferingNewest(1000))
        listeners.withLock { $0[name] = continuation }
        return stream
    }

    /// Removes a client that has left.
    func remove(_ name: String) {
        let continuation = listeners.withLock { $0.removeValue(forKey: name) }
        continuation?.finish()
    }

    /// Sends to all clients, including the sender.
    func send(_ words: [String]) {
        for listener in listeners.withLock(\.values) { listener.yield(.clientMessage(words)) }
    }

    /// - Returns: `false` if there is no such client.
    func send(_ words: [String], to name: String) -> Bool {
        guard let listener = listeners.withLock({ $0[name] }) else { return false }
        listener.yield(.clientMessage(words))
        return true
    }
}
