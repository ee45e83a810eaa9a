/// A place where sound can come out: a socket of a sound card, or ALSA's own default.
public struct SoundRoute: Hashable, Sendable, Identifiable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// HDMI or DisplayPort: the display's loudspeakers.
        case hdmi
        /// An analogue socket: headphones, or loudspeakers with an amplifier of their own.
        case headphones
        case usb
        /// A digital socket without a display (S/PDIF).
        case digital
        /// A card of another kind, such as a board on a Raspberry Pi's pins.
        case other
        /// A loudspeaker on the network, by AirPlay for one. It is used only when it is named.
        case network
        /// A loudspeaker, or a headset, by Bluetooth. It is used only when it is named.
        case bluetooth
        /// A card that nobody hears: it hands the sound to a program. It is used only when it is named.
        case virtual
        /// What ALSA's configuration files name as the default.
        case configured
        /// What a sound server, PipeWire, chooses by itself. It is used only when it is named.
        case server

        /// Whether it is another machine, or, as what a sound server chooses, may be one.
        public var isExternal: Bool { self == .network || self == .bluetooth || self == .server }
    }

    /// What takes the sound.
    public enum Taker: Hashable, Sendable {
        /// A PCM of ALSA's, by its name, such as "hdmi:CARD=PCH,DEV=0".
        case alsa(String)
        /// A node of PipeWire's, such as "raop_sink.foyer"; `nil`: PipeWire chooses one.
        case pipeWire(node: String?)
    }

    public var taker: Taker
    /// For people: "HDMI-A-1, LG TV".
    public var name: String
    public var kind: Kind
    /// The display's connector, as `vitrine displays` lists it; `nil` where it has none, or nobody knows which.
    public var connector: String?
    /// Why no sound can come out now; `nil` where it can.
    public var problem: String?

    /// A PCM of ALSA's.
    public init(device: String, name: String, kind: Kind, connector: String? = nil, problem: String? = nil) {
        self.init(taker: .alsa(device), name: name, kind: kind, connector: connector, problem: problem)
    }

    /// A node of PipeWire's, by its name there.
    public init(node: String, name: String, kind: Kind) {
        self.init(taker: .pipeWire(node: node), name: name, kind: kind)
    }

    private init(taker: Taker, name: String, kind: Kind, connector: String? = nil, problem: String? = nil) {
        self.taker = taker
        self.name = name
        self.kind = kind
        self.connector = connector
        self.problem = problem
    }

    /// The name that stays the same from start to start, as mpv writes it: "alsa/hdmi:CARD=PCH,DEV=0", "pipewire/raop_sink.foyer".
    public var id: String {
        switch taker {
        case .alsa(let device): Self.prefix + device
        case .pipeWire(let node?): Self.nodePrefix + node
        case .pipeWire(nil): "pipewire"
        }
    }

    /// ALSA's name of the PCM, of PipeWire's plugin for ALSA too: "pipewire:NODE=raop_sink.foyer".
    public var device: String {
        switch taker {
        case .alsa(let device): device
        case .pipeWire(let node?): "pipewire:NODE=\(node)"
        case .pipeWire(nil): "pipewire"
        }
    }

    /// What the names of ALSA's routes begin with.
    public static let prefix = "alsa/"
    /// The same of PipeWire's nodes.
    static let nodePrefix = "pipewire/"

    /// For people, with what is the matter: "HDMI-A-2 (no display is plugged in)".
    public var description: String { problem.map { "\(name) (\($0))" } ?? name }

    public var isUsable: Bool { problem == nil }

    /// Whether PipeWire takes the sound.
    public var isServers: Bool {
        switch taker {
        case .alsa: false
        case .pipeWire: true
        }
    }

    /// Where PipeWire lets it come out.
    public static let server = SoundRoute(taker: .pipeWire(node: nil), name: "PipeWire", kind: .server)

    /// ALSA's default PCM.
    public static let configured = SoundRoute(device: "default", name: "ALSA's default", kind: .configured)
}
