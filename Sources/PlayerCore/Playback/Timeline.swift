/// Computes the film's current position from the last reported one and its rate, in integers and without sums.
public struct Timeline: Hashable, Sendable {
    /// The last known place, and when it was true.
    public private(set) var time: MediaTime
    public private(set) var since: MonotonicTime
    /// 0 while the film stands still.
    public private(set) var rate: PlaybackRate
    /// `nil` while it is unknown, and for live media.
    public private(set) var duration: MediaTime?

    /// The longest time that a film without reports is assumed to run on.
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

    /// The position at a time, within 0 and the duration, and at most `patience` beyond `time`.
    public func time(at now: MonotonicTime) -> MediaTime {
        let passed = min(max(now - since, .zero), patience)
        let time = time + rate.filmTime(in: passed)
        return time.clamped(to: .zero...max(duration ?? .unlimited, .zero))
    }

    /// When the film will reach a place at its rate; `nil` if it does not go there, or no report is assumed until then.
    public func moment(of place: MediaTime) -> MonotonicTime? {
        guard place >= .zero, place <= duration ?? .unlimited, let wait = rate.clockTime(for: place - time),
            wait <= patience
        else { return nil }
        return since + wait
    }

    /// Sets the film's position; its rate stays.
    public mutating func place(at time: MediaTime, _ now: MonotonicTime) {
        self.time = time
        since = now
    }

    /// Changes the rate at the film's current position.
    public mutating func run(at rate: PlaybackRate, _ now: MonotonicTime) {
        place(at: time(at: now), now)
        self.rate = rate
    }

    mutating func learn(_ duration: MediaTime?) { self.duration = duration }
}
