public import PlayerCore

/// What a `TouchReader` tells.
public enum TouchNews: Hashable, Sendable {
    case event(TouchEvent)
    /// A panel that cannot be opened, or (`TouchError.dispatch`) the end of all reading. Other panels go on.
    case failure(TouchError)
}
