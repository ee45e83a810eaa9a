public import PlayerCore

/// How a player's run ended.
public enum PlayerOutcome: Sendable {
    /// `quit` from a client, the end of the playlist, or the service's shutdown.
    case ended(code: Int32)
    /// Nothing could be played: the last film's failure.
    case failed(MediaFailure)
}
