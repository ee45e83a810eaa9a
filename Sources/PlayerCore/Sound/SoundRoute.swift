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
        /// Another kind of card, such as a board on a Raspberry Pi's pins.
        case other
        /// A loudspeaker on the network, for example by AirPlay. Used only on request.
        case network
        /// A Bluetooth loudspeaker or headset. Used only on request.
        case bluetooth
        /// A card that passes sound to a program, so that nobody hears it. Used only on request.
        case virtual
        /// The default in ALSA's configuration files.
        case configured
        /// The sink that PipeWire chooses. Used only on request.
        case server

        /// Whether the sound leaves this machine, or may leave it.
        public var isExternal: Bool { self == .network || self == .bluetooth || self == .server }
    }

    /// The receiver of the sound.
    public enum Taker: Hashable, Sendable {
        /// An ALSA PCM, by name, such as "hdmi:CARD=PCH,DEV=0".
        case alsa(String)
        /// A PipeWire node, such as "raop_sink.foyer"; `nil` if PipeWire chooses one.
        case pipeWire(node: String?)
    }

    public var taker: Taker
    /// The name for people: "HDMI-A-1, LG TV".
    public var name: String
    public var kind: Kind
    /// The display's connector, as listed by `vitrine displays`; `nil` if there is none or it is unknown.
    public var connector: String?
    /// The USB socket and the output there: "usb:PORT=1-1.4". It is in the id in place of ALSA's name, which counts the cards of
    /// one model in the order in which they were plugged in. `nil` for other cards.
    public var socket: String?
    /// Why the route cannot be used now; `nil` if it can.
    public var problem: String?
    /// Whether the sound leaves this machine, or may leave it. ALSA's default may, where PipeWire receives its sound.
    public var isExternal: Bool

    /// Creates the route of an ALSA PCM.
    public init(device: String, name: String, kind: Kind, connector: String? = nil, problem: String? = nil) {
        self.init(taker: .alsa(device), name: name, kind: kind, connector: connector, problem: problem)
    }

    /// Creates the route of a PipeWire node.
    public init(node: String, name: String, kind: Kind) {
        self.init(taker: .pipeWire(node: node), name: name, kind: kind)
    }

    private init(taker: Taker, name: String, kind: Kind, connector: String? = nil, problem: String? = nil) {
        self.taker = taker
        self.name = name
        self.kind = kind
        self.connector = connector
        self.problem = problem
        isExternal = kind.isExternal
    }

    /// The stable name, in mpv's form: "alsa/hdmi:CARD=PCH,DEV=0", "alsa/usb:PORT=1-1.4", "pipewire/raop_sink.foyer".
    public var id: String {
        switch taker {
        case .alsa(let device): Self.prefix + (socket ?? device)
        case .pipeWire(let node?): Self.nodePrefix + node
        case .pipeWire(nil): "pipewire"
        }
    }

    /// The word that selects this route also after it has vanished and come back. Debian 12's PipeWire counts the nodes that it
    /// finds by mDNS, so that a loudspeaker on the network has another id each time.
    public var word: String { kind == .network ? name : id }

    /// ALSA's name of the PCM. For a PipeWire node, the name in PipeWire's ALSA plugin: "pipewire:NODE=raop_sink.foyer".
    public var device: String {
        switch taker {
        case .alsa(let device): device
        case .pipeWire(let node?): "pipewire:NODE=\(node)"
        case .pipeWire(nil): "pipewire"
        }
    }

    /// The prefix of the ids of ALSA's routes.
    public static let prefix = "alsa/"
    /// The prefix of the ids of PipeWire's nodes.
    static let nodePrefix = "pipewire/"

    /// The name and the problem: "HDMI-A-2 (no display is plugged in)".
    public var description: String { problem.map { "\(name) (\($0))" } ?? name }

    public var isUsable: Bool { problem == nil }

    /// Whether PipeWire receives the sound.
    public var isServers: Bool {
        switch taker {
        case .alsa: false
        case .pipeWire: true
        }
    }

    /// The sink that PipeWire chooses.
    public static let server = SoundRoute(taker: .pipeWire(node: nil), name: "PipeWire", kind: .server)

    /// ALSA's default PCM.
    public static let configured = SoundRoute(device: "default", name: "ALSA's default", kind: .configured)
}
