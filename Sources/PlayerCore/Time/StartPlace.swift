/// Where a film is to start: a time, or a place that depends on how long the film is.
public enum StartPlace: Hashable, Sendable {
    /// So long after the start.
    case time(MediaTime)
    /// So long before the end.
    case beforeEnd(MediaTime)
    /// This part of the film's length, 0...1.
    case part(Double)

    /// The time in a film of this length; `nil` where the length matters and is not known.
    public func time(in duration: MediaTime?) -> MediaTime? {
        switch self {
        case .time(let time): time
        case .beforeEnd(let rest): duration.map { max($0 - rest, .zero) }
        case .part(let part): duration.map { $0.scaled(by: part) }
        }
    }
}
