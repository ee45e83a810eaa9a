public import Media
public import PlayerCore

/// How a player plays.
public struct PlayerOptions: Sendable {
    /// What happens at the end of the last film (M9).
    public enum AtEnd: String, Sendable, CaseIterable {
        /// Back to the start, and paused.
        case pause
        /// From the start again, for ever.
        case loop
        /// The player ends.
        case quit
    }

    public var playlist: [MediaLocation]
    /// Where the first film starts.
    public var start: MediaTime?
    public var atEnd: AtEnd
    /// Whether a touch shows the seek bar; on which plane is the display's matter.
    public var hasOSD: Bool
    public var hasSound: Bool
    public var isPaused: Bool
    /// libinput's seat for the touch panels.
    public var seat: String

    public init(
        playlist: [MediaLocation] = [], start: MediaTime? = nil, atEnd: AtEnd = .pause, hasOSD: Bool = true,
        hasSound: Bool = true, isPaused: Bool = false, seat: String = "seat0"
    ) {
        self.playlist = playlist
        self.start = start
        self.atEnd = atEnd
        self.hasOSD = hasOSD
        self.hasSound = hasSound
        self.isPaused = isPaused
        self.seat = seat
    }
}
