import Dispatch
import PlayerCore
import Synchronization

/// Asks the service manager for more time while something outside the service delays its start.
///
/// The manager's own time limit applies until the first request; after that, each request must arrive within the time
/// that the previous one named.
final class LongStart: Sendable {
    private let period: Duration
    private let queue = DispatchQueue(label: "vitrine.long-start")
    private let notify: @Sendable (Duration) -> Void
    /// The number of requests left, and whether one was sent.
    private let state: Mutex<(left: Int, isReported: Bool)>

    /// - Parameters:
    ///   - limit: the most requests, so that a start that hangs ends.
    ///   - notify: called on a queue of its own, with the time until the next report.
    init(every period: Duration, atMost limit: Int, notify: @escaping @Sendable (Duration) -> Void) {
        self.period = period
        self.notify = notify
        state = Mutex((limit, false))
        wait()
    }

    /// Leaves `time` for the rest of the start, as without a delay. Sends nothing if no request was sent.
    func end(leaving time: Duration) {
        let isReported = state.withLock { state in
            state.left = 0
            return state.isReported
        }
        if isReported { queue.async { [notify] in notify(time) } }
    }

    /// Stops the requests, which would also delay the end.
    func cancel() { state.withLock { $0 = (0, false) } }

    private func wait() {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(period.inNanoseconds))) {
            let isDue = self.state.withLock { state in
                guard state.left > 0 else { return false }
                state = (state.left - 1, true)
                return true
            }
            guard isDue else { return }
            // Longer than the period, because a busy machine may be late.
            self.notify(self.period * 3)
            self.wait()
        }
    }
}
