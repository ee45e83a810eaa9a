internal import CDRM

/// The properties of one KMS object by name, with their values at the time of reading.
struct ObjectProperties {
    struct Property {
        let id: UInt32
        let value: UInt64
        let isMutable: Bool
        /// Lowest and highest value of a range property.
        let range: ClosedRange<UInt64>?
        /// The named values of an enumeration or a bit mask (there the bit's number), in the driver's order.
        let namedValues: [(name: String, value: UInt64)]
    }

    let objectID: UInt32
    private let properties: [String: Property]

    /// Reads the properties; none if the object does not exist. `type` is `DRM_MODE_OBJECT_PLANE` and the like.
    init(of objectID: UInt32, type: UInt32, on card: CardHandle) {
        self.objectID = objectID
        var properties: [String: Property] = [:]
        if let list = drmModeObjectGetProperties(card.fileDescriptor, objectID, type) {
            defer { drmModeFreeObjectProperties(list) }
            for index in 0..<Int(list.pointee.count_props) {
                guard let property = drmModeGetProperty(card.fileDescriptor, list.pointee.props[index]) else {
                    continue
                }
                defer { drmModeFreeProperty(property) }
                properties[String(fixedWidth: property.pointee.name)] = Property(
                    property.pointee, value: list.pointee.prop_values[index])
            }
        }
        self.properties = properties
    }

    subscript(name: String) -> Property? { properties[name] }
}

extension ObjectProperties.Property {
    init(_ property: drmModePropertyRes, value: UInt64) {
        id = property.prop_id
        self.value = value
        isMutable = property.flags & UInt32(DRM_MODE_PROP_IMMUTABLE) == 0
        range =
            property.flags & UInt32(DRM_MODE_PROP_RANGE) != 0 && property.count_values == 2
                && property.values[0] <= property.values[1]
            ? property.values[0]...property.values[1] : nil
        namedValues = (0..<Int(property.count_enums)).map {
            (String(fixedWidth: property.enums[$0].name), property.enums[$0].value)
        }
    }

    func value(named name: String) -> UInt64? {
        namedValues.first { $0.name == name }?.value
    }
}
