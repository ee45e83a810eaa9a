/// Where a film is now, from where it was told to be and how fast it runs: integers, no sums.
public struct Timeline: Hashable, Sendable {
    /// The last place that is known, and when it was true.
    public private(set) var time: MediaTime
    public private(set) var since: MonotonicTime
    /// 0 while the film stands still.
    public private(set) var rate: PlaybackRate
    /// `nil` while it is unknown, and for live media.
    public private(set) var duration: MediaTime?

    /// A film that is not heard of for longer is not assumed to run on.
    public let patience: Duration

    public init(
        time: MediaTime = .zero, since: MonotonicTime = MonotonicTime(nanoseconds: 0), rate: PlaybackRate = .paused,
        duration: MediaTime? = nil, patience: Duration = .seconds(1)
    ) {
        self.time = time
        self.since = since
        self.rate = rate
        self.duration = duration
        self.patience = patience
    }

    /// Within 0 and the duration, and no further on than `patience` leads from `time`.
    public func time(at now: MonotonicTime) -> MediaTime {
        let passed = min(max(now - since, .zero), patience)
        let time = time + rate.filmTime(in: passed)
        return time.clamped(to: .zero...max(duration ?? .unlimited, .zero))
    }

    /// When the film will be at a place, if it goes on like this; `nil` where it does not go there, or is not heard of
    /// until then.
    public func moment(of place: MediaTime) -> MonotonicTime? {
        guard place >= .zero, place <= duration ?? .unlimited, let wait = rate.clockTime(for: place - time),
            wait <= patience
        else { return nil }
        return since + wait
    }

    /// The film is here; its rate stays.
    public mutating func place(at time: MediaTime, _ now: MonotonicTime) {
        self.time = time
        since = now
    }

    /// Takes another rate from where the film is now.
    public mutating func run(at rate: PlaybackRate, _ now: MonotonicTime) {
        place(at: time(at: now), now)
        self.rate = rate
    }

    mutating func learn(_ duration: MediaTime?) { self.duration = duration }
}
