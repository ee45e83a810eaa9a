internal import Glibc
public import PlayerCore
internal import TextFiles

/// Adds pictures to a film's sheet, and completes it. It continues an existing sheet.
///
/// For one thread at a time, in one process: the file is locked.
public final class SheetWriter {
    /// The place of a sheet.
    public enum Home: Hashable, Sendable {
        case beside(film: String)
        case cache(SheetCache)
    }

    /// The film's properties for its sheet.
    public struct Media: Hashable, Sendable {
        public var film: FilmIdentity
        public var plan: SheetPlan
        /// The duration of a frame; `nil` if it is unknown or varies.
        public var frame: MediaTime?
        public var size: SheetSize
        /// The number of places that the sheet may have if the film is longer than the plan.
        public var most: Int

        public init(
            film: FilmIdentity, plan: SheetPlan, frame: MediaTime?, size: SheetSize, most: Int = SheetPlan.mostPlaces
        ) {
            (self.film, self.plan, self.frame, self.size, self.most) = (film, plan, frame, size, most)
        }
    }

    public let media: Media
    public let place: SheetPlace
    /// The places that have a picture.
    public var coverage: SheetCoverage
    private let home: Home
    private let file: SheetFile
    private let encoder: SheetEncoder
    private var index = SheetIndex()
    /// The offset of the next record.
    private var end: Int64
    /// The file size up to which room was last requested.
    private var room: Int64

    /// Room is requested in steps of so many bytes, because checking the cache's folder takes a millisecond.
    private static let step: Int64 = 4 << 20

    /// Opens or creates the sheet. A file that is damaged, or belongs to another film or picture size, is started anew.
    /// - Throws: `.isBeingMade` if another program has it, `.noRoom` if the card is full.
    public init(_ media: Media, in home: Home) throws(SheetError) {
        (self.media, self.home) = (media, home)
        switch home {
        case .beside(let film): place = .beside(film: film)
        case .cache(let cache):
            place = cache.place(of: media.film)
            try cache.makeRoom(for: Self.step, of: media.film)
        }
        encoder = try SheetEncoder()
        coverage = SheetCoverage(media.plan, most: media.most)
        file = try SheetFile(place.growing, O_RDWR | O_CREAT)
        guard try file.lock() else { throw SheetError(path: place.growing, reason: .isBeingMade) }
        let header = GrowingFormat.Header(film: media.film, plan: media.plan, frame: media.frame, size: media.size)
        var bytes = [UInt8](repeating: 0, count: GrowingFormat.headerSize)
        let size = Int64(try file.status().st_size)
        (end, room) = (Int64(bytes.count), 0)
        let hasHeader = try file.read(&bytes, at: 0) == bytes.count
        let before = hasHeader ? bytes.withUnsafeBytes { GrowingFormat.Header($0) } : nil
        // The pictures are valid for any plan.
        if let before, before.film == header.film, before.size == header.size {
            if before != header { try file.write(header.bytes, at: 0) }
            var found: [SheetEntry] = []
            end = try GrowingFormat.scan(file, from: end, size: size) { found.append($0) }
            // The last record may be torn: its header is on the card, but not its bytes.
            while let last = found.last, !isWhole(last) {
                end = last.offset - Int64(GrowingFormat.recordHeadSize)
                found.removeLast()
            }
            for entry in found { index.insert(entry) }
            coverPictures()
            try file.truncate(to: end)
        } else {
            try file.truncate(to: 0)
            try file.write(header.bytes, at: 0)
        }
        room = end + Self.step
    }

    /// The sheet's size in bytes so far.
    public var byteCount: Int64 { end }

