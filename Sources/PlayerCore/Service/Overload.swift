/// A decoder that stays behind.
///
/// A value without a clock.
public struct Overload: Hashable, Sendable {
    /// While the decoder still catches up now and then, its film keeps its pace; half of what `Liveness` waits for.
    private static let patience = Duration.seconds(4)

    /// Once it is `true` it stays so; `startAnew` does not end it.
    public private(set) var isLasting = false
    /// The first frame left out since the last one that was shown, and how many were shown by then.
    private var begun: Begin?

    private struct Begin: Hashable {
        var time: MonotonicTime
        var shown: UInt64
    }

    public init() {}

    /// The film plays on from a pause, or from elsewhere.
    public mutating func startAnew() {
        begun = nil
    }

    /// The decoder left a frame out; `shown` were shown so far.
    /// - Returns: whether that lasts, once.
    public mutating func observe(shown: UInt64, at now: MonotonicTime) -> Bool {
        guard !isLasting else { return false }
        guard let begun, begun.shown == shown else {
            begun = Begin(time: now, shown: shown)
            return false
        }
        isLasting = now - begun.time > Self.patience
        return isLasting
    }
}
