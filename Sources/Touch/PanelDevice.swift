internal import CInput
import Glibc
import PlayerCore

/// A libinput device, borrowed: valid while its context lives and until its DEVICE_REMOVED event is destroyed.
struct PanelDevice {
    let handle: OpaquePointer

    init(of event: OpaquePointer) {
        // libinput returns a device for each device event.
        handle = libinput_event_get_device(event)
    }

    var isTouchscreen: Bool {
        libinput_device_has_capability(handle, LIBINPUT_DEVICE_CAP_TOUCH) != 0
    }

    var name: String { String(cString: libinput_device_get_name(handle)) }
    /// `event3`
    var systemName: String { String(cString: libinput_device_get_sysname(handle)) }
    var node: String { "/dev/input/\(systemName)" }
    var output: String? { libinput_device_get_output_name(handle).map { String(cString: $0) } }

    var millimetres: TouchPanel.Size? {
        var (width, height) = (0.0, 0.0)
        guard libinput_device_get_size(handle, &width, &height) == 0, width > 0, height > 0 else { return nil }
        return TouchPanel.Size(width: width, height: height)
    }

    /// The current matrix, two rows of three; `nil` for the identity.
    var calibration: [Float]? {
        guard libinput_device_config_calibration_has_matrix(handle) != 0 else { return nil }
        var matrix = [Float](repeating: 0, count: 6)
        return libinput_device_config_calibration_get_matrix(handle, &matrix) != 0 ? matrix : nil
    }

    /// Whether the kernel has removed the node, which happens a little before udev's event.
    static func isGone(_ panel: TouchPanel) -> Bool {
        access("/dev/input/\(panel.systemName)", F_OK) != 0
    }
}
