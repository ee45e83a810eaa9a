import Testing

@testable import PlayerCore

/// ASS and SSA beside the film (A11).
struct SubStationAlphaTests {
    private func texts(_ lines: [String]) -> [String] { SubStationAlpha.cues(of: lines).cues.map(\.text) }

    private static let format = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"

    @Test func `what is said is read, with its times`() {
        let script = [
            "[Script Info]", "Title: Dialogue: none", "", "[V4+ Styles]", "Format: Name, Fontname",
            "Style: Default,Sans", "", "[Events]", Self.format,
            "Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not this",
            "Dialogue: 0,0:00:01.50,0:00:02.25,Default,Roger,0,0,0,,Hello, you\\Nthere",
            "Dialogue: 0,1:00:00.00,1:00:01.00,Default,,0,0,0,,{\\i1\\pos(1,2)}Later{\\i0}\\hon",
            "[Fonts]", "Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,a font",
        ]
        #expect(
            SubStationAlpha.cues(of: script).cues == [
                Cue(start: .milliseconds(1500), end: .milliseconds(2250), text: "Hello, you\nthere"),
                Cue(start: .seconds(3600), end: .seconds(3601), text: "Later on"),
            ])
    }

    /// SSA's version 4 has another first field.
    @Test func `the fields are where the format says`() {
        #expect(
            texts([
                "[Events]", "Format: Marked, Start, End, Text", "Dialogue: Marked=0, 0:00:01.00, 0:00:02.00,a, b",
            ]) == ["a, b"])
    }

    @Test(arguments: [
        ("{\\p1}m 0 0 l 100 0{\\p0}said", "said"), ("{\\an8\\p4}m 0 0", nil), ("{\\pbo3}said", "said"),
        ("an open { brace", "an open { brace"), ("back\\slash", "back\\slash"), ("{}", nil),
    ])
    func `drawings and overrides are no text`(_ text: String, _ plain: String?) {
        let line = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,\(text)"
        #expect(texts(["[Events]", Self.format, line]) == [plain].compactMap { $0 })
    }

    @Test func `damaged lines are passed over`() {
        let lines = [
            "[Events]", "Dialogue: 0,0:00:01.00,0:00:02.00,before the format", Self.format, "Dialogue:",
            "Dialogue: 0,one,two,Default,,0,0,0,,a", "Dialogue: 0,0:00:01.00",
            "Dialogue: 0,0:00:02.00,0:00:01.00,Default,,0,0,0,,b",
        ]
        #expect(texts(lines).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `hostile scripts take no time, and have no times that no film has`() {
        let braces = String(repeating: "{", count: 1_000_000)
        let late = "999999:00:00.00,999999:30:00.00"
        let lines = [
            "Dialogue: 0,0:00:00.00,999999:00:00.00,Default,,0,0,0,,long",
            "Dialogue: 0,\(late),Default,,0,0,0,,late", "Dialogue: 0,\(late),Default,,0,0,0,,later",
            "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,\(braces)",
        ]
        let cues = SubStationAlpha.cues(of: ["[Events]", Self.format] + lines).cues
        #expect(cues.map(\.start) == [.zero, .seconds(1)] && cues.first.map { $0.end < .seconds(60) } == true)
    }
}
