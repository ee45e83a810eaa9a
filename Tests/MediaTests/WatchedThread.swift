import Foundation
import Synchronization

/// A thread that a test makes wait, and whose waiting the test can observe without letting time pass.
final class WatchedThread: Sendable {
    private let state = State()

    private final class State: Sendable {
        /// Its folder in /proc, set when the thread is about to work.
        let folder = Mutex<String?>(nil)
        let hasBegun = DispatchSemaphore(value: 0)
        let hasEnded = Atomic(false)
        let end = DispatchSemaphore(value: 0)
    }

    init(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [state] in
            // "1234/task/1240"
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            state.folder.withLock { $0 = own }
            state.hasBegun.signal()
            work()
            state.hasEnded.store(true, ordering: .releasing)
            state.end.signal()
        }
        state.hasBegun.wait()
    }

    /// Returns when the thread waits for another one, or has ended.
    func waitUntilItWaits() {
        while !hasEnded, !isWaiting { sched_yield() }
    }

    var hasEnded: Bool { state.hasEnded.load(ordering: .acquiring) }

    /// Once: returns when the thread has ended.
    func join() { state.end.wait() }

    /// Whether the thread sleeps in the kernel.
    private var isWaiting: Bool {
        let folder = state.folder.withLock { $0 } ?? ""
        // "1240 (vitrine tests) S 1 ..."
        guard let words = try? String(contentsOfFile: "/proc/\(folder)/stat", encoding: .utf8) else { return false }
        return words.split(separator: ")").last?.hasPrefix(" S") == true
    }
}
