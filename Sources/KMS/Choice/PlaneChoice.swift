internal import PlayerCore

/// A plane with the properties to set on it.
public struct PlaneChoice: Codable, Hashable, Sendable {
    /// The kernel's id, for kmssink's `plane-id`.
    public var id: UInt32
    public var kind: DisplayInventory.Plane.Kind
    /// In the driver's order of preference.
    public var formats: [PixelFormat]
    /// The `zpos` to set; `nil` if the driver does not allow that.
    public var stackingPosition: Int?
    /// The `pixel blend mode` to set; `nil` if the driver gives no choice (then it is pre-multiplied) or none is
    /// needed.
    public var blendMode: DisplayInventory.BlendMode?
    /// The `rotation` to set so that the plane applies the display's transform; `nil` if there is nothing to turn, or
    /// the plane cannot turn.
    public var rotation: PlaneRotation?
    /// The bits of `rotation` that the driver names; empty if it has no such property.
    public var rotations: PlaneRotation
    /// Whether the plane scales; `nil` until the driver was asked.
    public var scales: Bool?
    /// Whether the plane only accepts pictures of the display's size, as many primary planes do; `nil` until the driver
    /// was asked.
    public var mustCover: Bool?

    init(_ plane: DisplayInventory.Plane, position: Int?, blend: DisplayInventory.BlendMode?) {
        id = plane.id
        kind = plane.kind
        formats = plane.formats
        stackingPosition = position
        blendMode = blend
        rotations = PlaneRotation(names: plane.rotations)
        scales = plane.scales
    }

    /// Whether the plane expects colours that are multiplied by their alpha.
    public var isPreMultiplied: Bool { blendMode.map { $0.name == "Pre-multiplied" } ?? true }

    /// For kmssink's `plane-properties`: a serialised GstStructure, such as `s,pixel-blend-mode=(int)0,zpos=(int)2`, in
    /// which kmssink expects a `-` for each space in the kernel's names. `nil` if there is nothing to set.
    public var planeProperties: String? {
        var fields: [String] = []
        if let blendMode { fields.append("pixel-blend-mode=(int)\(blendMode.value)") }
        if let rotation { fields.append("rotation=(int)\(rotation.rawValue)") }
        if let stackingPosition { fields.append("zpos=(int)\(stackingPosition)") }
        return fields.isEmpty ? nil : "s,\(fields.joined(separator: ","))"
    }

    /// Sets the rotation for `transform`, if the plane supports it.
    mutating func turn(by transform: DisplayTransform) {
        rotation = transform == .identity ? nil : PlaneRotation(transform, supported: rotations)
    }
}
