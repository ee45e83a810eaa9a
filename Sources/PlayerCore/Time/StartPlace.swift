/// The place where a film starts: a time, or one that depends on the film's duration.
public enum StartPlace: Hashable, Sendable {
    /// This long after the start.
    case time(MediaTime)
    /// This long before the end.
    case beforeEnd(MediaTime)
    /// This fraction of the film's duration, 0...1.
    case part(Double)

    /// The time in a film of this duration; `nil` if the duration is needed and unknown.
    public func time(in duration: MediaTime?) -> MediaTime? {
        switch self {
        case .time(let time): time
        case .beforeEnd(let rest): duration.map { max($0 - rest, .zero) }
        case .part(let part): duration.map { $0.scaled(by: part) }
        }
    }
}
