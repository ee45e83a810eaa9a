import Glibc
import Synchronization

/// The listening Unix socket: owns its descriptor until ``takeDescriptor()``, and its name in the file system until
/// ``removeName()``.
final class ControlSocket: Sendable {
    /// The name in the file system.
    private struct Name: ~Copyable {
        /// Device and inode of this socket, so that no other program's is ever removed.
        var identity: FileIdentity?
        /// Released last, so that the next server finds no socket.
        let lock: ControlLock
    }

    let path: String
    private let descriptor: Mutex<CInt?>
    private let name: Mutex<Name?>

    /// Binds and listens; clients can connect from now on, and wait. A socket without a listener is replaced.
    init(path: String) throws(IPCServerError) {
        let address = try Self.address(of: path)
        // Held from here on: a server that has bound its socket and does not listen yet looks like a dead one.
        let lock = try ControlLock(socket: path)
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .systemCall("socket", path: path, errno: errno) }
        do throws(IPCServerError) {
            // Before bind, so that the mode is never different: Linux gives the name the mode of the socket (less the
            // umask), and unlike umask() this affects no other thread.
            guard fchmod(descriptor, 0o600) == 0 else {
                throw .systemCall("fchmod", path: path, errno: errno)
            }
            if !(try Self.bind(descriptor, to: address, path)) {
                try Self.removeStale(address, path)
                guard try Self.bind(descriptor, to: address, path) else { throw .alreadyServed(path: path) }
            }
            // 16: the number of clients that may wait to be accepted.
            guard listen(descriptor, 16) == 0 else {
                let error = errno
                unlink(path)
                throw .systemCall("listen", path: path, errno: error)
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = Mutex(descriptor)
        name = Mutex(Name(identity: FileIdentity(of: path), lock: lock))
    }

    deinit {
        removeName()
        if let descriptor = takeDescriptor() { close(descriptor) }
    }

    /// Passes the descriptor to the caller, once.
    func takeDescriptor() -> CInt? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    /// Removes the socket's name, if it still belongs to this socket, and then the lock.
    func removeName() {
        name.withLock { name in
            if let identity = name?.identity, identity == FileIdentity(of: path) { unlink(path) }
            name = nil
        }
    }

    private static func address(of path: String) throws(IPCServerError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .systemCall("bind", path: path, errno: ENOENT)
        }
        guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    /// - Returns: whether it is bound; `false` if the name is in use.
    private static func bind(
        _ descriptor: CInt, to address: sockaddr_un, _ path: String
    ) throws(IPCServerError) -> Bool {
        if call(Glibc.bind, descriptor, address) == 0 { return true }
        guard errno == EADDRINUSE else { throw .systemCall("bind", path: path, errno: errno) }
        return false
    }

    /// Removes a socket without a listener.
    private static func removeStale(_ address: sockaddr_un, _ path: String) throws(IPCServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .systemCall("lstat", path: path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .systemCall("socket", path: path, errno: errno) }
        defer { close(probe) }
        if call(connect, probe, address) == 0 { throw .alreadyServed(path: path) }
        switch errno {
        case ECONNREFUSED: break
        // A full queue of clients means that there is a listener.
        case EAGAIN: throw .alreadyServed(path: path)
        default: throw .systemCall("connect", path: path, errno: errno)
        }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .systemCall("unlink", path: path, errno: errno)
        }
    }

    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt, _ address: sockaddr_un
    ) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
