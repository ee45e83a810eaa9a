public import PlayerCore

/// The bits of the kernel's `rotation` property: one turn, counter-clockwise, after the reflections. Their numbers are
/// fixed (drm_mode.h). In JSON: the kernel's names.
public struct PlaneRotation: OptionSet, Hashable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    public static let rotate0 = PlaneRotation(rawValue: 1 << 0)
    public static let rotate90 = PlaneRotation(rawValue: 1 << 1)
    public static let rotate180 = PlaneRotation(rawValue: 1 << 2)
    public static let rotate270 = PlaneRotation(rawValue: 1 << 3)
    /// Mirrored left to right.
    public static let reflectX = PlaneRotation(rawValue: 1 << 4)
    /// Mirrored top to bottom.
    public static let reflectY = PlaneRotation(rawValue: 1 << 5)

    private static let allNames = ["rotate-0", "rotate-90", "rotate-180", "rotate-270", "reflect-x", "reflect-y"]

    /// The union of the named bits; unknown names are ignored.
    public init(names: [String]) {
        rawValue = names.reduce(0) { bits, name in
            Self.allNames.firstIndex(of: name).map { bits | 1 << UInt64($0) } ?? bits
        }
    }

    /// The kernel's names, in the order of the bits; unknown bits are ignored.
    public var names: [String] {
        Self.allNames.indices.filter { rawValue & 1 << UInt64($0) != 0 }.map { Self.allNames[$0] }
    }

    /// The value for `transform` on a plane that supports the bits `supported`; `nil` if there is none.
    public init?(_ transform: DisplayTransform, supported: PlaneRotation) {
        // Each transform has two values: a further half turn equals both further reflections.
        let turns: [PlaneRotation] = [.rotate0, .rotate270, .rotate180, .rotate90]
        let quarters = transform.rotation.rawValue / 90
        let plain = turns[quarters].union(transform.isReflected ? .reflectX : [])
        let opposite = turns[(quarters + 2) % 4].union(
            transform.isReflected ? .reflectY : [.reflectX, .reflectY])
        guard let value = [plain, opposite].first(where: { $0.isSubset(of: supported) }) else { return nil }
        self = value
    }

    /// Whether the picture's width is the height on the display.
    var swapsSides: Bool { !isDisjoint(with: [.rotate90, .rotate270]) }
}

extension PlaneRotation: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(names: try decoder.singleValueContainer().decode([String].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}

extension PlaneRotation: CustomStringConvertible {
    public var description: String { names.joined(separator: " ") }
}
