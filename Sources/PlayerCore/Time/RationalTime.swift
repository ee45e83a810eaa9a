/// A length of time as media files state it: a whole number of parts of a second, such as 1001/30000 s for one frame
/// of NTSC's.
///
/// Most of these are no whole number of nanoseconds. Whoever adds them up as nanoseconds is wrong by a frame after some
/// hours; so they are counted, and each count becomes a `MediaTime` by itself.
public struct RationalTime: Hashable, Sendable {
    /// How many such parts.
    public var value: Int64
    /// Parts of a second; 1 or more.
    public let timescale: Int64

    /// `nil` for a timescale that is not positive: such a length is unknown.
    public init?(value: Int64, timescale: Int64) {
        guard timescale > 0 else { return nil }
        self.value = value
        self.timescale = timescale
    }

    /// How long one frame stands at so many frames a second, such as 30000/1001; `nil` where the rate is unknown (0/1)
    /// or none.
    public init?(frames: Int64, perSeconds seconds: Int64) {
        guard frames > 0, seconds > 0 else { return nil }
        self.init(value: seconds, timescale: frames)
    }
}

extension MediaTime {
    /// What becomes of a part of a nanosecond, or of a unit.
    public enum Rounding: Sendable, CaseIterable {
        /// To the nearest whole; from the middle away from zero.
        case nearest
        /// To the whole before.
        case down
        /// To the whole after.
        case up
    }

    /// So many of a length, each time counted from 0: the 1,000,000th of 1001/30000 s is as exact as the first.
    /// - Returns: `nil` where it does not fit 292 years.
    public init?(_ count: Int64 = 1, of length: RationalTime, rounding: Rounding = .nearest) {
        let (parts, isTooLarge) = (Int128(count) * Int128(length.value)).multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLarge, let nanoseconds = Int64(exactly: parts.divided(by: Int128(length.timescale), rounding))
        else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// `value` parts of a second, of which `timescale` are one.
    /// - Returns: `nil` for a timescale that is not positive, and where it does not fit 292 years.
    public init?(value: Int64, timescale: Int64, rounding: Rounding = .nearest) {
        guard let length = RationalTime(value: value, timescale: timescale) else { return nil }
        self.init(1, of: length, rounding: rounding)
    }

    /// How many of a length this time is: with `.nearest`, the very count that it was made from, as long as the length is
    /// more than a nanosecond; with `.down`, the one that it lies in.
    /// - Returns: `nil` for a length of 0, and where the count does not fit.
    public func count(of length: RationalTime, rounding: Rounding = .nearest) -> Int64? {
        let length = (value: Int128(length.value), timescale: Int128(length.timescale))
        guard length.value != 0 else { return nil }
        let sign: Int128 = length.value < 0 ? -1 : 1
        let parts = Int128(nanoseconds) * length.timescale * sign
        return Int64(exactly: parts.divided(by: length.value * sign * 1_000_000_000, rounding))
    }

    /// In parts of a second, of which `timescale` are one.
    /// - Returns: `nil` for a timescale that is not positive, and where it does not fit.
    public func value(inTimescale timescale: Int64, rounding: Rounding = .nearest) -> Int64? {
        RationalTime(value: 1, timescale: timescale).flatMap { count(of: $0, rounding: rounding) }
    }

    /// `numerator` of `denominator` parts of this time; `nil` for no parts, and where it does not fit.
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
