/// A film's speed: 1 is its own, 0 stands still, below 0 runs backwards. It is in whole thousandths, so that times
/// computed from a rate do not drift.
public struct PlaybackRate: Hashable, Comparable, Sendable {
    /// Not limited to rates that can be played: `playable` does that.
    public var thousandths: Int32

    /// A rate in thousandths: 2500 is two and a half times the film's own speed.
    public init(thousandths: Int32) {
        self.thousandths = thousandths
    }

    /// Standing still.
    public static let paused = PlaybackRate(thousandths: 0)
    /// The film's own speed.
    public static let normal = PlaybackRate(thousandths: 1000)

    /// The slowest rate that is played, in either direction.
    public static let slowest = PlaybackRate(thousandths: 250)
    /// The fastest rate that is played, in either direction.
    public static let fastest = PlaybackRate(thousandths: 4000)

    /// Whether `left` is less. Backwards is less than forwards, however fast.
    public static func < (left: PlaybackRate, right: PlaybackRate) -> Bool { left.thousandths < right.thousandths }

    /// Whether the rate is 0.
    public var isPaused: Bool { thousandths == 0 }
    /// Whether the rate is below 0.
    public var isReverse: Bool { thousandths < 0 }

    /// The nearest rate that can be played; 0 stays 0.
    public var playable: PlaybackRate {
        guard !isPaused else { return self }
        let speed = min(
            max(thousandths.magnitude, UInt32(Self.slowest.thousandths)), UInt32(Self.fastest.thousandths))
        return PlaybackRate(thousandths: isReverse ? -Int32(speed) : Int32(speed))
    }

    /// The rate as a factor, for GStreamer's seeks and for clients that count so.
    public var factor: Double { Double(thousandths) / 1000 }

    /// The nearest thousandth; `nil` if the factor is NaN or beyond two million.
    public init?(factor: Double) {
        let thousandths = (factor * 1000).rounded()
        guard thousandths.isFinite, abs(thousandths) <= 2e9 else { return nil }
        self.init(thousandths: Int32(thousandths))
    }

    /// The film time that passes in a clock time at this rate, cut to whole nanoseconds.
    public func filmTime(in time: Duration) -> MediaTime {
        MediaTime(nanoseconds: Int64(clamping: Int128(time.inNanoseconds) * Int128(thousandths) / 1000))
    }

    /// The clock time that a film at this rate takes for a way, rounded up to whole nanoseconds; `nil` if it does not
    /// go that way.
    public func clockTime(for way: MediaTime) -> Duration? {
        let (parts, speed) = (Int128(way.nanoseconds) * 1000, Int128(thousandths))
        guard speed != 0, parts == 0 || (parts < 0) == (speed < 0) else { return nil }
        let (whole, rest) = parts.quotientAndRemainder(dividingBy: speed)
        return .nanoseconds(Int64(clamping: rest == 0 ? whole : whole + 1))
    }
}

extension PlaybackRate: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// The nearest thousandth; 1 if the value is beyond two million.
    public init(floatLiteral value: Double) {
        self = PlaybackRate(factor: value) ?? .normal
    }

    /// A whole multiple of the film's own speed.
    public init(integerLiteral value: Int32) {
        self.init(thousandths: Int32(clamping: Int64(value) * 1000))
    }
}

extension PlaybackRate: CustomStringConvertible {
    /// "1", "0.25", "-2"
    public var description: String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = rest == 0 ? "" : ".\(String(1000 + rest).dropFirst())"
        while digits.last == "0" { digits.removeLast() }
        return "\(isReverse ? "-" : "")\(whole)\(digits)"
    }
}
