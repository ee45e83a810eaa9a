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
        for ending in ["ass", "vtt", "srt"] { unlink("\(folder)/film.\(ending)") }
        rmdir(folder)
    }

    private func write(_ bytes: some Collection<UInt8>, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(Array(bytes), 1, bytes.count, file) == bytes.count)
    }

    /// Each letter takes two bytes: whatever pieces the file is read in, one of them is cut there, with one of the two paddings.
    @Test(arguments: [0, 1]) func `Unicode is read as such wherever it is cut (A11)`(_ padding: Int) throws {
        let texts = (1...200).map { "Строка \($0): съешь ещё этих мягких французских булок" }
        let cues = texts.enumerated().map { second, text in
            "\(second + 1)\n00:\(10 + second / 60):\(10 + second % 60 / 2),000 --> 00:\(10 + second / 60):\(10 + second % 60 / 2),400\n\(text)\n\n"
        }
        let path = "\(folder)/film.srt"
        try write((String(repeating: "\n", count: padding) + cues.joined()).utf8, to: path)
        let read = try SubtitleFile(path: path, language: LanguageTag("ru")).cues()
        #expect(Set(read.cues.map(\.text)) == Set(texts))
    }

    /// In what its language's Windows writes, and longer than what is read at once by default.
    @Test func `other encodings are those of the language (A11)`() throws {
        let cue = { (number: Int) in "\(number)\n00:00:\(9 + number),000 --> 00:00:\(9 + number),500\n" }
        // "Привет" in Windows-1251, many times.
        let word: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20]
        var bytes: [UInt8] = []
        for number in 1...3 {
            bytes += Array(cue(number).utf8) + Array(repeatElement(word, count: 300).joined()) + Array("\n\n".utf8)
        }
        let path = "\(folder)/film.srt"
        try write(bytes, to: path)
        let read = try SubtitleFile(path: path, language: LanguageTag("ru")).cues()
        #expect(read.cues.count == 3)
        #expect(read.cues.allSatisfy { $0.text.split(separator: " ").allSatisfy { $0 == "Привет" } })
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
