import Glibc
import Testing
import TextFiles

/// Files that are read whole, and the encodings of editors.
final class WholeFileTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/vitrine-whole-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        let path = "\(folder)/file"
        let stream = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
        return path
    }

    deinit {
        unlink("\(folder)/file")
        rmdir(folder)
    }

    @Test func `a file of the largest size is read to its end, one byte more is an error`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let path = try write(bytes)
        #expect(try WholeFile.bytes(of: path, atMost: 100_000) == bytes)
        let error = #expect(throws: WholeFileError.self) { try WholeFile.bytes(of: path, atMost: 99_999) }
        #expect(error?.path == path && error?.reason == .isLarger(limit: 99_999))
        #expect(error.map { "\($0)" } == "\(path) is larger than 97 KB")
    }

    @Test func `what is not there, and what is no file, says why`() throws {
        let missing = #expect(throws: WholeFileError.self) { try WholeFile.bytes(of: "/nowhere/file") }
        #expect(missing?.reason == .cannotOpen(ENOENT))
        let folder = #expect(throws: WholeFileError.self) { try WholeFile.bytes(of: "/tmp") }
        #expect(folder?.reason == .cannotRead(EISDIR))
        #expect(try WholeFile.bytes(of: try write([])) == [])
    }

    @Test func `text is read as editors save it`() {
        let text = "M\u{FC}ller\r\n\u{20AC}"
        var little: [UInt8] = [0xFF, 0xFE]
        var big: [UInt8] = [0xFE, 0xFF]
        for unit in text.utf16 {
            little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        for bytes in [Array(text.utf8), marked, little, big] {
            let read = FileText(bytes)
            #expect(Array(read.lines) == ["M\u{FC}ller", "\u{20AC}"])
            #expect(read.firstForeignLine == nil && !read.hasZeros)
        }
        let ends = FileText(Array("\na\r\r\nb\n\r".utf8))
        #expect(Array(ends.lines) == ["", "a", "", "b", "", ""])
        #expect(Array(FileText([]).lines) == [""])
        let ansi = FileText(Array("a\nM".utf8) + [0xFC, 0x80])
        #expect(Array(ansi.lines) == ["a", "M\u{FC}\u{20AC}"] && ansi.firstForeignLine == 2)
        let zeros = FileText(Array("a\0b".utf8))
        #expect(Array(zeros.lines) == ["ab"] && zeros.hasZeros)
    }
}
