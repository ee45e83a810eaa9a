import Glibc
import PlayerCore
import Testing

@testable import ScrubSheet

/// Sheets that are made, read while they grow, completed, and continued.
struct ScrubSheetTests {
    private let bench: SheetBench

    init() throws { bench = try SheetBench() }

    private func find(in cache: SheetCache? = nil) -> ScrubSheet? { ScrubSheet.find(for: bench.film, in: cache) }

    @Test func `a reader sees what is added while it is open`() throws {
        let writer = try bench.writer([3])
        let sheet = try #require(find())
        #expect(!sheet.isComplete && sheet.count == 1 && sheet.size == SheetBench.size && sheet.plan?.count == 10)
        #expect(try SheetBench.shown(sheet, at: .zero) == 3)
        try bench.append([0, 7], to: writer)
        #expect(sheet.nearest(to: .zero)?.time == SheetBench.frame * 3)
        #expect(try sheet.refresh() == 2 && sheet.refresh() == 0)
        #expect(try SheetBench.shown(sheet, at: .zero) == 0)
        #expect(try SheetBench.shown(sheet, at: .seconds(9)) == 7)
    }

    @Test func `a complete one is a BIF, and the file that grew is gone`() throws {
        let writer = try bench.writer([4, 0, 2])
        let growing = try #require(find())
        try writer.complete()
        #expect(bench.names == ["film.mp4", "film.mp4.bif"])
        let sheet = try #require(find())
        #expect(
            sheet.isComplete && sheet.count == 3 && sheet.size == SheetBench.size && sheet.frame == SheetBench.frame)
        #expect(sheet.times == [0, 80, 160].map { .milliseconds($0) })
        for (place, frame) in [(0, 0), (59, 0), (61, 2), (139, 2), (141, 4), (400, 4)] as [(Int64, Int)] {
            #expect(try SheetBench.shown(sheet, at: .milliseconds(place)) == frame, "at \(place) ms")
        }
        // A sheet that was opened before still has its pictures.
        #expect(try SheetBench.shown(growing, at: .zero) == 0)
        let entry = try #require(sheet.nearest(to: .zero))
        var bytes: [UInt8] = []
        #expect(try sheet.read(entry, into: &bytes) == SheetPicture(time: .zero, color: FilmColor(matrix: .bt709)))
        #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test func `the decoder scales, and takes no other size`() throws {
        try bench.writer([5]).complete()
        let sheet = try #require(find())
        let sizes = SheetDecoder.sizes(for: sheet.size)
        #expect(sizes.contains(SheetSize(width: 32, height: 18)) && sizes.contains(SheetBench.size))
        for size in sizes { #expect(try SheetBench.shown(sheet, at: .zero, size: size) == 5) }
        #expect(throws: SheetError.self) {
            try SheetBench.shown(sheet, at: .zero, size: SheetSize(width: 62, height: 36))
        }
    }

    @Test func `making goes on where it was broken off, at any byte`() throws {
        let whole = try { () in
            let writer = try bench.writer([0, 1, 2])
            return try bench.bytes(of: writer.place.growing)
        }()
        let path = "\(bench.film).sheet"
        let record = (whole.count - GrowingFormat.headerSize) / 3
        for cut in stride(from: 0, through: whole.count, by: 7) {
            try bench.write(Array(whole[..<cut]), to: path)
            let writer = try bench.writer([])
            #expect(writer.coverage.filled == max(cut - GrowingFormat.headerSize, 0) / record, "cut at \(cut)")
            try bench.append([8], to: writer)
            let sheet = try #require(find())
            #expect(sheet.count == writer.coverage.filled)
            #expect(try SheetBench.shown(sheet, at: .seconds(1)) == 8)
            unlink(path)
        }
        // The header of the last record is on the card, its bytes are zeros.
        for zeros in [1, record / 2, record - GrowingFormat.recordHeadSize] {
            try bench.write(whole.dropLast(zeros) + [UInt8](repeating: 0, count: zeros), to: path)
            #expect(try bench.writer([]).coverage.filled == 2)
            unlink(path)
        }
    }

    @Test func `another plan keeps the pictures, a replaced film none`() throws {
        _ = try bench.writer([0, 1])
        do {
            let other = try SheetWriter(bench.media(count: 9), in: .beside(film: bench.film))
            #expect(other.coverage.filled == 2 && find()?.count == 2 && find()?.plan?.count == 9)
            try bench.append([5], to: other)
        }
        try bench.write([UInt8](repeating: 1, count: 200_000), to: bench.film)
        #expect(find() == nil)
        #expect(try bench.writer([]).coverage.filled == 0)
    }

    @Test func `only one makes a sheet`() throws {
        let writer = try bench.writer([0])
        let error = #expect(throws: SheetError.self) { try bench.writer([]) }
        #expect(error?.reason == .isBeingMade)
        try bench.append([1], to: writer)
    }

    @Test func `a sheet of another film is never read, whatever its name`() throws {
        try bench.writer([0, 1]).complete()
        try bench.write([UInt8](repeating: 9, count: 300_000), to: bench.film)
        #expect(find() == nil)
        let error = #expect(throws: SheetError.self) {
            try ScrubSheet("\(bench.film).bif", of: FilmIdentity.of(bench.film))
        }
        #expect(error?.reason == .otherFilm)
    }

    @Test func `the cache knows films by their bytes, and forgets those that nobody scrubs`() throws {
        let cache = SheetCache(folder: "\(bench.folder)/cache")
        #expect(find(in: cache) == nil)
        try bench.writer([0, 1], in: .cache(cache)).complete()
        #expect(try #require(find(in: cache)).count == 2)
        #expect(cache.budget().kept.map(\.scrubbed) == [0])
        cache.noteScrubbed(try FilmIdentity.of(bench.film))
        let budget = cache.budget()
        #expect(budget.kept.count == 1 && budget.kept[0].scrubbed > 1_000_000_000 && budget.kept[0].bytes > 0)
        #expect(budget.limit == (budget.free + budget.kept[0].bytes) / 4)
        let film = try FilmIdentity.of(bench.film)
        let taken = budget.kept[0].bytes
        let error = #expect(throws: SheetError.self) { try cache.makeRoom(for: taken + 1, of: film, free: 7 * taken) }
        #expect(error?.reason == .noRoom)
        try cache.makeRoom(for: taken, of: film, free: 7 * taken)
        // Another film, which is scrubbed later, needs all the room.
        let later = FilmIdentity(size: 1, hash: 2, modified: 3)
        cache.noteScrubbed(later)
        let moment = timeval(tv_sec: 4_000_000_000, tv_usec: 0)
        utimes("\(cache.folder)/\(later.name).scrubbed", [moment, moment])
        try cache.makeRoom(for: taken, of: later, free: 7 * taken)
        #expect(find(in: cache) != nil)
        try cache.makeRoom(for: taken + 1, of: later, free: 7 * taken)
        #expect(find(in: cache) == nil && bench.names == ["cache/\(later.name).scrubbed", "film.mp4"])
    }

    @Test func `where nothing can be written it says so, and what is there is read`() throws {
        try bench.writer([0]).complete()
        let missing = #expect(throws: SheetError.self) {
            try bench.writer([], in: .cache(SheetCache(folder: "/proc/none")))
        }
        #expect(missing?.path == "/proc/none" && find() != nil)
        let full = try SheetWriter(bench.media(), in: .beside(film: bench.film))
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
        try bench.append([0], to: full)
        signal(SIGXFSZ, SIG_IGN)
        var small = rlimit(rlim_cur: rlim_t(full.byteCount) + 100, rlim_max: limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
        let before = full.byteCount
        #expect(throws: SheetError.self) { try bench.append([1], to: full) }
        // A partially written record is removed again.
        #expect(full.byteCount == before)
        #expect(try bench.bytes(of: full.place.growing).count == Int(before))
    }

    @Test func `a checksum is what everybody's is`() {
        for text in ["", "a", "123456789", "The quick brown fox jumps over the lazy dog"] {
            var sum = CRC32()
            let bytes = Array(text.utf8)
            bytes.withUnsafeBytes { sum.add($0) }
            let expected: [String: UInt32] = [
                "": 0, "a": 0xE8B7_BE43, "123456789": 0xCBF4_3926,
                "The quick brown fox jumps over the lazy dog": 0x414F_A339,
            ]
            #expect(sum.value == expected[text])
        }
    }
}
