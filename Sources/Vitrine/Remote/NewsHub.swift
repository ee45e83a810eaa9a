internal import Control
internal import Synchronization

/// Hands the player's news to every client of the control socket.
///
/// The player calls `send` and `changed` on its loop; they never block: a client that does not read loses its connection,
/// not the player its time (`IPCServer` bounds what waits).
final class NewsHub: Sendable {
    private struct Listeners {
        var next = 0
        var events: [Int: AsyncStream<MPVEvent>.Continuation] = [:]
        var changes: [Int: AsyncStream<Set<String>>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    var hasListeners: Bool { listeners.withLock { !$0.changes.isEmpty } }

    // Streams are yielded to and finished outside the lock: `yield` takes a lock of the listening task, under which a
    // cancelled one calls `drop`.

    func send(_ event: MPVEvent) {
        let events = listeners.withLock { $0.events }
        for listener in events.values { listener.yield(event) }
    }

    func changed(_ properties: Set<RemoteProperty>) {
        let changes = listeners.withLock { $0.changes }
        guard !changes.isEmpty else { return }
        var names = Set(properties.map(\.rawValue))
        for (alias, property) in RemoteProperty.aliases where properties.contains(property) { names.insert(alias) }
        for listener in changes.values { listener.yield(names) }
    }

    func finish() {
        let (events, changes) = listeners.withLock { ($0.events, $0.changes) }
        for listener in events.values { listener.finish() }
        for listener in changes.values { listener.finish() }
    }

    func events() -> AsyncStream<MPVEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MPVEvent.self)
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.events[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.drop(number)
        }
        return stream
    }

    func changes() -> AsyncStream<Set<String>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self)
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.changes[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.drop(number)
        }
        return stream
    }

    private func drop(_ number: Int) {
        listeners.withLock { listeners in
            listeners.events[number] = nil
            listeners.changes[number] = nil
        }
    }
}
