import Foundation
import PlayerCore
import Testing

@testable import Media

/// The chapters of an MP4, also with damaged boxes.
struct MP4ChaptersTests {
    private func box(_ name: String, _ contents: [UInt8], size: UInt32? = nil) -> [UInt8] {
        let size = size ?? UInt32(contents.count + 8)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(name.utf8) + contents
    }

    private func long(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        [0, 0, 0, 1] + Array(name.utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(contents.count + 16)] + contents
    }

    private func chapters(_ bytes: [UInt8]) throws -> ChapterList {
        let file = FileManager.default.temporaryDirectory.appending(path: "vitrine-\(UUID().uuidString).mp4")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return MP4Chapters.of(file.path)
    }

    private static let list: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0xFA, 0xF0, 0x80, 1, 0x41]
    private let one = ChapterList([Chapter(start: .seconds(5), title: "A")])

    @Test func `they are found in moov, udta, chpl, wherever the frames are`() throws {
        let inner = box("udta", box("meta", [1, 2, 3]) + box("chpl", Self.list))
        let moov = box("mvhd", [0, 0]) + inner
        #expect(try chapters(box("ftyp", []) + box("mdat", [9, 9]) + box("moov", moov)) == one)
        #expect(try chapters(box("ftyp", []) + long("moov", moov) + box("mdat", [9], size: 0)) == one)
    }

    @Test func `a box that is larger than what holds it, or smaller than its head, ends the search`() throws {
        for size: UInt32 in [0xFFFF_FFFF, 7, 2, 200] {
            #expect(
                try chapters(box("mdat", [1, 2], size: size) + box("moov", box("udta", box("chpl", Self.list)))).isEmpty
            )
        }
        #expect(try chapters(box("moov", box("udta", box("chpl", Self.list, size: 0xFFFF)))).isEmpty)
        #expect(try chapters([]).isEmpty)
        #expect(MP4Chapters.of("/nowhere/film.mp4").isEmpty)
    }
}
