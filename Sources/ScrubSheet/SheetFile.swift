internal import Glibc
internal import TextFiles

/// An open file that is read and written at offsets. It is never mapped, because the kernel kills a program that reads
/// a mapped file of a stick that was pulled out.
///
/// Owns its descriptor, and closes it.
struct SheetFile: ~Copyable, Sendable {
    let path: String
    private let descriptor: Int32

    /// Opens a file. Blocks for as long as the disk takes.
    /// - Parameter path: in `FileAddress` notation.
    init(_ path: String, _ flags: Int32) throws(SheetError) {
        self.path = path
        // O_NONBLOCK avoids waiting for a pipe.
        descriptor = FileAddress.withPath(path) { open($0, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644) }
        guard descriptor >= 0 else { throw SheetError(path: path, reason: .system(call: "open", errno)) }
    }

    deinit { close(descriptor) }

    /// Whether errno says that the folder accepts no file.
    static func isOfFolder(_ code: Int32) -> Bool { [EROFS, EACCES, EPERM].contains(code) }

    func status() throws(SheetError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat") }
        return status
    }

    /// Reads as many bytes as there are from `offset` on.
    /// - Returns: their number; less than the capacity only at the file's end.
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

    /// Writes all bytes at an offset.
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

    /// Returns when the disk has the data.
    func sync() throws(SheetError) {
        guard fsync(descriptor) == 0 else { throw failure("fsync") }
    }

    /// Locks the file for this process, as long as it is open.
    /// - Returns: false if another process has the lock.
    func lock() throws(SheetError) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return true }
        guard errno == EWOULDBLOCK else { throw failure("flock") }
        return false
    }

    /// Drops the file's pages from the kernel's cache.
    func forgetPages() { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

    private func failure(_ call: String) -> SheetError { SheetError(path: path, reason: .system(call: call, errno)) }

    /// Syncs the folder, so that a new name is on the disk. Errors are ignored, because they cost no more than the
    /// name.
    static func syncFolder(of path: String) {
        let bytes = FileAddress.bytes(of: path)
        let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        let folder = end == 0 ? (bytes.first == UInt8(ascii: "/") ? "/" : ".") : FileAddress.name(ofPath: bytes[..<end])
        if let file = try? SheetFile(folder, O_RDONLY | O_DIRECTORY) { try? file.sync() }
    }
}
