/// The action after a playlist's last film, for `--end`, the setting `at-end` and the property `vitrine/end`.
public enum PlaylistEnd: String, Hashable, Sendable, CaseIterable {
    /// The film is sought to its start, and paused.
    case pause
    /// The last frame stays.
    case stop
    /// The first film follows.
    case loop
    /// The playlist is over, and its player decides how to go on.
    case next

    public init(_ action: ActionAtQueueEnd, _ repetition: Repetition) {
        self =
            switch action {
            case _ where repetition == .forever: .loop
            case .rewind: .pause
            case .pause: .stop
            case .finish: .next
            }
    }

    public var action: ActionAtQueueEnd {
        switch self {
        case .pause, .loop: .rewind
        case .stop: .pause
        case .next: .finish
        }
    }

    public var repetition: Repetition { self == .loop ? .forever : .none }
}
