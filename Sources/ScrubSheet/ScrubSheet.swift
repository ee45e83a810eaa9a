internal import Glibc
public import PlayerCore
internal import Synchronization
internal import TextFiles

/// A film's scrub sheet, open for reading, also while another thread or process adds to it.
///
/// Thread-safe. It has one descriptor open, and 32 bytes for each picture, 524 KB at most. Everything that it reads is
/// checked: a picture that is damaged or belongs to another film is an error, and never shown.
public final class ScrubSheet: Sendable {
    /// In `FileAddress` notation.
    public let path: String
    /// The film that it belongs to.
    public let film: FilmIdentity
    /// The size of all pictures.
    public let size: SheetSize
    /// The duration of the film's frames; `nil` if unknown.
    public let frame: MediaTime?
    /// The places that it will have; `nil` if it is complete.
    public let plan: SheetPlan?
    private let file: SheetFile
    private let index: Mutex<SheetIndex>
    /// The offset up to which a growing file was read. Locked during reading, so that `nearest` need not wait for the
    /// card.
    private let end: Mutex<Int64>

    /// Opens a film's sheet: the one beside the film if it exists, else the one in the cache. Blocks for as long as the
    /// disks take, 1 ms if they are fast; not for the loop.
    /// - Parameters:
    ///   - film: the film's path, in `FileAddress` notation.
    ///   - identity: the film's identity, if the caller knows it already.
    ///   - cache: the folder of sheets, if there is one.
    /// - Returns: `nil` if the film has no sheet, or only damaged ones.
    public static func find(
        for film: String, identity: FilmIdentity? = nil, in cache: SheetCache? = nil
    ) -> ScrubSheet? {
        guard let identity = identity ?? (try? FilmIdentity.of(film)) else { return nil }
        let paths = SheetPlace.beside(film: film).paths + (cache?.place(of: identity).paths ?? [])
        let sheets = paths.lazy.compactMap { try? ScrubSheet($0, of: identity) }
        return sheets.first { $0.isComplete } ?? sheets.max { $0.count < $1.count }
    }

    /// Opens one file, a complete sheet or a growing one.
    /// - Parameter film: the film that it must belong to.
    public init(_ path: String, of film: FilmIdentity) throws(SheetError) {
        self.path = path
        self.film = film
        let file = try SheetFile(path, O_RDONLY)
        let size = Int64(try file.status().st_size)
        var head = [UInt8](repeating: 0, count: GrowingFormat.headerSize)
        guard try file.read(&head, at: 0) == head.count else {
            throw SheetError(path: path, reason: .damaged("it has no header"))
        }
        var index = SheetIndex()
        if let header = head.withUnsafeBytes({ GrowingFormat.Header($0) }) {
            guard header.film.hasBytes(of: film) else { throw SheetError(path: path, reason: .otherFilm) }
            let end = try GrowingFormat.scan(file, from: Int64(head.count), size: size) { index.insert($0) }
            (self.size, frame, plan) = (header.size, header.frame, header.plan)
            self.end = Mutex(end)
        } else {
            for entry in try BIFFormat.entries(file, size: size) { index.insert(entry) }
            // The stamp of the first intact picture applies to all.
            var (bytes, stamp) = ([UInt8](), SheetStamp?.none)
            for entry in index.entries.prefix(8) where stamp == nil {
                bytes = [UInt8](repeating: 0, count: entry.length)
                _ = try file.read(&bytes, at: entry.offset)
                stamp = bytes.withUnsafeBytes { SheetStamp(of: $0) }
            }
            guard let stamp else {
                throw SheetError(path: path, reason: .damaged("no picture says of which film it is"))
            }
            guard stamp.film.hasBytes(of: film) else { throw SheetError(path: path, reason: .otherFilm) }
            let shape = try SheetDecoder.size(of: bytes, path)
            (self.size, frame, plan) = (shape, stamp.frame, nil)
            end = Mutex(size)
        }
        self.file = file
        self.index = Mutex(index)
    }

    /// Whether all of its places have a picture. A sheet that was opened before its completion keeps its pictures, and
    /// is reopened by `find`.
    public var isComplete: Bool { plan == nil }

    /// The file's size, as far as it was read.
    public var byteCount: Int64 { end.withLock { $0 } }

    /// The number of pictures.
    public var count: Int { index.withLock(\.entries.count) }

    /// The pictures' times in rising order, in whole milliseconds for a complete sheet: for a filmstrip, or to find
    /// missing ones.
    public var times: [MediaTime] { index.withLock { $0.entries.map(\.time) } }

    /// The picture for a place of the film: that of the frame that an exact seek there shows, if the sheet has it, else
    /// the nearest one. Reads nothing, and takes less than a microsecond. Equal entries are the same picture: there is
    /// nothing new to show.
    public func nearest(to time: MediaTime) -> SheetEntry? {
        index.withLock { $0.nearest(to: time, frame: frame) }
    }

    /// Reads the pictures that were added to a growing sheet since it was opened or refreshed: one system call if there
    /// are none. Call it at the start of a drag, or a few times a second.
    /// - Returns: the number of new pictures.
    @discardableResult
    public func refresh() throws(SheetError) -> Int {
        guard !isComplete else { return 0 }
        let result = end.withLock { end in
            Result { () throws(SheetError) in try readOn(from: &end) }
        }
        return try result.get()
    }

    private func readOn(from end: inout Int64) throws(SheetError) -> Int {
        let size = Int64(try file.status().st_size)
        guard size > end else { return 0 }
        var found: [SheetEntry] = []
        end = try GrowingFormat.scan(file, from: end, size: size) { found.append($0) }
        return index.withLock { index in
            let before = index.entries.count
            for entry in found { index.insert(entry) }
            return index.entries.count - before
        }
    }

    /// Reads one picture's JPEG: 0.06 ms from a cached file, a millisecond or two from a card.
    /// - Parameter bytes: receives it; its memory is reused.
    /// - Throws: an error if the disk fails (a stick that was pulled out), or the picture is damaged or belongs to
    ///   another film.
    /// - Returns: the picture's properties.
    @discardableResult
    public func read(_ entry: SheetEntry, into bytes: inout [UInt8]) throws(SheetError) -> SheetPicture {
        guard (1...GrowingFormat.longest).contains(entry.length) else {
            throw SheetError(path: path, reason: .damaged("a picture of \(entry.length) bytes"))
        }
        if bytes.count != entry.length {
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: repeatElement(0, count: entry.length))
        }
        let count = try file.read(&bytes, at: entry.offset)
        guard count == entry.length, let stamp = bytes.withUnsafeBytes({ SheetStamp(of: $0) }),
            BIFFormat.milliseconds(stamp.time) == BIFFormat.milliseconds(entry.time)
        else { throw SheetError(path: path, reason: .damaged("the picture at \(entry.time.text(.milliseconds)) s")) }
        guard stamp.film.hasBytes(of: film) else { throw SheetError(path: path, reason: .otherFilm) }
        return SheetPicture(time: stamp.time, color: stamp.color)
    }
}

/// The properties in a picture's stamp.
public struct SheetPicture: Hashable, Sendable {
    /// The exact presentation time of its frame.
    public var time: MediaTime
    /// The encoding of its YCbCr, the film's own; `nil` if the film did not say.
    public var color: FilmColor?
}
