internal import Synchronization

/// Sends each element to all listeners: an unbounded stream for each of them, as `MPVPlayer` requires.
///
/// The sender never waits. The server closes the connection of a client that does not read.
final class Listeners<Element: Sendable>: Sendable {
    private struct State {
        var lastNumber = 0
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called whenever a listener is added or removed.
    init(onChange: @escaping @Sendable () -> Void = {}) {
        self.onChange = onChange
    }

    var isEmpty: Bool { state.withLock { $0.streams.isEmpty } }

    // Streams are yielded to and finished outside the lock: `yield` takes a lock of the listening task, under which a
    // cancelled one calls `remove`.

    func send(_ element: Element) {
        let streams = state.withLock { $0.streams }
        for stream in streams.values { stream.yield(element) }
    }

    func finish() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            state.isFinished = true
            return state.streams
        }
        for stream in streams.values { stream.finish() }
    }

    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.lastNumber += 1
            state.streams[state.lastNumber] = continuation
            return state.lastNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        onChange()
        return stream
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.streams.removeValue(forKey: number) }
        onChange()
    }
}

extension Listeners<Set<String>> {
    /// Sends all names of the properties.
    func send(_ properties: Set<MPVProperty>) {
        guard !isEmpty else { return }
        var names = Set(properties.map(\.rawValue))
        for (alias, property) in MPVProperty.aliases where properties.contains(property) { names.insert(alias) }
        send(names)
    }
}
