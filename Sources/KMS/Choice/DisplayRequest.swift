public import PlayerCore

/// What a person asked of the display; what they left open is chosen.
public struct DisplayRequest: Codable, Hashable, Sendable {
    /// A connector's name, such as `HDMI-A-1`.
    public var connector: String?
    /// `nil` leaves the mode to the choice.
    public var mode: ModeRequest?
    /// Where the bar and the texts are drawn.
    public var osd: OSDRequest
    /// How the person wants all that is seen turned; how the panel is mounted comes on top of it.
    public var transform: DisplayTransform
    /// Whether planes may turn their pictures, where they can; `false` leaves it to the pipeline.
    public var planeRotation: Bool
    /// A DRM lease, or another program's descriptor of a card whose master it is, instead of the cards in `/dev/dri`.
    /// It stays the caller's: what opens the display duplicates it.
    public var fileDescriptor: Int32?

    /// Leaves open what is not given.
    public init(
        connector: String? = nil, mode: ModeRequest? = nil, osd: OSDRequest = .automatic,
        transform: DisplayTransform = .identity, planeRotation: Bool = true, fileDescriptor: Int32? = nil
    ) {
        self.connector = connector
        self.mode = mode
        self.osd = osd
        self.transform = transform
        self.planeRotation = planeRotation
        self.fileDescriptor = fileDescriptor
    }

    /// The same without the request that an error of `DisplayChoice` is about; `nil` where it is about none of them.
    public func easier(after error: KMSError) -> DisplayRequest? {
        var request = self
        switch error {
        case .noSuchConnector where connector != nil: request.connector = nil
        case .noSuchMode where mode != nil: request.mode = nil
        case .noOSDPlane where osd == .plane: request.osd = .automatic
        default: return nil
        }
        return request
    }
}

/// A mode as a person writes it: `1280x720`, `1280x720@50`, `1920x1080@59.94`.
public struct ModeRequest: Codable, Hashable, Sendable, LosslessStringConvertible {
    /// Pixels.
    public var width: Int
    /// Lines.
    public var height: Int
    /// `nil` takes the best that the display offers at that size.
    public var refreshMillihertz: Int?

    /// Of any of the display's own modes; `refreshMillihertz` of 59,940 is 59.94 Hz.
    public init(width: Int, height: Int, refreshMillihertz: Int? = nil) {
        self.width = width
        self.height = height
        self.refreshMillihertz = refreshMillihertz
    }

    /// `nil` unless both sides are at least 1, and the rate, where there is one, is above 0 and below 1000 Hz.
    public init?(_ description: String) {
        let parts = description.split(separator: "@", omittingEmptySubsequences: false)
        let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count <= 2, size.count == 2, let width = Int(size[0]), let height = Int(size[1]), width > 0,
            height > 0
        else { return nil }
        var refresh: Int?
        if parts.count == 2 {
            guard let hertz = Double(parts[1]), hertz > 0, hertz < 1000 else { return nil }
            refresh = Int((hertz * 1000).rounded())
        }
        self.init(width: width, height: height, refreshMillihertz: refresh)
    }

    public var description: String {
        "\(width)x\(height)" + (refreshMillihertz.map { "@\(Hertz.text(ofMillihertz: $0))" } ?? "")
    }
}
