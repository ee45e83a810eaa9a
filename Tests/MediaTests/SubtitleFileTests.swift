import FoundationEssentials
import Glibc
import PlayerCore
import Testing

@testable import Media

/// Subtitle files beside the film (A11), which anybody may have put there.
@Suite(.serialized) final class SubtitleFileTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/vitrine-subtitles-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var path: String { "\(folder)/film.srt" }

    private func write(_ bytes: some Collection<UInt8>) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(Array(bytes), 1, bytes.count, file) == bytes.count)
    }

    private func srt(_ cues: [Cue]) -> String {
        cues.enumerated().map { place, cue in
            "\(place + 1)\n\(cue.start),000 --> \(cue.end),000\n\(cue.text)\n\n"
        }.joined()
    }

    /// A letter takes two bytes.
    private static let cues = (0..<200).map { number in
        let start = MediaTime.seconds(Int64(2 * number))
        return Cue(
            start: start, end: start + .seconds(1), text: "Съешь этих мягких французских булок, строка \(number)")
    }

    /// In the encodings of editors, and, if not Unicode, in Windows' code page of the language.
    @Test(arguments: ["UTF-8 with a mark", "UTF-16", "Windows-1251"])
    func `other encodings are recognized`(_ encoding: String) throws {
        let text = srt(Self.cues)
        var bytes: [UInt8] = []
        switch encoding {
        case "UTF-16":
            bytes = [0xFF, 0xFE]
            for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        case "Windows-1251":
            // From А to я.
            for scalar in text.unicodeScalars {
                bytes.append(UInt8(scalar.isASCII ? scalar.value : scalar.value - 0x410 + 0xC0))
            }
        default: bytes = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        }
        try write(bytes)
        #expect(try SubtitleFile(path: path, language: LanguageTag("ru")).cues().cues == Self.cues)
    }

    /// 0x98 is undefined in Windows-1251; the second line is "Привет".
    @Test func `a byte that stands for nothing costs its line alone`() throws {
        let text: [UInt8] = [0x20, 0x98, 0x0A, 0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x0A]
        try write(Array("1\n00:00:00,000 --> 00:00:01,000\nx".utf8) + text)
        let cues = try SubtitleFile(path: path, language: LanguageTag("ru")).cues().cues
        #expect(cues.count == 1 && cues.first?.text.split(separator: "\n").last == "Привет", "\(cues)")
        // ① of Windows' Japanese, which Shift JIS does not have.
        try write(Array("1\n00:00:00,000 --> 00:00:01,000\n".utf8) + [0x87, 0x40, 0x82, 0xA0, 0x0A])
        #expect(try SubtitleFile(path: path, language: LanguageTag("ja")).cues().cues.first?.text == "①あ")
    }

    @Test func `a text behind a million blank lines is found`() throws {
        let (first, second) = (Self.cues[0], Self.cues[1])
        try write((srt([first]) + String(repeating: "\n", count: 1 << 20) + srt([second])).utf8)
        #expect(try SubtitleFile(path: path).cues().cues == [first, second])
    }

    /// A hostile file repeats them, so that the list never fills up.
    @Test func `no more texts are looked at than there may be`() throws {
        let repeated = Cue(start: .zero, end: .seconds(1), text: "again")
        try write((String(repeating: srt([repeated]), count: CueList.mostRead) + srt([Self.cues[1]])).utf8)
        #expect(try SubtitleFile(path: path).cues().cues == [repeated])
    }

    @Test(arguments: [
        "WEBVTT\n\n00:00.500 --> 00:01.500\nOne\n",
        "[Script Info]\n\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:00.50,0:00:01.50,One\n",
    ])
    func `another kind of subtitles is known by its first line`(_ text: String) throws {
        try write(text.utf8)
        let one = Cue(start: .milliseconds(500), end: .milliseconds(1500), text: "One")
        #expect(try SubtitleFile(path: path).cues().cues == [one])
    }

    @Test func `a file that is too large says so`() throws {
        try write([UInt8](repeating: UInt8(ascii: "\n"), count: 8 << 20 + 1))
        let failure = #expect(throws: MediaFailure.self) { try SubtitleFile(path: path).cues() }
        #expect(failure?.message == "\(path) is larger than 8192 KB")
    }

    /// Composed and decomposed letters are the same to people, and so are a name in UTF-8 and one in another encoding.
    @Test func `a film's subtitles are found as people read names`() throws {
        let names: [[UInt8]] = [
            Array("u\u{308}ber.mkv".utf8), Array("\u{FC}ber.de.srt".utf8), [0xF6] + Array("l.mkv".utf8),
            [0xF6] + Array("l.en.srt".utf8), Array("\u{F6}l.srt".utf8),
        ]
        for name in names {
            let file = try #require(
                fopen(Array("\(folder)/".utf8).map(CChar.init) + name.map(CChar.init(bitPattern:)) + [0], "w"))
            fputs(srt([Self.cues[0]]), file)
            fclose(file)
        }
        let composed = SubtitleFile.beside(try MediaLocation("\(folder)/u\u{308}ber.mkv"))
        #expect(composed.map(\.language) == [LanguageTag("de")])
        let bytes = SubtitleFile.beside(try MediaLocation("file://\(folder)/%F6l.mkv"))
        #expect(bytes.map(\.language) == [LanguageTag("en"), nil])
        for file in composed + bytes { #expect(try file.cues().cues == [Self.cues[0]], "\(file.path)") }
    }

    /// The most bytes since `clear_refs` reset the count. It is the whole process's: other tests run concurrently.
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

    /// A quarter of the largest size that is read. The last byte is not UTF-8: all of it is checked for that, and
    /// decoded once more.
    @Test(.timeLimit(.minutes(5)), arguments: ["ass", "vtt"])
    func `a file of empty lines takes not much more memory than its size`(_ ending: String) throws {
        let size = 2 << 20
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
