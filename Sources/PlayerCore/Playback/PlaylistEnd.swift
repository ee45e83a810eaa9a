/// What follows a playlist's last film in one word: as `--end`, the setting `at-end` and the property `vitrine/end` have it.
public enum PlaylistEnd: String, Hashable, Sendable, CaseIterable {
    /// It goes back to its start, and stands there.
    case pause
    /// Its last frame stands.
    case stop
    /// The first film follows.
    case loop
    /// The playlist is over, and its player decides what comes next.
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
