import Glibc

/// An error of the panels: the operation, its object, and the kernel's reason.
public enum TouchError: Error, Hashable, Sendable {
    /// libudev gave no context.
    case udev(errno: Int32)
    /// libinput gave no context.
    case context(errno: Int32)
    /// libinput could not list the seat's devices: udev's monitor did not open.
    case seat(String)
    /// An existing touch panel cannot be opened. It is tried again when it is plugged in anew.
    case open(node: String, name: String, errno: Int32)
    /// libinput's event loop failed; there are no more events.
    case dispatch(errno: Int32)
}

extension TouchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .udev(let number):
            return "Cannot reach udev: \(Self.text(number))"
        case .context(let number):
            return "Cannot start libinput: \(Self.text(number))"
        case .seat(let seat):
            return "Cannot list the input devices of \(seat): libinput could not listen to udev"
        case .open(let node, let name, let number):
            let remedy =
                number == EACCES || number == EPERM
                ? ": add this user to the group \"input\" (usermod -aG input USER)" : ""
            return "Cannot open the touch panel \"\(name)\" (\(node)): \(Self.text(number))\(remedy)"
        case .dispatch(let number):
            return "Reading the touch panels failed: \(Self.text(number))"
        }
    }

    private static func text(_ number: Int32) -> String {
        "\(String(cString: strerror(number))) (errno \(number))"
    }
}
