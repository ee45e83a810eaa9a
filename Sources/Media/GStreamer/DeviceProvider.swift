internal import CGStreamer

/// Monitors the devices of one kind.
final class DeviceProvider: Object, @unchecked Sendable {
    struct Device {
        /// Such as "Audio/Sink".
        var kind: String
        /// The name for people.
        var name: String?
        var properties: [String: String]
        /// Whether it is the one that the server chooses; `nil` if the provider does not say.
        var isDefault: Bool?
    }

    private var raw: UnsafeMutablePointer<GstDeviceProvider> { object.assumingMemoryBound(to: GstDeviceProvider.self) }

    /// A provider of its own, in place of the shared one. `nil` if GStreamer has none of that name.
    convenience init?(_ factory: String) {
        guard let common = gst_device_provider_factory_get_by_name(factory) else { return nil }
        defer { gst_object_unref(common) }
        let type = UnsafeMutableRawPointer(common).assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee
            .g_type
        guard let made = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
        self.init(sinking: UnsafeMutableRawPointer(made))
    }

    /// The bus on which it reports devices.
    var bus: Bus? { Bus(owning: gst_device_provider_get_bus(raw).map { UnsafeMutableRawPointer($0) }) }

    /// Starts monitoring. Waits until the devices are known. GStreamer's result is ignored: PipeWire's provider reports
    /// success even without a server (0.3.65).
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
        device.isDefault = structure.bool("is-default")
        for field in structure.fields { device.properties[field] = structure.string(field) }
        return device
    }
}
