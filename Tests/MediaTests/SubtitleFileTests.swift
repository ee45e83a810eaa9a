import Glibc
import PlayerCore
import Testing

@testable import Media

/// Subtitles in files beside the film (A11), which anybody may have put there.
@Suite(.serialized) final class SubtitleFileTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/vitrine-subtitles-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for ending in ["ass", "vtt"] { unlink("\(folder)/film.\(ending)") }
        rmdir(folder)
    }

    /// In bytes, the most since `clear_refs` was told to count anew. The whole process's: other tests run beside.
    private func mostMemory() throws -> Int {
        let file = try #require(fopen("/proc/self/status", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if words.first == "VmHWM:", words.count > 1, let kilobytes = Int(words[1]) { return kilobytes << 10 }
        }
        return try #require(nil as Int?, "no VmHWM")
    }

    private func countAnew() throws {
        let file = try #require(fopen("/proc/self/clear_refs", "w"))
        defer { fclose(file) }
        fputs("5", file)
    }

    /// Of the largest size that is read. The last byte is not UTF-8's: all of it is looked at for that, and read once more.
    @Test(.timeLimit(.minutes(5)), arguments: ["ass", "vtt"])
    func `a file of empty lines takes not much more memory than its size`(_ ending: String) throws {
        let size = 8 << 20
        let path = "\(folder)/film.\(ending)"
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: size - 1) + [0xFF]
        let file = try #require(fopen(path, "w"))
        #expect(fwrite(bytes, 1, bytes.count, file) == size)
        fclose(file)
        try countAnew()
        let before = try mostMemory()
        #expect(try SubtitleFile(path: path).cues() == CueList())
        let taken = try mostMemory() - before
        // An array of its lines took more than fifty times its size.
        #expect(taken < 24 * size, "\(taken >> 20) MB")
    }
}
