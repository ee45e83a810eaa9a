import Dispatch
import PlayerCore
import Synchronization

/// What a service tells its manager while something holds its start up that is none of its faults: that it is still at it.
///
/// The manager's own time limit holds until the first of these; from its end on, each has to come within the time that the one
/// before it named.
final class LongStart: Sendable {
    private let period: Duration
    private let queue = DispatchQueue(label: "vitrine.long-start")
    private let notify: @Sendable (Duration) -> Void
    /// How many times are left, and whether one was told.
    private let state: Mutex<(left: Int, isReported: Bool)>

    /// - Parameters:
    ///   - limit: how often it may be told, so that a start that hangs ends.
    ///   - tell: called on a queue of its own, with the time in which the service will be heard of again.
    init(every period: Duration, atMost limit: Int, notify: @escaping @Sendable (Duration) -> Void) {
        self.period = period
        self.notify = notify
        state = Mutex((limit, false))
        wait()
    }

    /// What comes next has `time` to itself, as in a start that nothing held up. Of a short one nothing is told.
    func end(leaving time: Duration) {
        let isReported = state.withLock { state in
            state.left = 0
            return state.isReported
        }
        if isReported { queue.async { [notify] in notify(time) } }
    }

    /// Nothing is told any more: it would hold up an end, too.
    func cancel() { state.withLock { $0 = (0, false) } }

    private func wait() {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(period.inNanoseconds))) {
            let isDue = self.state.withLock { state in
                guard state.left > 0 else { return false }
                state = (state.left - 1, true)
                return true
            }
            guard isDue else { return }
            // A busy machine may be late.
            self.notify(self.period * 3)
            self.wait()
        }
    }
}
