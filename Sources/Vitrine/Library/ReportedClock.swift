internal import PlayerCore

/// The last reported time of an item. A duration that is learned while the film stands is reported, too.
struct ReportedClock {
    private var time: MediaTime?
    private(set) var duration: MediaTime?

    mutating func report(_ time: MediaTime, _ duration: MediaTime?) { (self.time, self.duration) = (time, duration) }

    /// - Returns: the time to report again, with the new duration.
    mutating func learn(_ duration: MediaTime?) -> MediaTime? {
        guard let time, duration != self.duration else { return nil }
        self.duration = duration
        return time
    }
}
