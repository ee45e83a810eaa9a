internal import Glibc

/// Files that are there as a whole or not at all, also after a power cut.
public enum AtomicFile {
    /// Writes beside, to the card, and moves the file to its name. Blocks until the card has it.
    /// - Parameter isSynced: `false` does not wait for the card; other programs see the whole file all the same, and after
    ///   a power cut ext4 has one or the other (auto_da_alloc). `sync` is to follow.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, isSynced: Bool = true
    ) throws(FileError) {
        let beside = path + ".new"
        unlink(beside)
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        var failure: Int32 = 0
        // Whatever the umask.
        fchmod(descriptor, mode)
        var rest = bytes[...]
        while !rest.isEmpty, failure == 0 {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
        }
        if failure == 0, isSynced, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(beside, path) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(beside)
            throw FileError(path: path, code: failure)
        }
        if isSynced { syncFolder(of: path) }
    }

    /// Waits until the card has the file as it is.
    public static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
        syncFolder(of: path)
    }

    /// The new name is on the card with its folder.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
