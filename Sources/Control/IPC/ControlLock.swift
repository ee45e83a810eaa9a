import Glibc

/// The lock file beside a control socket: of programs that start at once, one binds the socket and the others fail.
///
/// The kernel releases the lock when the program ends, in any way. An orderly end removes the file, too.
struct ControlLock: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Takes the lock, or throws at once if another program holds it.
    init(socket: String) throws(IPCServerError) {
        let path = socket + ".lock"
        let descriptor = try Self.take(path, of: socket)
        self.path = path
        self.descriptor = descriptor
    }

    // Swift 6.2 does not compile an initializer that throws with half of a value that cannot be copied.
    private static func take(_ path: String, of socket: String) throws(IPCServerError) -> CInt {
        while true {
            let descriptor = try open(path)
            do throws(IPCServerError) {
                if try lock(descriptor, path, of: socket) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
    }

    deinit {
        // While it is locked, so that it is not another server's file.
        unlink(path)
        close(descriptor)
    }

    /// Opens the file, or creates it with the mode of the socket.
    private static func open(_ path: String) throws(IPCServerError) -> CInt {
        // An existing file is opened without O_CREAT: in a folder such as /tmp the kernel refuses that flag for another
        // user's file (fs.protected_regular). O_NONBLOCK avoids waiting for a pipe of this name.
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        while true {
            for flags in [flags, flags | O_CREAT | O_EXCL] {
                let descriptor = Glibc.open(path, flags, 0o600 as mode_t)
                if descriptor >= 0 { return descriptor }
                // Another program created or removed it in between.
                guard errno == ENOENT && flags & O_CREAT == 0 || errno == EEXIST else {
                    throw .lockFailed(path: path, errno: errno)
                }
            }
        }
    }

    /// - Returns: `false` if the previous owner has just removed this file: later programs lock another one.
    private static func lock(_ descriptor: CInt, _ path: String, of socket: String) throws(IPCServerError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .lockFailed(path: path, errno: errno) }
        // Any other file of this name belongs to somebody else, and is not removed.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { throw .notALock(path: path) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw .alreadyServed(path: socket)
            default: throw .lockFailed(path: path, errno: errno)
            }
        }
        return FileIdentity(status) == FileIdentity(of: path)
    }
}

/// Distinguishes a file from another one of the same name.
struct FileIdentity: Equatable {
    var device: dev_t
    var inode: ino_t

    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}
