public import Media
public import PlayerCore

/// A player's options, including those of the screen.
public struct PlayerOptions: Sendable {
    /// The film's behaviour while its display is unplugged.
    public enum WhenUnplugged: String, Sendable, CaseIterable {
        /// It plays on, or waits at its position.
        case play, pause
    }

    /// Whether a touch shows the seek bar; the display decides on which plane.
    public var hasOSD: Bool
    /// The built-in controls that a touch shows. A program with its own controls on the screen uses `.off`.
    public var controls = ControlsMode.full
    /// The time beside the bar.
    public var timeDisplay = TimeDisplay.total
    /// Whether a visitor may choose among several sound outputs.
    public var choosesOutput = false
    /// The highest volume that anybody can set, in per cent.
    public var volumeLimit = 100
    /// The film's behaviour without its display.
    public var whenUnplugged: WhenUnplugged
    /// Whether the display's rate follows the film's.
    public var matchesRefresh: Bool
    /// The touch panel: a part of its name, or its node; any by default.
    public var touch: String?
    /// Whether the sound card is used; if not, films are silent.
    public var hasSound: Bool
    /// libinput's seat for the touch panels.
    public var seat: String
    /// The window to play in, touched by the mouse, if the player has no display.
    public var window: PlayerWindow?
    /// The initial volume in per cent of the films' own loudness, on a perceptual scale.
    public var volume = 100
    /// The initial sound output.
    public var sound = SoundPreference.automatic
    /// How a film of another shape than the display is fitted into it, initially.
    public var gravity = VideoGravity.resizeAspect
    /// The initially audible track.
    public var audio = TrackPreference.any
    /// The initially visible subtitles.
    public var subtitle = TrackPreference.none
    /// Whether failures are shown on the screen, for as long as a person takes to read them. `false`: a program decides
    /// that before anything was shown, and it may end then. Later, the next film removes the message about a file. The
    /// last frame stays until the program decides what follows.
    public var saysFailures = true
    /// Whether `currentTime` is kept exact even if nobody observes the time, which costs four wake-ups a second;
    /// otherwise, query `Player.position`.
    public var keepsTime = true
    /// Whether a tap on a film that waits at its start or its end starts it. A film that waits elsewhere is started by
    /// its button, or, without one, by a tap, too.
    public var startsByTap = false
    /// Makes the scrub sheets of films that play, from their own frames, with at most 6 % of a processor; `nil` makes
    /// no sheets.
    public var sheets: SheetMaker.Options?
    /// How long a caller of `Player.isAlive` waits before it considers the player dead; `nil` if nobody calls it.
    public var watchdog: Duration?
    /// Called with each film before any of it is opened, on a thread that may wait: for a record of films that may
    /// crash the program. The film waits until it returns; `dropped` and `avoids` are called on the player's loop, and
    /// must not wait. Posters are made concurrently with all other steps.
    public var beforeFilm: (@Sendable (FilmStep) -> Void)?

    /// The decoders that a film did not play with in earlier runs. Called before each film, on a thread that may wait.
    public var avoidedDecoders: (@Sendable (MediaLocation) -> AvoidedDecoders)?

    /// Options without a parameter here are set afterwards.
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

/// A player's next step with a film.
public enum FilmStep: Sendable {
    /// Opens it, at a time or at its start; again if its pipeline was lost.
    case opens(MediaLocation, at: MediaTime?, isRebuild: Bool)
    /// Preloads it while the one before plays.
    case preloads(MediaLocation)
    /// Drops the preloaded film.
    case dropped
    /// Decodes one of its frames for a poster, whatever plays meanwhile.
    case pictures(MediaLocation)
    /// Has decoded that frame, or has failed.
    case pictured
    /// Stops using this decoder for the film, and continues with another one.
    case avoids(MediaLocation, VideoDecoder)
}
