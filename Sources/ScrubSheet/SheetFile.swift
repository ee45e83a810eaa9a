internal import Glibc
internal import TextFiles

/// An open file, read and written at places: never mapped, as the kernel ends a program that reads a mapped file of a stick that was
/// pulled out.
///
/// Owns its descriptor, and closes it.
struct SheetFile: ~Copyable, Sendable {
    let path: String
    private let descriptor: Int32

    /// Blocks for as long as the disk takes.
    /// - Parameter path: as `FileAddress` names files.
    init(_ path: String, _ flags: Int32) throws(SheetError) {
        self.path = path
        // Not a pipe, which would be waited for.
        descriptor = FileAddress.withPath(path) { open($0, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644) }
        guard descriptor >= 0 else { throw SheetError(path: path, reason: .system(call: "open", errno)) }
    }

    deinit { close(descriptor) }

    /// Whether errno says that the folder takes no file.
    static func isOfFolder(_ code: Int32) -> Bool { [EROFS, EACCES, EPERM].contains(code) }

    func status() throws(SheetError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat") }
        return status
    }

    /// As many bytes as there are from `offset` on.
    /// - Returns: how many; fewer than there is room for only at the file's end.
    func read(_ bytes: inout [UInt8], at offset: Int64) throws(SheetError) -> Int {
        let result = bytes.withUnsafeMutableBytes { room in
            Result { () throws(SheetError) in try read(into: room, at: offset) }
        }
        return try result.get()
    }

    func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SheetError) -> Int {
        var done = 0
        while done < room.count {
            let count = pread(descriptor, room.baseAddress! + done, room.count - done, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("pread") }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    /// Writes all of it at a place.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SheetError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("pwrite") }
            done += count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SheetError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SheetError) in try write(bytes, at: offset) }
        }
        try result.get()
    }

    func truncate(to size: Int64) throws(SheetError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("ftruncate") }
    }

    /// Returns when the disk has it.
    func sync() throws(SheetError) {
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
    }

    /// Takes the file for this process, as long as it is open.
    /// - Returns: false where another one has it.
    func lock() throws(SheetError) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return true }
        guard errno == EWOULDBLOCK else { throw failure("flock") }
        return false
    }

    /// What was read or written needs no memory of the kernel's any more.
    func forgetPages() { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

    private func failure(_ call: String) -> SheetError { SheetError(path: path, reason: .system(call: call, errno)) }

    /// A new name is on the disk with its folder. Errors are the disk's, and cost no more than the name.
    static func syncFolder(of path: String) {
        let bytes = FileAddress.bytes(of: path)
        let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        let folder = end == 0 ? (bytes.first == UInt8(ascii: "/") ? "/" : ".") : FileAddress.name(ofPath: bytes[..<end])
        if let file = try? SheetFile(folder, O_RDONLY | O_DIRECTORY) { try? file.sync() }
    }
}
