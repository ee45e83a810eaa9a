extension MediaTime {
    /// The format of a time.
    public enum Style: Hashable, Sendable {
        /// `HH:mm:ss`; more than 99 hours take more digits.
        case hours
        /// `mm:ss`; hours are counted as minutes.
        case minutes
        /// `ss.mmm`; minutes are counted as seconds.
        case milliseconds
    }

    /// The time as text, cut to the style's last digit, not rounded: 59.9996 s is not a minute yet. Times before 0 have
    /// a minus.
    public func text(_ style: Style) -> String {
        let milliseconds = nanoseconds.magnitude / 1_000_000
        let seconds = milliseconds / 1000
        let text =
            switch style {
            case .hours: [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
            case .minutes: [seconds / 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
            case .milliseconds: "\(Self.twoDigits(seconds)).\(String(1000 + milliseconds % 1000).dropFirst())"
            }
        let isNegative = nanoseconds < 0 && text.contains { ("1"..."9").contains($0) }
        return isNegative ? "-\(text)" : text
    }

    private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// This time in per cent of a duration, cut to so many decimals, 0 to 9: "12.5%". `nil` if the duration is 0.
    public func percent(of duration: MediaTime, decimals: Int = 0) -> String? {
        guard duration > .zero, (0...9).contains(decimals) else { return nil }
        let unit = Int128.powerOfTen(decimals)
        let parts = Int128(nanoseconds) * 100 * unit / Int128(duration.nanoseconds)
        let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: UInt128(unit))
        let digits = decimals == 0 ? "" : ".\(String(UInt128(unit) + rest).dropFirst())"
        return "\(parts < 0 ? "-" : "")\(whole)\(digits)%"
    }

    /// Reads the formats of `init(_:)`, and `N%` of a duration, with up to nine decimals; `nil` also for a percentage
    /// of an unknown duration.
    public init?(_ text: String, of duration: MediaTime?) {
        guard text.hasSuffix("%") else {
            self.init(text)
            return
        }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard let duration, !parts[0].isEmpty, parts.count == 1 || !decimals.isEmpty, parts[0].count <= 3,
            decimals.count <= 9, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }),
            let value = Int64(parts[0] + decimals)
        else { return nil }
        let whole = Int64(100 * Int128.powerOfTen(decimals.count))
        guard value <= whole, let time = duration.scaled(by: value, over: whole) else { return nil }
        self = time
    }
}

extension Int128 {
    fileprivate static func powerOfTen(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
