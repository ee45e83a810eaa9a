/// Deadlines by what is to be done at them. Each owner of deadlines says its own, and one clock waits for the next of all.
public struct Timers<Timer: Hashable & Sendable>: Sendable {
    private let deadlines: [(timer: Timer, time: MonotonicTime)]

    /// - Parameter deadlines: in the order in which those that are due together are handled; `nil` for one that is not set.
    public init(_ deadlines: KeyValuePairs<Timer, MonotonicTime?>) {
        self.deadlines = deadlines.compactMap { timer, time in time.map { (timer, $0) } }
    }

    private init(_ deadlines: [(timer: Timer, time: MonotonicTime)]) { self.deadlines = deadlines }

    /// The earliest deadline; `nil` if none is set.
    public var next: MonotonicTime? { deadlines.lazy.map(\.time).min() }

    /// The first timer that is due.
    /// - Parameters:
    ///   - now: the current time.
    ///   - handled: those that were handled at this time already.
    public func due(at now: MonotonicTime, except handled: Set<Timer>) -> Timer? {
        deadlines.first { $0.time <= now && !handled.contains($0.timer) }?.timer
    }

    /// The same deadlines under the names that an owner of several owners gives them.
    public func named<Other>(_ name: (Timer) -> Other) -> Timers<Other> {
        Timers<Other>(deadlines.map { (name($0.timer), $0.time) })
    }

    /// The deadlines of both, the first ones first.
    public static func + (first: Timers, second: Timers) -> Timers { Timers(first.deadlines + second.deadlines) }
}