    /// Encodes a frame and appends it: readers see it from then on.
    /// - Parameters:
    ///   - planes: of the sheet's size.
    ///   - time: the frame's presentation time.
    ///   - color: the encoding of its YCbCr.
    public func append(_ planes: SheetPlanes, at time: MediaTime, _ color: FilmColor?) throws(SheetError) {
        guard planes.size == media.size, (MediaTime.zero...MediaTime.farthest).contains(time) else {
            throw SheetError(path: place.growing, reason: .damaged("a frame of another size, or without a time"))
        }
        let jpeg = try encoder.encode(planes)
        let stamp = SheetStamp(film: media.film, time: time, frame: media.frame, color: color)
        guard let picture = stamp.stamped(jpeg.bytes), picture.count <= GrowingFormat.longest else {
            throw SheetError(path: place.growing, reason: .jpeg("no JFIF header"))
        }
        let record = GrowingFormat.recordHead(time, picture.count) + picture
        try makeRoom(to: end + Int64(record.count))
        do throws(SheetError) {
            try file.write(record, at: end)
        } catch {
            // A partial record would be in the way of later ones.
            try? file.truncate(to: end)
            throw error
        }
        index.insert(
            SheetEntry(time: time, offset: end + Int64(GrowingFormat.recordHeadSize), length: picture.count))
        end += Int64(record.count)
        coverage.extend(to: time)
        coverage.fill(time)
    }

    private func coverPictures() {
        coverage = SheetCoverage(media.plan, most: media.most)
        for entry in index.entries {
            coverage.extend(to: entry.time)
            coverage.fill(entry.time)
        }
    }

    private func makeRoom(to end: Int64) throws(SheetError) {
        guard end > room, case .cache(let cache) = home else { return }
        try cache.makeRoom(for: Self.step, of: media.film)
        room = end + Self.step
    }

    /// Returns when the card has all appended pictures, so that a power cut loses none of them.
    public func sync() throws(SheetError) { try file.sync() }

    /// Rewrites the sheet as a BIF, in the film's order, and removes the growing file. Blocks while all of it is read
    /// and written.
    /// - Throws: an error if a picture is damaged. The growing file then ends before it, and goes on from there: the card
    ///   may have lost more than this picture.
    public func complete() throws(SheetError) {
        guard !index.entries.isEmpty else {
            throw SheetError(path: place.growing, reason: .damaged("it has no pictures"))
        }
        // Two frames within one millisecond would have the same time in the table.
        var pictures: [SheetEntry] = []
        for entry in index.entries
        where pictures.last.map({ BIFFormat.milliseconds($0.time) < BIFFormat.milliseconds(entry.time) }) ?? true {
            pictures.append(entry)
        }
        guard let head = BIFFormat.head(pictures.map { ($0.time, $0.length) }) else {
            throw SheetError(path: place.complete, reason: .damaged("it is too large for a BIF"))
        }
        // The budget does not count the copy, because it replaces the growing file: a card without room for both fails here.
        let part = "\(place.complete).part"
        do throws(SheetError) {
            let result = try SheetFile(part, O_RDWR | O_CREAT | O_TRUNC)
            try result.write(head, at: 0)
            var (offset, bytes) = (Int64(head.count), [UInt8]())
            for picture in pictures {
                bytes = [UInt8](repeating: 0, count: picture.length)
                guard try file.read(&bytes, at: picture.offset) == bytes.count, isWhole(bytes) else {
                    try drop(from: picture)
                    throw SheetError(
                        path: place.growing, reason: .damaged("the picture at \(picture.time.text(.milliseconds)) s"))
                }
                try result.write(bytes, at: offset)
                offset += Int64(bytes.count)
            }
            try result.sync()
            result.forgetPages()
            let status = FileAddress.withPath(part) { from in FileAddress.withPath(place.complete) { rename(from, $0) }
            }
            guard status == 0 else { throw SheetError(path: place.complete, reason: .system(call: "rename", errno)) }
        } catch {
            FileAddress.withPath(part) { _ = unlink($0) }
            throw error
        }
        SheetFile.syncFolder(of: place.complete)
        FileAddress.withPath(place.growing) { _ = unlink($0) }
    }

    /// Removes a picture, and all that follow it in the file.
    private func drop(from entry: SheetEntry) throws(SheetError) {
        end = entry.offset - Int64(GrowingFormat.recordHeadSize)
        try file.truncate(to: end)
        let kept = index.entries.filter { $0.offset < entry.offset }
        index = SheetIndex()
        for entry in kept { index.insert(entry) }
        coverPictures()
    }

    private func isWhole(_ entry: SheetEntry) -> Bool {
        var bytes = [UInt8](repeating: 0, count: entry.length)
        guard (try? file.read(&bytes, at: entry.offset)) == bytes.count else { return false }
        return isWhole(bytes)
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { SheetStamp(of: $0) }?.film.hasBytes(of: media.film) == true
    }
}
