import Synchronization

/// What clients send to one another by `script-message`.
final class ClientMessages: Sendable {
    private let listeners = Mutex<[String: AsyncStream<MPVEvent>.Continuation]>([:])

    /// The messages to the client of this name, from now on; of those that it does not read, the last thousand.
    func stream(to name: String) -> AsyncStream<MPVEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MPVEvent.self, bufferingPolicy: .bufferingNewest(1000))
        listeners.withLock { $0[name] = continuation }
        return stream
    }

    /// The client has left.
    func remove(_ name: String) {
        let continuation = listeners.withLock { $0.removeValue(forKey: name) }
        continuation?.finish()
    }

    /// To all, the sender too.
    func send(_ words: [String]) {
        for listener in listeners.withLock(\.values) { listener.yield(.clientMessage(words)) }
    }

    /// - Returns: `false` where there is no such client.
    func send(_ words: [String], to name: String) -> Bool {
        guard let listener = listeners.withLock({ $0[name] }) else { return false }
        listener.yield(.clientMessage(words))
        return true
    }
}
