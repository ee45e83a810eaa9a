public import PlayerCore

/// A person's settings for the display; open ones are chosen automatically.
public struct DisplayRequest: Codable, Hashable, Sendable {
    /// A connector's name, such as `HDMI-A-1`.
    public var connector: String?
    /// `nil` for an automatic choice.
    public var mode: ModeRequest?
    /// The place of the bar and the texts.
    public var osd: OSDRequest
    /// The transform of everything on the screen; the panel's mounting is applied after it.
    public var transform: DisplayTransform
    /// Whether planes may turn their pictures if they can; `false` leaves it to the pipeline.
    public var planeRotation: Bool
    /// A DRM lease, or another program's descriptor of a card whose master it is, instead of the cards in `/dev/dri`.
    /// It stays the caller's: opening the display duplicates it.
    public var fileDescriptor: Int32?

    /// A request; omitted settings are chosen automatically.
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

    /// This request without the setting that caused an error of `DisplayChoice`; `nil` if no setting did.
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

/// A mode as people write it: `1280x720`, `1280x720@50`, `1920x1080@59.94`.
public struct ModeRequest: Codable, Hashable, Sendable, LosslessStringConvertible {
    /// Pixels.
    public var width: Int
    /// Lines.
    public var height: Int
    /// `nil` for the best rate that the display offers at that size.
    public var refreshMillihertz: Int?

    /// One of the display's own modes; `refreshMillihertz` of 59,940 is 59.94 Hz.
    public init(width: Int, height: Int, refreshMillihertz: Int? = nil) {
        self.width = width
        self.height = height
        self.refreshMillihertz = refreshMillihertz
    }

    /// `nil` unless both sides are at least 1, and the rate, if present, is above 0 and below 1000 Hz.
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
