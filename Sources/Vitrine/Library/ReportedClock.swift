internal import PlayerCore

/// What somebody was told of an item's time: a duration that is learned while the film stands is news, too.
struct ReportedClock {
    private var time: MediaTime?
    private(set) var duration: MediaTime?

    mutating func report(_ time: MediaTime, _ duration: MediaTime?) { (self.time, self.duration) = (time, duration) }

    /// - Returns: the time to tell once more, with the new duration.
    mutating func learn(_ duration: MediaTime?) -> MediaTime? {
        guard let time, duration != self.duration else { return nil }
        self.duration = duration
        return time
    }
}
