/// Which parts of a film are loaded (M10): of its bytes, which are taken for its time.
public struct LoadedParts: Hashable, Sendable {
    /// What the whole film has of these parts.
    public static let whole: Int64 = 1_000_000

    /// In rising order, none touching another.
    public let ranges: [ClosedRange<Int64>]
    /// Where the part ends that is being loaded.
    public let end: Int64

    /// `nil` where nothing is told of it. What is no part of the film is left out.
    /// - Parameters:
    ///   - growing: the part that is being loaded; -1 stands for unknown.
    ///   - others: all parts, where they are told.
    public init?(growing: (start: Int64, end: Int64), others: [(start: Int64, end: Int64)] = []) {
        guard growing.end >= 0 else { return nil }
        let known = ([growing] + others).compactMap { start, end -> ClosedRange<Int64>? in
            let (start, end) = (max(start, 0), min(end, Self.whole))
            return start <= end ? start...end : nil
        }
        ranges = known.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            guard let last = joined.last, range.lowerBound <= last.upperBound else { return joined.append(range) }
            joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        }
        end = min(growing.end, Self.whole)
    }

    /// `end` as a place on the bar, 0...1.
    public var fraction: Double { Double(end) / Double(Self.whole) }

    /// What can be played without waiting.
    public func times(of duration: MediaTime) -> [ClosedRange<MediaTime>] {
        ranges.compactMap { range in
            guard let start = duration.scaled(by: range.lowerBound, over: Self.whole),
                let end = duration.scaled(by: range.upperBound, over: Self.whole), start <= end
            else { return nil }
            return start...end
        }
    }
}
