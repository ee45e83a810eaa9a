public import PlayerCore

/// A report of a `TouchReader`.
public enum TouchNews: Hashable, Sendable {
    case event(TouchEvent)
    /// A panel cannot be opened, or (`TouchError.dispatch`) reading has ended. Other panels continue.
    case failure(TouchError)
}
