import PlayerCore

/// The outcome of a kiosk's run.
enum Outcome: Sendable {
    /// `quit` from a client, the end of the playlist, or the service's shutdown.
    case ended(code: Int32)
    /// Nothing could be played: the last film's failure.
    case failed(MediaFailure)
}

/// The end of a run, and its waiter.
struct RunEnd: Sendable {
    private(set) var outcome: Outcome?
    private var waiting: CheckedContinuation<Outcome, Never>?

    /// Sets the outcome; the first one counts.
    mutating func arrive(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        waiting?.resume(returning: outcome)
        waiting = nil
    }

    /// Waits for the outcome; resumed at once if there is one.
    mutating func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { waiting = continuation }
    }
}
