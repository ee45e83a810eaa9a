/// Detects a decoder that cannot keep up.
///
/// A value without a clock.
public struct Overload: Hashable, Sendable {
    /// A decoder that catches up now and then within this time keeps the film's pace; half of `Liveness`'s patience.
    private static let patience = Duration.seconds(4)

    /// Stays `true` once it is; `startAnew` does not reset it.
    public private(set) var isLasting = false
    /// The first dropped frame since the last shown one, and the number of frames shown by then.
    private var begun: Begin?

    private struct Begin: Hashable {
        var time: MonotonicTime
        var shown: UInt64
    }

    public init() {}

    /// The film plays on from a pause, or from another position.
    public mutating func startAnew() {
        begun = nil
    }

    /// The decoder dropped a frame; `shown` frames were shown so far.
    /// - Returns: `true` once, when the overload lasts.
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
