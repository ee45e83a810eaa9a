public import Media
public import PlayerCore

/// How a player plays.
public struct PlayerOptions: Sendable {
    /// What the film does while its display is unplugged (N7).
    public enum WhenUnplugged: String, Sendable, CaseIterable {
        /// It plays on, or waits where it is.
        case play, pause
    }

    /// The films, in the order in which they are played.
    public var playlist: [MediaLocation]
    /// Where the first film starts.
    public var start: MediaTime?
    /// How often the playlist is played once more.
    public var repetition = Repetition.none
    /// What follows the last film's end; `finish` ends the player.
    public var actionAtQueueEnd: ActionAtQueueEnd
    /// Whether a touch shows the seek bar; on which plane is the display's matter.
    public var hasOSD: Bool
    /// What a film does without its display.
    public var whenUnplugged: WhenUnplugged
    /// The display's rate follows the film's.
    public var matchesRefresh: Bool
    /// The touch panel: a part of its name, or its node; any by default.
    public var touch: String?
    /// Whether the sound card is used; without, films are silent.
    public var hasSound: Bool
    /// Begins with the first film's first picture, and waits there.
    public var isPaused: Bool
    /// libinput's seat for the touch panels.
    public var seat: String
    /// Plays in it, touched by the mouse, where the player has no display.
    public var window: PlayerWindow?
    /// Per cent of the films' own loudness, as ears measure it.
    public var volume = 100
    /// How fast films play.
    public var rate = PlaybackRate.normal
    /// How a film of another shape than the display's is fitted into it (S4).
    public var gravity = VideoGravity.resizeAspect
    /// Which sound is heard.
    public var audio = TrackWish.any
    /// Which subtitles are read.
    public var subtitle = TrackWish.none
    /// The entry that is played first, counted from 0.
    public var first = 0
    /// With it, the player stays whatever happens to its films and its display.
    public var supply: FilmSupply?
    /// Keeps where the film is.
    public var keeper: PlaybackKeeper?
    /// Is told when the first picture is there, and that pictures go on coming.
    public var service: ServiceManager?
    /// Called once there is a picture, or something to wait for; maybe again. Returns at once.
    public var whenSettled: (@Sendable () -> Void)?

    /// Those that have no parameter here are set afterwards.
    public init(
        playlist: [MediaLocation] = [], start: MediaTime? = nil, actionAtQueueEnd: ActionAtQueueEnd = .rewind,
        hasOSD: Bool = true,
        hasSound: Bool = true, isPaused: Bool = false, seat: String = "seat0", touch: String? = nil,
        whenUnplugged: WhenUnplugged = .play, matchesRefresh: Bool = false, window: PlayerWindow? = nil
    ) {
        self.window = window
        self.touch = touch
        self.whenUnplugged = whenUnplugged
        self.matchesRefresh = matchesRefresh
        self.playlist = playlist
        self.start = start
        self.actionAtQueueEnd = actionAtQueueEnd
        self.hasOSD = hasOSD
        self.hasSound = hasSound
        self.isPaused = isPaused
        self.seat = seat
    }
}

/// Where films come from for a player that never ends for want of them.
public struct FilmSupply: Sendable {
    /// Said on the screen where there are none.
    public var message: String
    /// The films that there are now. May block.
    public var films: @Sendable () -> [MediaLocation]

    /// Looks for no film yet.
    public init(message: String, films: @escaping @Sendable () -> [MediaLocation]) {
        self.message = message
        self.films = films
    }
}

/// Keeps the record of playing between the program's runs.
public struct PlaybackKeeper: Sendable {
    /// As it was kept.
    public var record: PlaybackRecord
    /// Returns at once.
    public var keep: @Sendable (PlaybackRecord) -> Void
    /// A film is about to start: returns when the record outlives this process. May block.
    public var keepStart: @Sendable (PlaybackRecord) -> Void

    /// Keeps nothing yet.
    public init(
        record: PlaybackRecord, keep: @escaping @Sendable (PlaybackRecord) -> Void,
        keepStart: @escaping @Sendable (PlaybackRecord) -> Void
    ) {
        self.record = record
        self.keep = keep
        self.keepStart = keepStart
    }
}
