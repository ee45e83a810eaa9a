/// The times of a film's key frames, as far as known.
///
/// A group is a key frame and all frames up to the next one. Inside it the decoder can go on from where it is, and a
/// key-frame seek to any place in it shows the same frame.
public struct KeyframeMap: Hashable, Sendable {
    /// In rising order; empty while nothing is known.
    private var times: [MediaTime] = []

    /// - Parameter times: in rising order.
    public init(_ times: [MediaTime] = []) {
        self.times = times
    }

    var first: MediaTime? { times.first }

    public var isKnown: Bool { !times.isEmpty }

    /// The group that contains a time: its key frame, and the next one if there is one.
    public func group(at time: MediaTime) -> (start: MediaTime, end: MediaTime?)? {
        // Binary search for the first key frame behind `time`.
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return (times[low - 1], low < times.count ? times[low] : nil)
    }

    /// The nearer of the groups before and behind whose key frame may stand in for `time`.
    func nearest(to time: MediaTime, within tolerance: SeekTolerance) -> (start: MediaTime, end: MediaTime?)? {
        let before = group(at: time)
        let behind = (before == nil ? times.first : before?.end).flatMap { group(at: $0) }
        return [before, behind].compactMap { $0 }.filter { tolerance.allows($0.start, for: time) }
            .min { $0.start.distance(to: time) < $1.start.distance(to: time) }
    }
}
