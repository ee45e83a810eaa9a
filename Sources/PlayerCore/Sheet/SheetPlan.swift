/// The places of a film that its scrub sheet has pictures of.
///
/// A finger can point at as many places as the track has pixels. The sheet has two places for each pixel, or one for
/// each frame if a film has fewer, at equal distances from the film's start to its end.
public struct SheetPlan: Hashable, Sendable {
    public let duration: MediaTime
    /// 1 to `mostPlaces`.
    public let count: Int

    /// The number for a track of 8,192 pixels.
    public static let mostPlaces = 16_384

    /// `nil` if the film has no length, or the count is out of range.
    public init?(duration: MediaTime, count: Int) {
        guard duration > .zero, duration <= .farthest, (1...Self.mostPlaces).contains(count) else { return nil }
        self.duration = duration
        self.count = count
    }

    /// `nil` if the film has no length.
    /// - Parameters:
    ///   - frame: the duration of a frame; `nil` if it is unknown or varies.
    ///   - trackPixels: the length of the longest track that the film is scrubbed on.
    public init?(duration: MediaTime, frame: MediaTime?, trackPixels: Int) {
        var count = min(max(trackPixels, 1), Self.mostPlaces / 2) * 2
        if let frame, frame > .zero {
            let frames = (duration.nanoseconds + frame.nanoseconds / 2) / frame.nanoseconds
            count = min(count, max(Int(clamping: frames), 1))
        }
        self.init(duration: duration, count: count)
    }

    /// The place nearest to a frame. With one place for each frame, each frame has its own, however the container
    /// rounds times.
    public func place(of time: MediaTime) -> Int {
        let time = Int128(time.clamped(to: .zero...duration).nanoseconds)
        let length = Int128(duration.nanoseconds)
        return min(Int((2 * time * Int128(count) + length) / (2 * length)), count - 1)
    }

    /// The film time of a place.
    /// - Parameter place: 0..<count.
    public func time(of place: Int) -> MediaTime {
        duration.scaled(by: Int64(place), over: Int64(count)) ?? .zero
    }
}
