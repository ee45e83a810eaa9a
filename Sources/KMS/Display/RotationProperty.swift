internal import CDRM

/// A plane's `rotation` property, with its value at the time of reading.
struct RotationProperty {
    let value: PlaneRotation
    private let plane: UInt32
    private let id: UInt32

    /// `nil` if the plane has no such property.
    init?(of plane: UInt32, on card: CardHandle) {
        guard let property = ObjectProperties(of: plane, type: DRM_MODE_OBJECT_PLANE, on: card)["rotation"],
            property.isMutable
        else { return nil }
        self.plane = plane
        id = property.id
        value = PlaneRotation(rawValue: property.value)
    }

    /// Sets the rotation. Returns whether the driver accepted it: always for a plane that is off, else if the picture
    /// on it fits.
    func set(_ rotation: PlaneRotation, on card: CardHandle) -> Bool {
        value == rotation
            || drmModeObjectSetProperty(
                card.fileDescriptor, plane, DRM_MODE_OBJECT_PLANE, id, rotation.rawValue) == 0
    }
}
