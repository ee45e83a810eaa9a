/// A plane with the properties that it should be given.
public struct PlaneChoice: Codable, Hashable, Sendable {
    public var id: UInt32
    public var kind: DisplayInventory.Plane.Kind
    /// In the driver's order of preference.
    public var formats: [PixelFormat]
    /// The `zpos` to set; `nil` if the driver does not let it be set.
    public var stackingPosition: Int?
    /// The `pixel blend mode` to set; `nil` if the driver gives no choice (then it is pre-multiplied) or none is needed.
    public var blendMode: DisplayInventory.BlendMode?

    init(_ plane: DisplayInventory.Plane, position: Int?, blend: DisplayInventory.BlendMode?) {
        id = plane.id
        kind = plane.kind
        formats = plane.formats
        stackingPosition = position
        blendMode = blend
    }

    /// Whether the pixels' colours are to be multiplied by their alpha before they are handed over.
    public var isPreMultiplied: Bool { blendMode.map { $0.name == "Pre-multiplied" } ?? true }

    /// For kmssink's `plane-properties`: a serialised GstStructure, such as `s,pixel-blend-mode=(int)0,zpos=(int)2`, in
    /// which kmssink wants a `-` for each blank of the kernel's names. `nil` if there is nothing to set.
    public var planeProperties: String? {
        var fields: [String] = []
        if let blendMode { fields.append("pixel-blend-mode=(int)\(blendMode.value)") }
        if let stackingPosition { fields.append("zpos=(int)\(stackingPosition)") }
        return fields.isEmpty ? nil : "s,\(fields.joined(separator: ","))"
    }
}
