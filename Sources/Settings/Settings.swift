public import PlayerCore

/// What `vitrine.toml` says, with the default of all that it does not say.
public struct Settings: Hashable, Sendable {
    /// In which order films are played.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// By name, numbers by their value: film 2 before film 10.
        case name
        /// Another one at each start.
        case random
    }

    public enum OSD: String, Hashable, Sendable, CaseIterable {
        case automatic, plane, composited, off
    }

    public enum WhenUnplugged: String, Hashable, Sendable, CaseIterable {
        case play, pause
    }

    public enum Menu: String, Hashable, Sendable, CaseIterable {
        /// The menu of several films; one film is played at once.
        case automatic
        /// The menu, also of one film.
        case on
        /// The first film.
        case off
    }

    /// Paths from the settings file's folder, absolute ones, or addresses, as they are written.
    public var films = ["films"]
    public var order = Order.name
    /// Not `next`: a kiosk has nothing else to do.
    public var atEnd = PlaylistEnd.loop
    /// Goes on where the film was when the power went.
    public var resume = true
    /// Per cent, 0...100.
    public var volume = 100
    public var mute = false
    /// Where the sound comes out: "hdmi", "headphones", "usb", "default", "pipewire", or a part of a name; two for both at once.
    public var sound: [String] = []

    /// The folder of the films that loop while nobody is there; `nil`: "attract" in the films' folder, where there is one.
    public var attract: String?
    /// Seconds without a finger, after a film has ended or was paused, until the visitor is asked to touch to stay.
    public var idleSeconds = 30
    /// The same while a film plays.
    public var filmIdleSeconds = 600
    /// Seconds that a visitor has to touch to stay.
    public var countdownSeconds = 10
    /// What a touch on the attract loop opens.
    public var menu = Menu.automatic
    /// No louder than this, in per cent, whoever asks for it.
    public var volumeLimit = 100
    /// Keeps a line for each visit (needs `--state`).
    public var statistics = true

    public var connector: String?
    /// `WIDTHxHEIGHT` or `WIDTHxHEIGHT@REFRESH`.
    public var mode: String?
    public var rotate = DisplayTransform.Rotation.none
    public var reflect = false
    public var osd = OSD.automatic
    /// What a touch shows.
    public var controls = ControlsMode.full
    /// What the time beside the bar counts.
    public var time = TimeDisplay.total
    /// A visitor may choose where the sound comes out.
    public var chooseOutput = false
    public var gravity = VideoGravity.resizeAspect
    public var matchRefresh = false
    public var whenUnplugged = WhenUnplugged.play
    public var touch: String?

    /// BCP 47 tags, the best first: of the sound.
    public var languages: [String] = []
    /// Tags with commas, the best first; `off` or `nil` for none.
    public var subtitles: String?
    /// A name of the zone table, such as `Europe/Berlin`.
    public var timeZone: String?
    public var hostName: String?
    public var network = Network()
    public var remotePassword: String?
    public var sshKeys: [String] = []

    public init() {}

    public struct Network: Hashable, Sendable {
        public var wifi: String?
        public var wifiPassword: String?
        /// Two capital letters (ISO 3166-1).
        public var wifiCountry: String?
        /// With the length of the network's prefix: `192.168.1.20/24`. `nil`: the network gives one (DHCP).
        public var address: String?
        public var gateway: String?
        public var nameServers: [String] = []

        public init() {}
    }
}
