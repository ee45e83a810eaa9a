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
        let most = min(max(trackPixels, 1), Self.mostPlaces / 2) * 2
        guard let frame, frame > .zero, duration > .zero, duration <= .farthest else {
            self.init(duration: duration, count: most)
            return
        }
        let frames = max((duration.nanoseconds + frame.nanoseconds / 2) / frame.nanoseconds, 1)
        // The distance is a frame's to the nanosecond: a film's length is often guessed.
        self.init(duration: frames <= most ? frame * frames : duration, count: Int(clamping: min(frames, Int64(most))))
    }

    /// The number of places that a film's sheet never has more of: twice those of a plan, so that a film that is a little
    /// longer than it said keeps the distances.
    public static func mostPlaces(trackPixels: Int) -> Int { min(max(trackPixels, 1), mostPlaces / 4) * 4 }

    /// A plan that reaches a later time, for a film that is longer than it said: it has more places at the same
    /// distances, or, where those would be too many, every second one of them.
    /// - Returns: the plan, and the number of its places' distances that this one has between two; `nil` if
    ///   the film cannot be so long.
    func reaching(_ time: MediaTime, most: Int) -> (plan: SheetPlan, step: Int)? {
        guard time > .zero, time <= .farthest else { return nil }
        var step = 1
        // The number of distances to the time is rounded, as by `place`.
        func places() -> Int128 {
            let length = Int128(duration.nanoseconds) * Int128(step)
            return (2 * Int128(time.nanoseconds) * Int128(count) + length) / (2 * length) + 1
        }
        guard places() > Int128(count) else { return nil }
        while places() > Int128(max(most, 2)) { step *= 2 }
        let length = Int128(duration.nanoseconds) * Int128(step) * places() / Int128(count)
        return SheetPlan(duration: MediaTime(nanoseconds: Int64(length)), count: Int(places())).map { ($0, step) }
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
