/// Where a film's key frames are, as far as is known.
///
/// A group is a key frame and all frames up to the next one: inside it the decoder can go on from where it is, and
/// a key-frame seek to anywhere in it shows the same frame.
public struct KeyframeMap: Hashable, Sendable {
    /// In rising order; empty while nothing is known.
    private var times: [MediaTime] = []

    /// - Parameter times: in rising order.
    public init(_ times: [MediaTime] = []) {
        self.times = times
    }

    var first: MediaTime? { times.first }

    public var isKnown: Bool { !times.isEmpty }

    /// The group that a time lies in: its key frame, and the next one where there is one.
    public func group(at time: MediaTime) -> (start: MediaTime, end: MediaTime?)? {
        // The first key frame behind `time`, by halving.
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return (times[low - 1], low < times.count ? times[low] : nil)
    }

    /// Of the group before and the one behind the nearer one whose key frame may stand in for `time`.
    func nearest(to time: MediaTime, within tolerance: SeekTolerance) -> (start: MediaTime, end: MediaTime?)? {
        let before = group(at: time)
        let behind = (before == nil ? times.first : before?.end).flatMap { group(at: $0) }
        return [before, behind].compactMap { $0 }.filter { tolerance.allows($0.start, for: time) }
            .min { $0.start.distance(to: time) < $1.start.distance(to: time) }
    }
}
