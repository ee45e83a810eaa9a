internal import Glibc

/// Writes files that are complete or absent, also after a power cut.
public enum AtomicFile {
    /// Writes a temporary file to the card, and renames it. Blocks until the card has it.
    /// - Parameter isSynced: `false` does not wait for the card. Other programs see the whole file nevertheless, and
    ///   after a power cut ext4 has the old or the new one (auto_da_alloc). The caller calls `sync` later.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, isSynced: Bool = true
    ) throws(FileError) {
        let beside = path + ".new"
        unlink(beside)
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        var failure: Int32 = 0
        // Independent of the umask.
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

    /// Waits until the card has the file's current contents.
    public static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
        syncFolder(of: path)
    }

    /// A new name is on the card once its folder is.
    private static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
