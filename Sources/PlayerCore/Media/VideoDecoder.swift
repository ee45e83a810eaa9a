/// The decoder of a film's video.
public struct VideoDecoder: Hashable, Sendable {
    /// GStreamer's name, such as `avdec_h264`, `v4l2slh265dec`.
    public var name: String
    /// Whether a device decodes, through a driver.
    public var isHardware: Bool

    public init(name: String, isHardware: Bool) {
        self.name = name
        self.isHardware = isHardware
    }
}

/// The hardware decoders that a film did not play with. The next decoder by rank is used instead.
public struct AvoidedDecoders: Codable, Hashable, Sendable {
    /// GStreamer's names.
    public var names: Set<String>
    /// Whether all hardware decoders are avoided, because it is unknown which one crashed the program.
    public var allHardware: Bool

    public init(names: Set<String> = [], allHardware: Bool = false) {
        self.names = names
        self.allHardware = allHardware
    }

    public var isEmpty: Bool { names.isEmpty && !allHardware }

    public func contains(_ decoder: VideoDecoder) -> Bool {
        decoder.isHardware && (allHardware || names.contains(decoder.name))
    }

    public mutating func formUnion(_ others: AvoidedDecoders) {
        names.formUnion(others.names)
        allHardware = allHardware || others.allHardware
    }
}
