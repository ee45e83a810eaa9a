import Glibc

/// Why the control socket could not be created or served.
public enum IPCServerError: Error, Sendable, Equatable {
    /// Unix socket addresses have room for `limit` bytes.
    case pathTooLong(path: String, limit: Int)
    /// Another program serves this socket, or is about to.
    case alreadyServed(path: String)
    /// This name belongs to a file that is no socket.
    case notASocket(path: String)
    /// The lock file beside the socket, `path`, could not be created or locked.
    case lockFailed(path: String, errno: Int32)
    /// The lock's name, `path`, belongs to a file that is no lock file.
    case notALock(path: String)
    /// A system call failed with `errno`.
    case systemCall(String, path: String, errno: Int32)
    /// The server was stopped before, or is serving already.
    case notListening(path: String)
    /// The listening socket failed.
    case listenerFailed(path: String, reason: String)
}

extension IPCServerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "The control socket's path \(path) has \(path.utf8.count) bytes, and \(limit) is the most. "
                + "Choose a shorter path."
        case .alreadyServed(let path):
            "Another program serves the control socket \(path). Stop it, or choose another path."
        case .notASocket(let path):
            "\(path) exists and is not a socket. Remove it, or choose another path for the control socket."
        case .lockFailed(let path, let errno):
            "The lock file of the control socket, \(path), cannot be made: \(String(cString: strerror(errno))) "
                + "(errno \(errno)). " + Self.remedy(errno)
        case .notALock(let path):
            "\(path) exists and is not the lock file of a control socket. Remove it, or choose another path for the "
                + "control socket."
        case .systemCall(let call, let path, let errno):
            "\(call) for the control socket \(path) failed: \(String(cString: strerror(errno))) (errno \(errno)). "
                + Self.remedy(errno)
        case .notListening(let path):
            "The control socket \(path) is closed. Make a new server."
        case .listenerFailed(let path, let reason):
            "The control socket \(path) stopped listening: \(reason). Start again."
        }
    }

    private static func remedy(_ errno: Int32) -> String {
        switch errno {
        case ENOENT, ENOTDIR: "Create its directory, or choose another path."
        case EACCES, EPERM: "Choose a directory that this user may write to, such as $XDG_RUNTIME_DIR."
        case EROFS: "Choose a path on a file system that can be written, such as /run."
        case EMFILE, ENFILE: "Too many files are open: raise the limit."
        default: "Choose another path."
        }
    }
}
