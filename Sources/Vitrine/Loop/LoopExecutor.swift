internal import Dispatch
internal import Glibc
public import PlayerCore

/// The one serial queue that owns the player's, the panel's and the display's state, as a Swift executor.
///
/// Dispatch sources fire on `queue`; their handlers have the actor's own isolation. Nothing that may block runs on it:
/// `runBlocking` is for that.
final class LoopExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "vitrine.loop", qos: .userInteractive)

    init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// Runs a blocking call (opening a display, loading plugins, disk) on a thread that may block, and waits without
/// occupying a thread of the cooperative pool. A queue of its own always gets a thread, while Dispatch's global queues,
/// where tasks run, have as many as there are processors.
public func runBlocking<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "vitrine.blocking", qos: .userInitiated).async {
            do throws(Failure) {
                continuation.resume(returning: .success(try body()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}

extension MonotonicTime {
    /// The clock that libinput and the video sink use.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
