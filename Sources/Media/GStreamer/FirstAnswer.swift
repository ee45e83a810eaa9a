internal import Synchronization

/// Resumes a continuation once, with the first answer.
final class FirstAnswer: Sendable {
    private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) {
        waiting = Mutex(continuation)
    }

    func give(_ answer: Bool) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
