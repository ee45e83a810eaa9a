/// A time in a film, or a duration: integer nanoseconds, GStreamer's own unit, so that nothing drifts.
///
/// Unknown is `nil`, never zero.
public struct MediaTime: Hashable, Comparable, Sendable {
    /// From the film's start, or of a duration; below 0 before the start.
    public var nanoseconds: Int64

    /// A time of so many nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The film's start; no duration.
    public static let zero = MediaTime(nanoseconds: 0)
    /// 95 years. No film is longer, but the times of a damaged one may be, and sums of three such times fit. Live DASH
    /// counts from 1970.
    public static let farthest = MediaTime(nanoseconds: 3_000_000_000_000_000_000)

    /// A time in seconds. Traps beyond 292 years.
    public static func seconds(_ seconds: Int64) -> MediaTime {
        MediaTime(nanoseconds: seconds * 1_000_000_000)
    }

    /// A time in milliseconds. Traps beyond 292 years.
    public static func milliseconds(_ milliseconds: Int64) -> MediaTime {
        MediaTime(nanoseconds: milliseconds * 1_000_000)
    }

    /// Whether `left` is earlier, or shorter.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The sum. Sums and products trap if they do not fit: 292 years.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: left.nanoseconds + right.nanoseconds)
    }

    /// The difference. Traps as `+` does.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
    }

    /// The product. Traps as `+` does. For the fractions of a second that a file counts in, `RationalTime` is exact.
    public static func * (time: MediaTime, count: Int64) -> MediaTime {
        MediaTime(nanoseconds: time.nanoseconds * count)
    }

    /// The time as far on the other side of 0.
    public static prefix func - (time: MediaTime) -> MediaTime { MediaTime(nanoseconds: -time.nanoseconds) }

    /// The distance between two times, never negative.
    public func distance(to other: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: abs(other.nanoseconds - nanoseconds))
    }

    /// The nearest time in a range.
    public func clamped(to range: ClosedRange<MediaTime>) -> MediaTime {
        min(max(self, range.lowerBound), range.upperBound)
    }
}

extension MediaTime {
    /// The time at a fraction 0...1 of this duration, to the nearest nanosecond: for a place on the bar, never for
    /// sums.
    public func scaled(by fraction: Double) -> MediaTime {
        MediaTime(nanoseconds: Int64((Double(nanoseconds) * fraction).rounded()))
    }

    /// This time as a fraction of a duration, 0...1; 0 if the duration is 0.
    public func fraction(of duration: MediaTime) -> Double {
        guard duration.nanoseconds > 0 else { return 0 }
        return min(max(Double(nanoseconds) / Double(duration.nanoseconds), 0), 1)
    }

    /// The time in seconds, for clients that count so, such as mpv's: for reading, never for sums.
    public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    /// The nearest nanosecond to a number of seconds; `nil` if it is NaN or too large.
    public init?(inSeconds seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        guard nanoseconds.isFinite, abs(nanoseconds) < 9.2e18 else { return nil }
        self.init(nanoseconds: Int64(nanoseconds))
    }
}

extension MediaTime: CustomStringConvertible {
    /// `HH:mm:ss`, cut to whole seconds; before 0 it is 0.
    public var description: String { max(self, .zero).text(.hours) }

    /// Reads `HH:mm:ss`, `mm:ss` or `ss`, each with an optional fraction of a second.
    public init?(_ text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(fields.count) else { return nil }
        var seconds: Int64 = 0
        for field in fields.dropLast() {
            guard let value = Int64(digits: field), value < 1_000_000 else { return nil }
            seconds = (seconds + value) * 60
        }
        let last = fields[fields.count - 1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int64(digits: last[0]), whole < 1_000_000_000 else { return nil }
        var fraction: Int64 = 0
        if last.count == 2 {
            guard !last[1].isEmpty, last[1].count <= 9, let value = Int64(digits: last[1]) else { return nil }
            fraction = (0..<(9 - last[1].count)).reduce(value) { shifted, _ in shifted * 10 }
        }
        self.init(nanoseconds: (seconds + whole) * 1_000_000_000 + fraction)
    }
}

extension Int64 {
    fileprivate init?(digits: Substring) {
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        self.init(digits)
    }
}
