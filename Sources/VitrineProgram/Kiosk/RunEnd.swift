import PlayerCore

/// How a kiosk's run ended.
enum Outcome: Sendable {
    /// `quit` from a client, the end of the playlist, or the service's shutdown.
    case ended(code: Int32)
    /// Nothing could be played: the last film's failure.
    case failed(MediaFailure)
}

/// The end of a run, for which somebody waits.
struct RunEnd: Sendable {
    private(set) var outcome: Outcome?
    private var waiting: CheckedContinuation<Outcome, Never>?

    /// The first one counts.
    mutating func arrive(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        waiting?.resume(returning: outcome)
        waiting = nil
    }

    /// Told at once, where it has come.
    mutating func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { waiting = continuation }
    }
}
