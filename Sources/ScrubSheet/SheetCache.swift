internal import Glibc
public import PlayerCore
internal import TextFiles

/// The folder of sheets on the data partition: at most a quarter of its free space; the least recently scrubbed film is
/// evicted first.
///
/// Any thread; every call blocks for as long as the card takes.
public struct SheetCache: Hashable, Sendable {
    public var folder: String

    /// - Parameter folder: in `FileAddress` notation; it is created with its first sheet.
    public init(folder: String) {
        self.folder = folder
    }

    /// The paths of a film's sheet in the cache.
    public func place(of film: FilmIdentity) -> SheetPlace {
        SheetPlace(complete: "\(folder)/\(film.name).bif", growing: "\(folder)/\(film.name).sheet")
    }

    /// Notes that the film is scrubbed, so that its sheet is evicted last.
    public func noteScrubbed(_ film: FilmIdentity) {
        let path = scrubbedPath(film.name)
        // An empty file whose time counts: the sheet's own time changes as it grows.
        guard (try? SheetFile(path, O_WRONLY | O_CREAT)) != nil else { return }
        FileAddress.withPath(path) { _ = utimes($0, nil) }
    }

    /// The contents of the cache.
    public func budget() -> SheetBudget {
        var (bytes, kept) = ([String: Int64](), [SheetBudget.Kept]())
        for entry in FolderEntry.all(in: folder) ?? [] {
            let parts = entry.name.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, parts[0].count == 32 else { continue }
            var status = stat()
            guard FileAddress.withPath(entry.path, { lstat($0, &status) }) == 0 else { continue }
            bytes[String(parts[0]), default: 0] += Int64(status.st_blocks) * 512
        }
        for (name, bytes) in bytes {
            var status = stat()
            let isKnown = FileAddress.withPath(scrubbedPath(name)) { lstat($0, &status) } == 0
            kept.append(.init(name: name, bytes: bytes, scrubbed: isKnown ? Int64(status.st_mtim.tv_sec) : 0))
        }
        var space = statvfs()
        let isThere = FileAddress.withPath(folder) { statvfs($0, &space) } == 0
        return SheetBudget(kept: kept, free: isThere ? Int64(space.f_bavail) * Int64(space.f_frsize) : 0)
    }

    /// Creates the folder, and makes room for so many more bytes of a film's sheet.
    /// - Parameter free: the free space on the partition, in a test.
    func makeRoom(for bytes: Int64, of film: FilmIdentity, free: Int64? = nil) throws(SheetError) {
        if FileAddress.withPath(folder, { mkdir($0, 0o755) }) != 0, errno != EEXIST {
            throw SheetError(path: folder, reason: .system(call: "mkdir", errno))
        }
        var budget = budget()
        if let free { budget.free = free }
        guard let names = budget.evictions(for: bytes, of: film.name) else {
            throw SheetError(path: folder, reason: .noRoom)
        }
        for name in names { remove(name) }
    }

    private func remove(_ name: String) {
        for ending in ["bif", "sheet", "bif.part", "scrubbed"] {
            FileAddress.withPath("\(folder)/\(name).\(ending)") { _ = unlink($0) }
        }
    }

    private func scrubbedPath(_ name: String) -> String { "\(folder)/\(name).scrubbed" }
}
