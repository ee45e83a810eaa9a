internal import Synchronization

/// A value that others observe, or one kind of event.
///
/// Each follower gets each change once and in order, starting with the current value. A slow one never blocks the
/// player: 1,024 changes wait for it, and then the oldest are lost.
final class Broadcast<Value: Sendable>: Sendable {
    /// The most changes that wait for one follower.
    static var depth: Int { 1024 }

    fileprivate struct State {
        /// `nil` for events, which are not kept after delivery.
        var value: Value?
        var next = 0
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
        var isFinished = false
        /// The changes that the current followers have not got yet, in order.
        var posted: [Posted] = []
        var isDelivering = false
    }

    fileprivate struct Posted {
        /// `nil` ends their sequences.
        var value: Value?
        var followers: [Int: AsyncStream<Value>.Continuation]
    }

    fileprivate let state: Mutex<State>
    fileprivate let isState: Bool

    /// A broadcast of a value.
    init(_ value: Value) {
        state = Mutex(State(value: value))
        isState = true
    }

    /// A broadcast of events.
    init() {
        state = Mutex(State())
        isState = false
    }

    /// The last posted value.
    var now: Value? { state.withLock { $0.value } }

    func send(_ value: Value) {
        post(value)
        deliver()
    }

    /// Posts a value. May be called under a lock of the caller's, whose order it keeps. The caller calls `deliver`
    /// afterwards without the lock.
    func post(_ value: Value) {
        state.withLock { post(value, &$0) }
    }

    fileprivate func post(_ value: Value, _ state: inout State) {
        if isState { state.value = value }
        if !state.followers.isEmpty { state.posted.append(Posted(value: value, followers: state.followers)) }
    }

    /// Delivers posted values to the followers. If another thread is delivering, that thread continues with them.
    ///
    /// Must not be called under a lock: `yield` takes one of the listening task, under which Swift calls the
    /// cancellation handlers of that task. Those may call the player and take the caller's lock.
    func deliver() {
        guard claimDelivery() else { return }
        while let posted = nextPosted() {
            for follower in posted.followers.values {
                if let value = posted.value { follower.yield(value) } else { follower.finish() }
            }
        }
    }

    private func claimDelivery() -> Bool {
        state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
    }

    private func nextPosted() -> Posted? {
        state.withLock { state in
            guard state.posted.isEmpty else { return state.posted.removeFirst() }
            state.isDelivering = false
            return nil
        }
    }

    func stream(depth: Int = Broadcast.depth) -> AsyncStream<Value> {
        let (stream, follower) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(depth))
        let number: Int? = state.withLock { state in
            // Nobody reads the sequence yet.
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
        state.withLock { state in
            state.isFinished = true
            state.posted.append(Posted(value: nil, followers: state.followers))
            state.followers = [:]
        }
        deliver()
    }
}

extension Broadcast where Value: Equatable {
    func sendIfNew(_ value: Value) {
        postIfNew(value)
        deliver()
    }

    func postIfNew(_ value: Value) {
        state.withLock { state in
            if state.value != value { post(value, &state) }
        }
    }
}
