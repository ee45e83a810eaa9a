/// A duration as media files state it: a whole number of fractions of a second, such as 1001/30000 s for one frame of
/// NTSC.
///
/// Most of these are no whole number of nanoseconds, and a sum of rounded ones is wrong by a frame after some hours. So
/// they are counted, and each count is converted to a `MediaTime` by itself.
public struct RationalTime: Hashable, Sendable {
    /// The number of fractions.
    public var value: Int64
    /// The fractions in a second; 1 or more.
    public let timescale: Int64

    /// `nil` for a timescale that is not positive: such a duration is unknown.
    public init?(value: Int64, timescale: Int64) {
        guard timescale > 0 else { return nil }
        self.value = value
        self.timescale = timescale
    }

    /// The duration of one frame at a frame rate, such as 30000/1001; `nil` if the rate is unknown (0/1) or none.
    public init?(frames: Int64, perSeconds seconds: Int64) {
        guard frames > 0, seconds > 0 else { return nil }
        self.init(value: seconds, timescale: frames)
    }
}

extension MediaTime {
    /// The rounding of a fraction of a nanosecond, or of a unit.
    public enum Rounding: Sendable, CaseIterable {
        /// To the nearest whole number; from the middle away from zero.
        case nearest
        /// To the whole number below.
        case down
        /// To the whole number above.
        case up
    }

    /// A multiple of a duration, each time counted from 0: the 1,000,000th of 1001/30000 s is as exact as the first.
    /// - Returns: `nil` if it does not fit 292 years.
    public init?(_ count: Int64 = 1, of length: RationalTime, rounding: Rounding = .nearest) {
        let (parts, isTooLarge) = (Int128(count) * Int128(length.value)).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLarge, let nanoseconds = Int64(exactly: parts.divided(by: Int128(length.timescale), rounding))
        else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// A time of `value` fractions, of which `timescale` make a second.
    /// - Returns: `nil` for a timescale that is not positive, and if the time does not fit 292 years.
    public init?(value: Int64, timescale: Int64, rounding: Rounding = .nearest) {
        guard let length = RationalTime(value: value, timescale: timescale) else { return nil }
        self.init(1, of: length, rounding: rounding)
    }

    /// The number of such durations in this time. With `.nearest` it is the exact count that the time was made from, if
    /// the duration is more than a nanosecond; with `.down` it is the index of the one that contains this time.
    /// - Returns: `nil` for a duration of 0, and if the count does not fit.
    public func count(of length: RationalTime, rounding: Rounding = .nearest) -> Int64? {
        let length = (value: Int128(length.value), timescale: Int128(length.timescale))
        guard length.value != 0 else { return nil }
        let sign: Int128 = length.value < 0 ? -1 : 1
        let parts = Int128(nanoseconds) * length.timescale * sign
        return Int64(exactly: parts.divided(by: length.value * sign * 1_000_000_000, rounding))
    }

    /// This time in fractions of a second, of which `timescale` make a second.
    /// - Returns: `nil` for a timescale that is not positive, and if the value does not fit.
    public func value(inTimescale timescale: Int64, rounding: Rounding = .nearest) -> Int64? {
        RationalTime(value: 1, timescale: timescale).flatMap { count(of: $0, rounding: rounding) }
    }

    /// This time multiplied by `numerator` and divided by `denominator`; `nil` for a divisor of 0, and if it does not
    /// fit.
    public func scaled(by numerator: Int64, over denominator: Int64, rounding: Rounding = .nearest) -> MediaTime? {
        guard denominator > 0 else { return nil }
        let parts = Int128(nanoseconds) * Int128(numerator)
        return Int64(exactly: parts.divided(by: Int128(denominator), rounding)).map { MediaTime(nanoseconds: $0) }
    }
}

extension Int128 {
    /// - Parameter divisor: more than 0.
    fileprivate func divided(by divisor: Int128, _ rounding: MediaTime.Rounding) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        guard remainder != 0 else { return quotient }
        switch rounding {
        case .down: return self < 0 ? quotient - 1 : quotient
        case .up: return self < 0 ? quotient : quotient + 1
        case .nearest:
            guard remainder.magnitude * 2 >= divisor.magnitude else { return quotient }
            return self < 0 ? quotient - 1 : quotient + 1
        }
    }
}
