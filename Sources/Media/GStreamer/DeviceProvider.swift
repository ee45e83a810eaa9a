internal import CGStreamer

/// What follows devices of one kind as they come and go.
final class DeviceProvider: Object, @unchecked Sendable {
    struct Device {
        /// Such as "Audio/Sink".
        var kind: String
        /// For people.
        var name: String?
        var properties: [String: String]
    }

    private var raw: UnsafeMutablePointer<GstDeviceProvider> { object.assumingMemoryBound(to: GstDeviceProvider.self) }

    /// Another one than GStreamer's own, which all have together. `nil` where GStreamer has none of that name.
    convenience init?(_ factory: String) {
        guard let common = gst_device_provider_factory_get_by_name(factory) else { return nil }
        defer { gst_object_unref(common) }
        let type = UnsafeMutableRawPointer(common).assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee
            .g_type
        guard let made = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
        self.init(sinking: UnsafeMutableRawPointer(made))
    }

    /// Where it reports devices.
    var bus: Bus? { Bus(owning: gst_device_provider_get_bus(raw).map { UnsafeMutableRawPointer($0) }) }

    /// Follows devices. Waits until it knows them. What GStreamer returns is left out: of PipeWire's provider it says that it has
    /// started where there is no server, too (0.3.65).
    func start() { _ = gst_device_provider_start(raw) }

    var devices: [Device] {
        let list = gst_device_provider_get_devices(raw)
        defer { g_list_free(list) }
        var devices: [Device] = []
        var link = list
        while let next = link {
            if let data = next.pointee.data {
                let device = data.assumingMemoryBound(to: GstDevice.self)
                devices.append(Self.describe(device))
                gst_object_unref(data)
            }
            link = next.pointee.next
        }
        return devices
    }

    private static func describe(_ raw: UnsafeMutablePointer<GstDevice>) -> Device {
        var device = Device(
            kind: takeString(gst_device_get_device_class(raw)) ?? "",
            name: takeString(gst_device_get_display_name(raw)), properties: [:])
        guard let properties = gst_device_get_properties(raw) else { return device }
        defer { gst_structure_free(properties) }
        guard let structure = Structure(properties, in: nil) else { return device }
        for field in structure.fields { device.properties[field] = structure.string(field) }
        return device
    }
}
