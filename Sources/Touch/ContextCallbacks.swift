internal import CInput
import Glibc

/// libinput's callbacks during dispatch: they open and close device nodes, and receive its log.
///
/// Only touchscreens and pens are opened (a pen nearby makes libinput cancel touches); a kiosk does not need the
/// keyboards and mice that libinput would open as well.
final class ContextCallbacks {
    /// The failures to open since the last check.
    private(set) var failures: [TouchError] = []
    private let udev: OpaquePointer
    private let log: TouchLog

    /// Does not take ownership: `udev` must live as long as this object.
    init(udev: OpaquePointer, log: TouchLog) {
        self.udev = udev
        self.log = log
    }

    func takeFailures() -> [TouchError] {
        defer { failures = [] }
        return failures
    }

    func write(_ priority: libinput_log_priority, _ text: String) {
        log.write(TouchLog.Level(priority), text.last == "\n" ? String(text.dropLast()) : text)
    }

    /// Opens a node. Returns a file descriptor, which libinput owns until it passes it to `close`, or a negative errno.
    func open(_ node: String, flags: Int32) -> Int32 {
        guard let device = inputDevice(at: node) else { return -ENODEV }
        defer { udev_device_unref(device) }
        let isTouchscreen = Self.property("ID_INPUT_TOUCHSCREEN", of: device) == "1"
        guard isTouchscreen || Self.property("ID_INPUT_TABLET", of: device) == "1" else { return -ENODEV }
        while true {
            let descriptor = Glibc.open(node, flags)
            if descriptor >= 0 { return descriptor }
            let number = errno
            if number == EINTR { continue }
            if isTouchscreen {
                failures.append(.open(node: node, name: Self.name(of: device), errno: number))
            }
            return -number
        }
    }

    func close(_ descriptor: Int32) {
        Glibc.close(descriptor)
    }

    private func inputDevice(at node: String) -> OpaquePointer? {
        var status = stat()
        guard stat(node, &status) == 0 else { return nil }
        return udev_device_new_from_devnum(udev, CChar(bitPattern: UInt8(ascii: "c")), status.st_rdev)
    }

    private static func property(_ key: String, of device: OpaquePointer) -> String? {
        udev_device_get_property_value(device, key).map { String(cString: $0) }
    }

    /// The kernel's name, which the event node's parent carries.
    private static func name(of device: OpaquePointer) -> String {
        // The parent belongs to its child and must not be released.
        guard let parent = udev_device_get_parent(device), let name = udev_device_get_sysattr_value(parent, "name")
        else { return "unnamed" }
        return String(cString: name)
    }
}
