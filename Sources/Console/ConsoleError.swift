import Glibc

/// An error of the console: the operation, its object, and the kernel's reason.
public enum ConsoleError: Error, Hashable, Sendable {
    /// The virtual terminal may not be changed: it is not this program's controlling terminal, and the program is not
    /// privileged.
    case notOurs(terminal: String)
    /// `operation` failed on `terminal`; `code` is errno.
    case terminal(operation: String, terminal: String, code: Int32)
    /// The process that restores the console after a crash could not be started; `code` is errno.
    case guardNotStarted(operation: String, executable: String, code: Int32)
}

extension ConsoleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notOurs(let terminal):
            "\(terminal) is not this program's controlling terminal: its text and its keyboard cannot be switched off"
        case .terminal(let operation, let terminal, let code):
            "\(operation) failed on \(terminal): \(Self.text(code))"
        case .guardNotStarted(let operation, let executable, let code):
            "the console's guard (\(executable)) could not be started: \(operation): \(Self.text(code))"
        }
    }

    private static func text(_ code: Int32) -> String {
        "\(String(cString: strerror(code))) (errno \(code))"
    }
}
