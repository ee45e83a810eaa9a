internal import Glibc
public import PlayerCore
internal import Synchronization
internal import TextFiles

/// A film's scrub sheet, open for reading, also while another thread or process adds to it.
///
/// Any thread may call anything. It holds one descriptor and 32 bytes for each picture, 524 KB at most. All that it reads is checked:
/// a picture that is damaged or of another film is an error, never shown.
public final class ScrubSheet: Sendable {
    /// As `FileAddress` names files.
    public let path: String
    /// The film that it is of.
    public let film: FilmIdentity
    /// Of all its pictures.
    public let size: SheetSize
    /// How long a frame of the film is shown; `nil` where it is unknown.
    public let frame: MediaTime?
    /// The places that it is to have; `nil` of one that is complete.
    public let plan: SheetPlan?
    private let file: SheetFile
    private let index: Mutex<SheetIndex>
    /// Up to where a file that grows was read. Held while it is read on, so that `nearest` need not wait for the card.
    private let end: Mutex<Int64>

    /// Opens a film's sheet: beside the film where there is one, else in the cache. Blocks for as long as the disks take, 1 ms where they
    /// are fast; not for the loop.
    /// - Parameters:
    ///   - film: the film's path, as `FileAddress` names files.
    ///   - identity: of the film, where the caller knows it already.
    ///   - cache: the folder of sheets, where there is one.
    /// - Returns: `nil` where the film has no sheet, or only damaged ones.
    public static func find(
        for film: String, identity: FilmIdentity? = nil, in cache: SheetCache? = nil
    ) -> ScrubSheet? {
        guard let identity = identity ?? (try? FilmIdentity.of(film)) else { return nil }
        let paths = SheetPlace.beside(film: film).paths + (cache?.place(of: identity).paths ?? [])
        let sheets = paths.lazy.compactMap { try? ScrubSheet($0, of: identity) }
        return sheets.first { $0.isComplete } ?? sheets.max { $0.count < $1.count }
    }

    /// Opens one file, a complete sheet or one that grows.
    /// - Parameter film: which film it must be of.
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
            // What a picture says of itself, the first that is whole says of all.
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

    /// Whether all of its places have a picture. What was opened before it was completed keeps its pictures, and is opened anew by `find`.
    public var isComplete: Bool { plan == nil }

    /// The file's size, as far as it was read.
    public var byteCount: Int64 { end.withLock { $0 } }

    /// How many pictures it has.
    public var count: Int { index.withLock(\.entries.count) }

    /// Their times in rising order, to whole milliseconds of a complete sheet: for a filmstrip, or to tell which are missing.
    public var times: [MediaTime] { index.withLock { $0.entries.map(\.time) } }

    /// The picture for a place of the film: of the frame that an exact seek there shows, where the sheet has it, else the nearest one. Reads
    /// nothing, and takes less than a microsecond. Equal entries are the same picture: there is nothing new to show.
    public func nearest(to time: MediaTime) -> SheetEntry? {
        index.withLock { $0.nearest(to: time, frame: frame) }
    }

    /// Takes in what was added to a sheet that grows since it was opened or refreshed: one call of the kernel's where that is nothing. At the
    /// start of a drag, or a few times a second.
    /// - Returns: how many pictures came.
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

    /// Reads one picture's JPEG: 0.06 ms of a file that was read before, a millisecond or two of a card.
    /// - Parameter bytes: takes it; its memory is used again.
    /// - Throws: where the disk does not give it (a stick that was pulled out), and where it is damaged or of another film.
    /// - Returns: what it says of itself.
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

/// What a picture of a sheet says of itself.
public struct SheetPicture: Hashable, Sendable {
    /// The presentation time of its frame, exactly.
    public var time: MediaTime
    /// How its YCbCr is meant: as the film's own; `nil` where the film did not say.
    public var color: FilmColor?
}
