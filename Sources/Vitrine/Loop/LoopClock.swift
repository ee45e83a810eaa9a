internal import Dispatch
internal import PlayerCore

/// The clock of a loop, and its one timer. A test sets its own.
protocol LoopClock: AnyObject, Sendable {
    var now: MonotonicTime { get }
    /// Calls `wake` on the queue whenever the scheduled time has passed, until `stop`.
    func start(on queue: DispatchQueue, wake: @escaping @Sendable () -> Void)
    /// Replaces the scheduled time; `nil` for none.
    func schedule(_ deadline: MonotonicTime?)
    func stop()
}

/// The clock that libinput and the video sink use.
///
/// `@unchecked Sendable` because it is used on one loop's queue only, except for `now`, which has no state.
final class SystemClock: LoopClock, @unchecked Sendable {
    private var timer: (any DispatchSourceTimer)?

    var now: MonotonicTime { .now }

    func start(on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: wake)
        timer.activate()
        self.timer = timer
    }

    func schedule(_ deadline: MonotonicTime?) {
        guard let timer else { return }
        guard let deadline else { return timer.schedule(deadline: .distantFuture) }
        let wait = max(deadline.nanoseconds - now.nanoseconds, 0)
        timer.schedule(deadline: .now() + .nanoseconds(Int(wait)), leeway: .milliseconds(2))
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }
}
