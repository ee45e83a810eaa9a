import Testing

@testable import PlayerCore

/// SubRip files beside the film (A11), as people write them.
struct SubRipTests {
    private static let (first, second) = ("00:00:00,500 --> 00:00:01,500", "00:00:02,000 --> 00:00:03,000")

    @Test(arguments: [
        ("as it is meant", "1\n\(first)\nOne\n\n2\n\(second)\nTwo\n", "One"),
        ("without counters", "\(first)\nOne\n\n\(second)\nTwo\n", "One"),
        ("without counters, a number", "\(first)\n7\n\n\(second)\nTwo\n", "7"),
        ("a title before", "Subtitles by the museum\n\n1\n\(first)\nOne\n\n2\n\(second)\nTwo\n", "One"),
        ("without blank lines", "1\n\(first)\nOne\n2\n\(second)\nTwo", "One"),
        ("each line apart", "1\n\n\(first)\n\nOne\n\n2\n\n\(second)\n\nTwo\n", "One"),
        ("a blank line inside", "1\n\(first)\nOne\n \nand a half\n\n2\n\(second)\nTwo\n", "One\nand a half"),
        ("large counters", "12000\n\(first)\nOne\n\n12001\n\(second)\nTwo\n", "One"),
        ("a number", "1\n\(first)\n7\n\n2\n\(second)\nTwo\n", "7"),
        ("numbers", "1\n\(first)\n3\n2\n\n2\n\(second)\nTwo\n", "3\n2"),
        ("an arrow in a text", "1\n\(first)\nA --> B\n\n2\n\(second)\nTwo\n", "A --> B"),
        (
            "tags",
            "1\n\(first)\n{\\an8}<font color=\"#fff\">One</font> {\\i1}and{\\i0} {half}\n\n2\n\(second)\n{\\pos(1,2)}Two\n",
            "One and {half}"
        ),
        (
            "right to left", "1\n\(first)\n\u{5E9}\u{5DC}\u{5D5}\u{5DD}, (2026)!\n\n2\n\(second)\nTwo\n",
            "\u{5E9}\u{5DC}\u{5D5}\u{5DD}, (2026)!"
        ),
        ("coordinates", "1\n\(first) X1:100 X2:200 Y1:10 Y2:20\nOne\n\n2\n\(second)\nTwo\n", "One"),
    ])
    func `texts are found`(_ kind: String, _ file: String, _ text: String) {
        expect(file, kind, text)
    }

    @Test(arguments: [
        "00:00:00,500 \u{2013}> 00:00:01,500", "00:00:00,500-->00:00:01,500", "00:00:00:500 --> 00:00:01:500",
        "00:00:00.500 -> 00:00:01.500", "0:0:0,5 --> 0:0:1,5", "00:00, 500 --> 00:01,500",
        "00:00:00,500 \u{2192} 00:00:01,500", "00:00:00,500 ==> 00:00:01,500", "  00:00:00,500\t-->\t00:00:01,500 ",
    ])
    func `times are read in many ways`(_ times: String) {
        expect("1\n\(times)\nOne\n\n2\n\(Self.second)\nTwo\n", times, "One")
    }

    private func expect(_ file: String, _ kind: String, _ text: String) {
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let cues = [
            Cue(start: .milliseconds(500), end: .milliseconds(1500), text: text),
            Cue(start: .seconds(2), end: .seconds(3), text: "Two"),
        ]
        #expect(SubRip.cues(of: lines).cues == cues, "\(kind)")
    }

    @Test func `the last text may be a number, and a text without a sensible time is none`() {
        let lines = ["1", "00:00:01,000 --> 00:00:02,000", "2", "1"]
        #expect(SubRip.cues(of: lines).cues.map(\.text) == ["2\n1"])
        #expect(SubRip.cues(of: ["1", "00:00:02,000 --> 00:00:01,000", "One", "1 --> 2", "->", ">"]).cues.isEmpty)
        #expect(SubRip.cues(of: []).cues.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a hostile file takes no time`() {
        let open = String(repeating: "<{\\", count: 300_000) + ">"
        let text = SubRip.cues(of: [Self.first, open]).cues.map(\.text)
        #expect(text.count == 1)
        let times = Array(repeating: Self.first, count: 100_000)
        #expect(SubRip.cues(of: times + ["One"]).cues.isEmpty)
    }
}
