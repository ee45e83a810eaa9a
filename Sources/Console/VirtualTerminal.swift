import Glibc

/// An open descriptor of a Linux virtual terminal, which it owns.
struct VirtualTerminal: ~Copyable {
    let descriptor: Int32

    /// Takes ownership of `descriptor`.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The controlling terminal, else standard input, if that is a virtual terminal: none over ssh, in a desktop's
    /// terminal window, or in a service without a terminal.
    static func ofProgram() -> VirtualTerminal? {
        // From 3 on, because the guard's standard streams replace 0 to 2.
        for (path, stream) in [("/dev/tty", nil), (nil, STDIN_FILENO)] as [(String?, Int32?)] {
            let opened = path.map { open($0, O_RDWR | O_NOCTTY | O_CLOEXEC) } ?? stream ?? -1
            guard opened >= 0 else { continue }
            let descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 3)
            if path != nil { close(opened) }
            guard descriptor >= 0 else { continue }
            let terminal = VirtualTerminal(owning: descriptor)
            if terminal.isVirtual { return terminal }
        }
        return nil
    }

    /// Serial lines and pseudo-terminals refuse the request.
    var isVirtual: Bool {
        var mode: Int32 = 0
        return ioctl(descriptor, Request.getDisplayMode, &mode) == 0
    }

    /// The state; its path is resolved if the descriptor was opened as `/dev/tty` or `/dev/console`.
    func state() throws(ConsoleError) -> ConsoleState {
        var device: Int32 = 0
        try ask("TIOCGDEV", Request.getDevice, "the virtual terminal", &device)
        // The kernel's numbering of devices: the minor number's low byte is the lowest.
        let path = "/dev/tty\(device & 0xff)"
        var display: Int32 = 0
        var keyboard: Int32 = 0
        try ask("KDGETMODE", Request.getDisplayMode, path, &display)
        try ask("KDGKBMODE", Request.getKeyboardMode, path, &keyboard)
        return ConsoleState(terminal: path, displayMode: display, keyboardMode: keyboard)
    }

    /// Sets both modes, and throws the first error.
    func set(_ state: ConsoleState) throws(ConsoleError) {
        var failure: ConsoleError?
        for (name, request, mode) in [
            ("KDSETMODE", Request.setDisplayMode, state.displayMode),
            ("KDSKBMODE", Request.setKeyboardMode, state.keyboardMode),
        ] where ioctl(descriptor, request, mode) != 0 {
            failure =
                failure
                ?? (errno == EPERM
                    ? .notOurs(terminal: state.terminal)
                    : .terminal(operation: "\(name) \(mode)", terminal: state.terminal, code: errno))
        }
        if let failure { throw failure }
    }

    private func ask(
        _ name: String, _ request: UInt, _ path: String, _ value: inout Int32
    ) throws(ConsoleError) {
        guard ioctl(descriptor, request, &value) == 0 else {
            throw .terminal(operation: name, terminal: path, code: errno)
        }
    }

    /// From linux/kd.h and asm-generic/ioctls.h, whose macros Swift does not import.
    private enum Request {
        static let setDisplayMode: UInt = 0x4b3a
        static let getDisplayMode: UInt = 0x4b3b
        static let getKeyboardMode: UInt = 0x4b44
        static let setKeyboardMode: UInt = 0x4b45
        static let getDevice: UInt = 0x8004_5432
    }
}
