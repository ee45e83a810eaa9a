public import Media
public import PlayerCore

/// How a player plays: what of it is the screen's side.
public struct PlayerOptions: Sendable {
    /// What the film does while its display is unplugged.
    public enum WhenUnplugged: String, Sendable, CaseIterable {
        /// It plays on, or waits where it is.
        case play, pause
    }

    /// Whether a touch shows the seek bar; on which plane is the display's matter.
    public var hasOSD: Bool
    /// What of its own controls a touch shows. A program that has its own on the screen takes `.off`.
    public var controls = ControlsMode.full
    /// What the time beside the bar counts.
    public var timeDisplay = TimeDisplay.total
    /// Whether a visitor may choose where the sound comes out, of several places.
    public var choosesOutput = false
    /// The loudest that anybody can ask for, in per cent.
    public var volumeLimit = 100
    /// What a film does without its display.
    public var whenUnplugged: WhenUnplugged
    /// The display's rate follows the film's.
    public var matchesRefresh: Bool
    /// The touch panel: a part of its name, or its node; any by default.
    public var touch: String?
    /// Whether the sound card is used; without, films are silent.
    public var hasSound: Bool
    /// libinput's seat for the touch panels.
    public var seat: String
    /// Plays in it, touched by the mouse, where the player has no display.
    public var window: PlayerWindow?
    /// Per cent of the films' own loudness, as ears measure it, to begin with.
    public var volume = 100
    /// Where the sound comes out, to begin with.
    public var sound = SoundPreference.automatic
    /// How a film of another shape than the display's is fitted into it, to begin with.
    public var gravity = VideoGravity.resizeAspect
    /// Which sound is heard, to begin with.
    public var audio = TrackPreference.any
    /// Which subtitles are read, to begin with.
    public var subtitle = TrackPreference.none
    /// Says on the screen, for as long as a person takes to read it, what cannot be played. `false`: a program decides that before anything
    /// was shown, and it may end then; later the next film takes the words about a file away, and the last frame of a film that
    /// may be tried again stands until the program decides.
    public var saysFailures = true
    /// Keeps `currentTime` right also while nobody follows the time, which costs four wake-ups a second; without that,
    /// `Player.position` is to be asked.
    public var keepsTime = true
    /// A tap on a film that waits at its start or at its end starts it; one that stands elsewhere has its button, and where there is none,
    /// the tap starts that, too.
    public var startsByTap = false
    /// Makes the scrub sheets of films that play, from their own frames, at no more than 6 % of a processor; `nil`: no sheets are made.
    public var sheets: SheetMaker.Options?
    /// How long whoever asks `Player.isAlive` waits before it takes the player for dead; `nil`: nobody asks.
    public var watchdog: Duration?
    /// Is told of each film before anything of it is opened, on a thread that may wait: for a record of what may bring the
    /// program down. The film waits for its return; `dropped` and `avoids` come on the player's loop, and must not wait.
    public var beforeFilm: (@Sendable (FilmStep) -> Void)?

    /// With which decoders a film did not play in runs before this one. Asked before each film, on a thread that may wait.
    public var avoidedDecoders: (@Sendable (MediaLocation) -> AvoidedDecoders)?

    /// Those that have no parameter here are set afterwards.
    public init(
        hasOSD: Bool = true, hasSound: Bool = true, seat: String = "seat0", touch: String? = nil,
        whenUnplugged: WhenUnplugged = .play, matchesRefresh: Bool = false, window: PlayerWindow? = nil
    ) {
        self.window = window
        self.touch = touch
        self.whenUnplugged = whenUnplugged
        self.matchesRefresh = matchesRefresh
        self.hasOSD = hasOSD
        self.hasSound = hasSound
        self.seat = seat
    }
}

/// What a player is about to do with a film.
public enum FilmStep: Sendable {
    /// It is opened, at a time or at its start; once more where its pipeline was lost.
    case opens(MediaLocation, at: MediaTime?, isRebuild: Bool)
    /// It is made ready while the one before plays.
    case preloads(MediaLocation)
    /// What was made ready is not wanted any more.
    case dropped
    /// It does not play with this decoder, and goes on with another one.
    case avoids(MediaLocation, VideoDecoder)
}
