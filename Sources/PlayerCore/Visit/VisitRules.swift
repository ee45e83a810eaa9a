/// An exhibit's offer, and its time limits.
public struct VisitRules: Hashable, Sendable {
    /// The number of films that a visitor can choose from.
    public var films: Int
    /// Whether a touch on the attract loop opens the menu; otherwise it plays the first film.
    public var hasMenu: Bool
    /// The time from the last finger, or the film's end or pause, to the countdown.
    public var idle: Duration
    /// The same while a film plays.
    public var filmIdle: Duration
    /// The time in which a touch keeps the visitor there.
    public var countdown: Duration

    /// A finger that has not moved for so long is dirt or water, as in `Slider`.
    public static let dirt = Duration.seconds(60)
    public static let countdown = Duration.seconds(10)

    /// - Parameters:
    ///   - films: the number of films that a visitor can choose from.
    ///   - idle: the time from the last finger, or the film's end or pause, to the countdown.
    ///   - filmIdle: the same while a film plays.
    public init(
        films: Int, hasMenu: Bool? = nil, idle: Duration = .seconds(30), filmIdle: Duration = .seconds(600),
        countdown: Duration = Self.countdown
    ) {
        self.films = films
        self.hasMenu = hasMenu ?? (films > 1)
        self.idle = idle
        self.filmIdle = filmIdle
        self.countdown = countdown
    }
}

/// A visitor's actions, without anything that identifies the visitor.
public struct VisitRecord: Hashable, Sendable {
    public var start: MonotonicTime
    /// From the first touch to the attract loop.
    public var duration = Duration.zero
    /// The films in the order in which they were chosen.
    public var films: [Int] = []
    /// The time for which films played.
    public var watched = Duration.zero
    /// The number of times that a finger moved the seek bar; a tap does not count.
    public var drags = 0
    /// The chosen languages.
    public var languages: [String] = []

    public init(start: MonotonicTime) { self.start = start }
}
