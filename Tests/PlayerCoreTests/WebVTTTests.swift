import Testing

@testable import PlayerCore

/// WebVTT beside the film, and in Matroska (A11).
struct WebVTTTests {
    private static let file = """
        WEBVTT - A title

        STYLE
        ::cue { color: red }

        NOTE
        00:00 to 00:05

        intro
        00:00:00.500 --> 00:00:02.000 position:50% align:start
        <v Roger>First <b>line</b> &amp; more

        00:02.500 --> 00:04.000
        Second
        two &lt;lines&gt;


        01:00:04.500 --> 01:00:06.000
        <c.yellow>Third <00:00:05.000>part</c>

        00:07.000 -->
        never

        00:08.000 --> 00:09.000
        Last
        """

    @Test(arguments: ["", "\u{20}"])
    func `a file's cues are read, and nothing else of it`(_ end: String) {
        let lines = Self.file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { $0 + end }
            .map { $0 == " " ? "" : $0 }
        #expect(
            WebVTT.cues(of: lines).cues == [
                Cue(start: .milliseconds(500), end: .seconds(2), text: "First line & more"),
                Cue(start: .milliseconds(2500), end: .seconds(4), text: "Second\ntwo <lines>"),
                Cue(start: .seconds(8), end: .seconds(9), text: "Last"),
                Cue(start: .milliseconds(3_604_500), end: .milliseconds(3_606_000), text: "Third part"),
            ])
    }

    @Test func `SubRip's commas are understood, and a file of something else has no cues`() {
        let lines = ["WEBVTT", "", "1", "00:00:01,000 --> 00:00:02,000", "Hello"]
        #expect(WebVTT.cues(of: lines).cues.map(\.text) == ["Hello"])
        #expect(WebVTT.cues(of: ["-->", "", "a --> b", "c", "", "1 --> 2"]).cues.isEmpty)
        #expect(WebVTT.cues(of: []).cues.isEmpty)
    }

    /// The same cues as ffmpeg and as mkvmerge write them.
    @Test(arguments: [
        ("intro\nposition:50% align:start\n<v Roger>First <b>line</b> &amp; more", "First line & more"),
        ("\n\nSecond\ntwo lines", "Second\ntwo lines"), ("\nline:0\nThird", "Third"), ("4\n\nFourth", "Fourth"),
        ("<v Roger>First <b>line</b> &amp; more", "First line & more"), ("Second\ntwo lines", "Second\ntwo lines"),
        ("One\nWhat he said: nothing\nThree", "One\nWhat he said: nothing\nThree"), ("Text\r\n\r\n", "Text"), ("", ""),
    ])
    func `a Matroska block's text is found with and without two lines before it`(_ block: String, _ text: String) {
        #expect(WebVTT.text(ofBlock: block) == text)
    }

    @Test func `frames are no text`() {
        #expect(WebVTT.text(ofBlock: "BM\u{1}\u{0}6") == nil)
    }
}
