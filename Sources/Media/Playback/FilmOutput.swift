public import PlayerCore

/// Where a film goes: plain values from the display's side.
public struct FilmOutput: Hashable, Sendable {
    /// What shows the film.
    public enum Sink: Hashable, Sendable {
        case plane(Plane)
        /// A window of the desktop that the program runs on.
        case window(Window)
    }

    /// A plane of an open display, by the kernel's ids.
    public struct Plane: Hashable, Sendable {
        /// The one DRM fd that all sinks share. Borrowed: it must outlive the film.
        public var fileDescriptor: Int32
        public var connectorID: UInt32
        public var planeID: UInt32
        /// A serialized GstStructure for kmssink's `plane-properties`.
        public var properties: String?

        public init(fileDescriptor: Int32, connectorID: UInt32, planeID: UInt32, properties: String? = nil) {
            self.fileDescriptor = fileDescriptor
            self.connectorID = connectorID
            self.planeID = planeID
            self.properties = properties
        }
    }

    public enum Window: String, Hashable, Sendable {
        case x11, wayland
    }

    /// What shows the film, and what it can do by itself: the pipeline does the rest.
    public struct Screen: Hashable, Sendable {
        public var sink: Sink
        /// Pixels of the display.
        public var width: Int
        public var height: Int
        /// Whether the plane scales; where it does not, the pipeline does.
        public var canScale: Bool
        /// The frames are as large as the display, black around the film: the driver refuses smaller ones, or they
        /// have to hold the OSD surface.
        public var coversDisplay: Bool
        /// The OSD surface is blended into the film's frames.
        public var composesOSD: Bool
        /// What the pipeline has to turn; the identity where the plane does it, or nothing is turned.
        public var turn: DisplayTransform
        /// What the plane turns after that.
        public var planeTurn: DisplayTransform = .identity
        /// GStreamer names of the formats that the sink takes: "I420", "NV12", ...
        public var formats: [String]
        /// What the plane can be told of YCbCr; what a film has besides is converted in the pipeline.
        public var matrices: [ColorMatrix] = []
        /// Whether the plane can be told that YCbCr is of the full range.
        public var hasFullRange = false
        /// How the film is fitted into `area`.
        public var gravity = VideoGravity.resizeAspect
        /// What of the display the film is fitted into; all of it to begin with. Pixels of the display.
        public var area: OSDLayout.Rectangle

        public init(
            sink: Sink, width: Int, height: Int, canScale: Bool, coversDisplay: Bool = false, composesOSD: Bool = false,
            turn: DisplayTransform = .identity, formats: [String]
        ) {
            self.sink = sink
            self.width = width
            self.height = height
            self.canScale = canScale
            self.coversDisplay = coversDisplay
            self.composesOSD = composesOSD
            self.turn = turn
            self.formats = formats
            area = .init(x: 0, y: 0, width: width, height: height)
        }
    }

    /// `nil` plays without a display: frames are decoded and thrown away.
    public var screen: Screen?
    /// `false` plays without sound.
    public var hasSound: Bool
    /// ALSA's names of where the sound may go, the best first; none of the second place: it goes to one.
    public var soundDevices = SoundPlaces(first: ["default"], second: [])
    public var sound: Sound
    /// Which of the film's sounds is heard.
    public var audio = TrackPreference.any
    /// With which decoders it did not play.
    public var avoidedDecoders = AvoidedDecoders()

    public struct Sound: Hashable, Sendable {
        /// Per cent, as ears measure it: 100 is the film's own.
        public var volume: Double
        /// Silent, however loud `volume` is.
        public var isMuted: Bool

        public init(volume: Double = 100, isMuted: Bool = false) {
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    public init(screen: Screen?, hasSound: Bool = true, sound: Sound = Sound()) {
        self.screen = screen
        self.hasSound = hasSound
        self.sound = sound
    }
}

extension FilmOutput.Screen {
    var whole: OSDLayout.Rectangle { .init(x: 0, y: 0, width: width, height: height) }

    /// What a film's YCbCr becomes on its way to the plane. One that cannot be told anything reads BT.601, as kernels did
    /// before they had the property (drm_plane_create_color_properties). The surface is blended in the limited range.
    func color(of film: FilmColor) -> FilmColor {
        let matrix =
            matrices.contains(film.matrix) ? film.matrix : matrices.contains(.bt709) ? .bt709 : matrices.first ?? .bt601
        return FilmColor(matrix: matrix, isFullRange: film.isFullRange && hasFullRange && !composesOSD)
    }
}
