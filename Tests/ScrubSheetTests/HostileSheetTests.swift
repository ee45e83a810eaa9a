import Glibc
import PlayerCore
import Testing

@testable import ScrubSheet

/// Damaged sheets: no crash, no picture of another film, no picture for a wrong frame.
struct HostileSheetTests {
    private let bench: SheetBench

    /// A usual run has a tenth (tools/check --thorough).
    private static let count = getenv("VITRINE_THOROUGH") == nil ? 500 : 5_000

    init() throws { bench = try SheetBench() }

    @Test(arguments: [false, true]) func `of damaged sheets each picture is right or none`(_ isComplete: Bool) throws {
        let writer = try bench.writer(0..<10)
        if isComplete { try writer.complete() }
        let path = "\(bench.folder)/damaged"
        let whole = try bench.bytes(of: isComplete ? "\(bench.film).bif" : "\(bench.film).sheet")
        let film = try FilmIdentity.of(bench.film)
        var random = Generator(state: isComplete ? 1 : 2)
        var (opened, pictures, refused) = (0, 0, 0)
        for _ in 0..<Self.count {
            try bench.write(Self.damaged(whole, &random), to: path)
            guard let sheet = try? ScrubSheet(path, of: film) else { continue }
            opened += 1
            #expect(sheet.count <= SheetPlan.mostPlaces)
            _ = try? sheet.refresh()
            for place in [0, 170, 399] as [Int64] {
                do {
                    guard sheet.count > 0 else { continue }
                    // A shown picture is intact, and names its frame.
                    #expect(try SheetBench.shown(sheet, at: .milliseconds(place)) != nil)
                    pictures += 1
                } catch {
                    refused += 1
                }
            }
        }
        unlink(path)
        #expect(
            opened > Self.count / 10 && pictures > Self.count / 10 && refused > Self.count / 100,
            "\(opened) opened, \(pictures) shown, \(refused) refused")
    }

    @Test func `a damaged sheet that grew is gone on with`() throws {
        _ = try bench.writer(0..<4)
        let path = "\(bench.film).sheet"
        let whole = try bench.bytes(of: path)
        var random = Generator(state: 3)
        for _ in 0..<Self.count / 2 {
            try bench.write(Self.damaged(whole, &random), to: path)
            let writer = try bench.writer([])
            #expect(writer.coverage.filled <= 10)
            try bench.append([9], to: writer)
            #expect(try SheetBench.shown(#require(ScrubSheet.find(for: bench.film)), at: .seconds(9)) == 9)
            unlink(path)
        }
    }

    @Test func `a sheet with a damaged picture in the middle becomes complete`() throws {
        _ = try bench.writer(0..<4)
        let path = "\(bench.film).sheet"
        var bytes = try bench.bytes(of: path)
        bytes[bytes.count / 2] ^= 1
        try bench.write(bytes, to: path)
        #expect(throws: SheetError.self) { try bench.writer([]).complete() }
        let again = try bench.writer([])
        #expect((1...2).contains(again.coverage.filled))
        try bench.append(again.coverage.filled..<4, to: again)
        try again.complete()
        let sheet = try #require(ScrubSheet.find(for: bench.film))
        #expect(sheet.isComplete)
        for frame in 0..<4 { #expect(try SheetBench.shown(sheet, at: SheetBench.frame * Int64(frame)) == frame) }
    }

    /// Bytes that were changed, lost, repeated or replaced; in the headers more often than in the pictures.
    private static func damaged(_ whole: [UInt8], _ random: inout Generator) -> [UInt8] {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { break }
            let reach = Bool.random(using: &random) ? min(bytes.count, 160) : bytes.count
            let place = Int.random(in: 0..<reach, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
            case 2: bytes.removeLast(bytes.count - place)
            case 3: bytes.removeSubrange(place..<min(place + Int.random(in: 1...64, using: &random), bytes.count))
            case 4:
                let end = min(place + Int.random(in: 1...2000, using: &random), bytes.count)
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 5:
                for at in place..<min(place + 512, bytes.count) { bytes[at] = 0 }
            default:
                for at in place..<min(place + 4, bytes.count) { bytes[at] = .random(in: 0...255, using: &random) }
            }
        }
        return bytes
    }

    @Test func `a picture of another film among this one's is refused, though all its sums are right`() throws {
        let writer = try bench.writer([0, 1])
        try writer.complete()
        let bif = try bench.bytes(of: "\(bench.film).bif")
        var other = FilmIdentity(size: 5, hash: 6, modified: 7)
        let jpeg = try { () throws -> [UInt8] in
            let sheet = try #require(ScrubSheet.find(for: bench.film))
            var bytes: [UInt8] = []
            try sheet.read(#require(sheet.nearest(to: .seconds(1))), into: &bytes)
            // As libjpeg-turbo encoded it, stamped for the other film.
            return bytes.withUnsafeBytes { bytes in
                let plain = Array(bytes[..<20]) + Array(bytes[76...])
                return plain.withUnsafeBytes {
                    SheetStamp(film: other, time: SheetBench.frame, frame: SheetBench.frame, color: nil).stamped($0)
                }
            } ?? []
        }()
        other.size = 0
        try bench.write(bif.dropLast(jpeg.count) + jpeg, to: "\(bench.film).bif")
        let sheet = try #require(ScrubSheet.find(for: bench.film))
        #expect(try SheetBench.shown(sheet, at: .zero) == 0)
        let error = #expect(throws: SheetError.self) { try SheetBench.shown(sheet, at: .seconds(1)) }
        #expect(error?.reason == .otherFilm)
    }

    @Test func `folders, pipes and empty files are no sheets`() throws {
        let film = try FilmIdentity.of(bench.film)
        #expect(throws: SheetError.self) { try ScrubSheet(bench.folder, of: film) }
        #expect(throws: SheetError.self) { try FilmIdentity.of(bench.folder) }
        let pipe = "\(bench.film).sheet"
        mkfifo(pipe, 0o600)
        #expect(throws: SheetError.self) { try ScrubSheet(pipe, of: film) }
        #expect(throws: SheetError.self) { try bench.writer([]) }
        unlink(pipe)
        try bench.write([], to: pipe)
        #expect(throws: SheetError.self) { try ScrubSheet(pipe, of: film) }
        #expect(ScrubSheet.find(for: "\(bench.folder)/none") == nil)
    }

    /// The same mutations in each run (SplitMix64).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }
}
