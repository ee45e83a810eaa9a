/// Where a film goes: plain values from the display's side.
public struct FilmOutput: Hashable, Sendable {
    public struct Plane: Hashable, Sendable {
        /// The one DRM fd that all sinks share. Borrowed: it must outlive the film.
        public var fileDescriptor: Int32
        public var connectorID: UInt32
        public var planeID: UInt32
        public var displayWidth: Int
        public var displayHeight: Int
        /// Whether the plane scales; where it does not, the pipeline does.
        public var canScale: Bool
        /// GStreamer names of the formats that the plane takes: "I420", "NV12", ...
        public var formats: [String]
        /// A serialized GstStructure for kmssink's `plane-properties`.
        public var properties: String?

        public init(
            fileDescriptor: Int32, connectorID: UInt32, planeID: UInt32, displayWidth: Int, displayHeight: Int,
            canScale: Bool, formats: [String], properties: String? = nil
        ) {
            self.fileDescriptor = fileDescriptor
            self.connectorID = connectorID
            self.planeID = planeID
            self.displayWidth = displayWidth
            self.displayHeight = displayHeight
            self.canScale = canScale
            self.formats = formats
            self.properties = properties
        }
    }

    /// `nil` plays without a display: pictures are decoded and thrown away.
    public var plane: Plane?
    /// `false` plays without sound.
    public var hasSound: Bool

    public init(plane: Plane?, hasSound: Bool = true) {
        self.plane = plane
        self.hasSound = hasSound
    }
}

/// The largest rectangle of a film's shape in a display (S3).
public struct AspectFit: Hashable, Sendable {
    public var width: Int
    public var height: Int

    /// - Parameters:
    ///   - width: the film's, in its own pixels.
    ///   - pixelAspect: its pixels' width to height.
    /// The result is even in both directions, as 4:2:0 formats need, and at least 2.
    public init(
        width: Int, height: Int, pixelAspect: (numerator: Int, denominator: Int),
        within display: (width: Int, height: Int)
    ) {
        let across = max(width, 1) * max(pixelAspect.numerator, 1)
        let down = max(height, 1) * max(pixelAspect.denominator, 1)
        // across : down is the film's shape; compare it with the display's without a division.
        if across * display.height >= display.width * down {
            self.width = Self.even(display.width, atMost: display.width)
            self.height = Self.even((display.width * down + across / 2) / across, atMost: display.height)
        } else {
            self.width = Self.even((display.height * across + down / 2) / down, atMost: display.width)
            self.height = Self.even(display.height, atMost: display.height)
        }
    }

    private static func even(_ value: Int, atMost most: Int) -> Int {
        max(2, min((value + 1) & ~1, most & ~1))
    }
}
