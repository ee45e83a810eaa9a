public import PlayerCore

/// The contents of `vitrine.toml`, with defaults for missing settings.
public struct Settings: Hashable, Sendable {
    /// The order of films.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// By name, numbers by their value: film 2 before film 10.
        case name
        /// A different order at each start.
        case random
    }

    public enum OSD: String, Hashable, Sendable, CaseIterable {
        case automatic, plane, composited, off
    }

    public enum WhenUnplugged: String, Hashable, Sendable, CaseIterable {
        case play, pause
    }

    public enum Menu: String, Hashable, Sendable, CaseIterable {
        /// A menu if there are several films; a single one is played at once.
        case automatic
        /// A menu, also for one film.
        case on
        /// No menu: the first film.
        case off
    }

    /// Paths relative to the settings file's folder, absolute ones, or addresses, as written.
    public var films = ["films"]
    public var order = Order.name
    /// Not `next`: a kiosk has nothing else to do.
    public var atEnd = PlaylistEnd.loop
    /// Whether playback resumes at the film's position after a power cut.
    public var resume = true
    /// Per cent, 0...100.
    public var volume = 100
    public var mute = false
    /// The sound outputs: "hdmi", "headphones", "usb", "default", "pipewire", or a part of a name; two for both at
    /// once.
    public var sound: [String] = []

    /// The folder of the films that loop while there is no visitor; `nil`: "attract" in the films' folder, if it
    /// exists.
    public var attract: String?
    /// Seconds without a finger, after a film has ended or was paused, until the visitor is asked to touch to stay.
    public var idleSeconds = 30
    /// The same while a film plays.
    public var filmIdleSeconds = 600
    /// Seconds in which a touch keeps the visitor there.
    public var countdownSeconds = 10
    /// The screen that a touch on the attract loop opens.
    public var menu = Menu.automatic
    /// The highest volume that anybody can set, in per cent.
    public var volumeLimit = 100
    /// Whether to write a line for each visit (needs `--state`).
    public var statistics = true

    public var connector: String?
    /// `WIDTHxHEIGHT` or `WIDTHxHEIGHT@REFRESH`.
    public var mode: String?
    public var rotate = DisplayTransform.Rotation.none
    public var reflect = false
    public var osd = OSD.automatic
    /// The controls that a touch shows.
    public var controls = ControlsMode.full
    /// The time beside the bar.
    public var time = TimeDisplay.total
    /// Whether a visitor may choose the sound output.
    public var chooseOutput = false
    public var gravity = VideoGravity.resizeAspect
    public var matchRefresh = false
    public var whenUnplugged = WhenUnplugged.play
    public var touch: String?

    /// BCP 47 tags of the preferred sound, the best first.
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
        /// With the length of the network's prefix: `192.168.1.20/24`. `nil` uses DHCP.
        public var address: String?
        public var gateway: String?
        public var nameServers: [String] = []

        public init() {}
    }
}
