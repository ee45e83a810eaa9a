/// What decodes a film's video.
public struct VideoDecoder: Hashable, Sendable {
    /// GStreamer's, such as `avdec_h264`, `v4l2slh265dec`.
    public var name: String
    /// Whether it is a device's, with a driver.
    public var isHardware: Bool

    public init(name: String, isHardware: Bool) {
        self.name = name
        self.isHardware = isHardware
    }
}

/// The hardware's decoders that a film is not to have, because it did not play with them; the next one by rank has it.
public struct AvoidedDecoders: Codable, Hashable, Sendable {
    /// GStreamer's names.
    public var names: Set<String>
    /// None of the hardware's: which one brought the program down is not known.
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
