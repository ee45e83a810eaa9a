internal import Synchronization

/// Resumes a continuation once, with the first answer.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Answer, Never>?>

    init(_ continuation: CheckedContinuation<Answer, Never>) {
        waiting = Mutex(continuation)
    }

    func give(_ answer: Answer) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
