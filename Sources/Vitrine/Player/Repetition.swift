/// How often something is played once more.
public enum Repetition: Hashable, Sendable {
    case none
    case times(Int)
    case forever

    /// Takes one of them; `false` where there is none left.
    mutating func takeOne() -> Bool {
        switch self {
        case .none: return false
        case .times(let count):
            self = count > 1 ? .times(count - 1) : .none
            return count > 0
        case .forever: return true
        }
    }
}
