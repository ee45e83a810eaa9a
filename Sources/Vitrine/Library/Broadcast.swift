internal import Synchronization

/// One value that others follow, or one kind of event.
///
/// Each follower gets each change once and in order, from the value of now on. A slow one never blocks the player: 1,024
/// changes wait for it, and then the oldest are lost.
final class Broadcast<Value: Sendable>: Sendable {
    /// The most that wait for one follower.
    static var depth: Int { 1024 }

    fileprivate struct State {
        /// `nil` for events, which are over when they have been told.
        var value: Value?
        var next = 0
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
        var isFinished = false
    }

    fileprivate let state: Mutex<State>
    private let isState: Bool

    /// A value.
    init(_ value: Value) {
        state = Mutex(State(value: value))
        isState = true
    }

    /// Events.
    init() {
        state = Mutex(State())
        isState = false
    }

    /// What was told last.
    var now: Value? { state.withLock { $0.value } }

    /// To be called by one thread at a time, which is what keeps the order.
    func send(_ value: Value) {
        let followers = state.withLock { state in
            if isState { state.value = value }
            return state.followers
        }
        // Outside the lock: `yield` takes a lock of the listening task, under which a cancelled one leaves.
        for follower in followers.values { follower.yield(value) }
    }

    func stream(depth: Int = Broadcast.depth) -> AsyncStream<Value> {
        let (stream, follower) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(depth))
        let number: Int? = state.withLock { state in
            // Nobody listens to it yet.
            if let value = state.value { follower.yield(value) }
            guard !state.isFinished else { return nil }
            state.next += 1
            state.followers[state.next] = follower
            return state.next
        }
        guard let number else {
            follower.finish()
            return stream
        }
        follower.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.followers.removeValue(forKey: number) }
        }
        return stream
    }

    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            defer { state.followers = [:] }
            return state.followers
        }
        for follower in followers.values { follower.finish() }
    }
}

extension Broadcast where Value: Equatable {
    func sendIfNew(_ value: Value) {
        if now != value { send(value) }
    }
}
