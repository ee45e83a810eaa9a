public import PlayerCore

/// The output of a film: plain values from the display's side.
public struct FilmOutput: Hashable, Sendable {
    /// The sink that shows the film.
    public enum Sink: Hashable, Sendable {
        case plane(Plane)
        /// A window on the desktop that the program runs on.
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

    /// The screen of the film, with its capabilities: the pipeline does the rest.
    public struct Screen: Hashable, Sendable {
        public var sink: Sink
        /// Pixels of the display.
        public var width: Int
        public var height: Int
        /// Whether the plane scales; if not, the pipeline does.
        public var canScale: Bool
        /// Whether frames are as large as the display, with black around the film: the driver refuses smaller ones, or
        /// they must contain the OSD surface.
        public var coversDisplay: Bool
        /// Whether the OSD surface is blended into the film's frames.
        public var composesOSD: Bool
        /// The turn that the pipeline must do; the identity if the plane does it, or nothing is turned.
        public var turn: DisplayTransform
        /// The turn that the plane does after that.
        public var planeTurn: DisplayTransform = .identity
        /// GStreamer names of the formats that the sink takes: "I420", "NV12", ...
        public var formats: [String]
        /// The YCbCr matrices that the plane supports; the pipeline converts other ones.
        public var matrices: [ColorMatrix] = []
        /// Whether the plane supports full-range YCbCr.
        public var hasFullRange = false
        /// How the film is fitted into `area`.
        public var gravity = VideoGravity.resizeAspect
        /// The area of the display that the film is fitted into; initially all of it. Pixels of the display.
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

    /// `nil` plays without a display: frames are decoded and dropped.
    public var screen: Screen?
    /// `false` plays without sound.
    public var hasSound: Bool
    /// ALSA's names of the possible sound outputs, the best first; none in the second place means one output only.
    public var soundDevices = SoundPlaces(first: ["default"], second: [])
    public var sound: Sound
    /// The preferred audio track.
    public var audio = TrackPreference.any
    /// The decoders that the film did not play with.
    public var avoidedDecoders = AvoidedDecoders()

    public struct Sound: Hashable, Sendable {
        /// In per cent on a perceptual scale: 100 is the film's own loudness.
        public var volume: Double
        /// Whether the sound is muted, whatever `volume` is.
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

    /// The film's YCbCr encoding after conversion for the plane. A plane without the property reads BT.601, as kernels
    /// did before they had it (drm_plane_create_color_properties). The surface is blended in limited range.
    func color(of film: FilmColor) -> FilmColor {
        let matrix =
            matrices.contains(film.matrix) ? film.matrix : matrices.contains(.bt709) ? .bt709 : matrices.first ?? .bt601
        return FilmColor(matrix: matrix, isFullRange: film.isFullRange && hasFullRange && !composesOSD)
    }
}
