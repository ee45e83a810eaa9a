/// How often something is played once more.
public enum Repetition: Hashable, Sendable {
    case none
    case times(Int)
    case forever

    /// Takes one of them; `false` where there is none left.
    public mutating func takeOne() -> Bool {
        switch self {
        case .none: return false
        case .times(let count):
            self = count > 1 ? .times(count - 1) : .none
            return count > 0
        case .forever: return true
        }
    }
}

/// What follows a film of a playlist by itself. A value: asked what will follow, it says so; asked to go on, it takes the
/// repetition that this costs.
public struct Repetitions: Hashable, Sendable {
    /// How often each film is played once more before the next one.
    public var film = Repetition.none
    /// How often the playlist begins again.
    public var playlist = Repetition.none

    public enum Next: Hashable, Sendable {
        /// The same film, which need not be opened anew.
        case again
        /// The playlist's film at this place.
        case film(Int)
        case nothing
    }

    public init() {}

    /// What will follow the film at this place of a playlist of so many.
    public func next(after index: Int, of count: Int) -> Next {
        var copy = self
        return copy.goOn(from: index, of: count)
    }

    /// What follows it now.
    public mutating func goOn(from index: Int, of count: Int) -> Next {
        if film.takeOne() { return .again }
        if index + 1 < count { return .film(index + 1) }
        guard playlist.takeOne() else { return .nothing }
        return count > 1 ? .film(0) : .again
    }

    /// Whether a film of a playlist of so many follows itself for ever.
    public func isLoop(of count: Int) -> Bool { film == .forever || playlist == .forever && count == 1 }
}
