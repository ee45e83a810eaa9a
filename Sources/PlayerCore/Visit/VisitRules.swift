/// What an exhibit offers, and how long it waits for a finger.
public struct VisitRules: Hashable, Sendable {
    /// How many films a visitor can choose from.
    public var films: Int
    /// A touch on the attract loop opens the menu; otherwise it plays the first film.
    public var hasMenu: Bool
    /// From the last finger, or the film's end or pause, to the countdown.
    public var idle: Duration
    /// The same while a film plays.
    public var filmIdle: Duration
    /// How long a touch can keep the visitor there.
    public var countdown: Duration

    /// A finger that has not moved for so long is dirt or water, as `Slider` has it.
    public static let dirt = Duration.seconds(60)
    public static let countdown = Duration.seconds(10)

    /// - Parameters:
    ///   - films: how many films a visitor can choose from.
    ///   - idle: from the last finger, or the film's end or pause, to the countdown.
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

/// What a visitor did: nothing that says who it was.
public struct VisitRecord: Hashable, Sendable {
    public var start: MonotonicTime
    /// From the first touch to the attract loop.
    public var duration = Duration.zero
    /// The films in the order in which they were chosen.
    public var films: [Int] = []
    /// How long films played.
    public var watched = Duration.zero
    /// How often a finger moved the seek bar; a tap is no drag.
    public var drags = 0
    /// The languages that were chosen.
    public var languages: [String] = []

    public init(start: MonotonicTime) { self.start = start }
}
