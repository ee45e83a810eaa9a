import Testing

@testable import PlayerCore

/// The plain text of a subtitle (A11).
struct SubtitleTextTests {
    @Test(arguments: [
        ("<i>Hello</i>,\n<span color=\"red\">you</span>", "Hello,\nyou"), ("a &amp;&lt; b &#228;&#x20AC;", "a &< b ä€"),
        ("1 < 2", "1 < 2"), ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("{\\an8}up {there} {\\i1}", "up {there}"),
        ("& so on; &nothing;", "& so on; &nothing;"), ("\n\n  a  \r\n\r\n b", "a\nb"),
        ("<b></b>", ""),
        ("1\n2\n3\n4\n5", "1\n2\n3\n4"), ("&#xD800;", "&#xD800;"),
    ])
    func `markup is taken away`(_ text: String, _ plain: String) {
        #expect(SubtitleText.plain(text, isMarkup: true) == plain)
    }

    @Test func `a file's own entities are characters`() {
        #expect(SubtitleText.unescaped("Bed &amp; Breakfast <b>") == "Bed & Breakfast <b>")
    }

    @Test func `plain text stays`() {
        #expect(SubtitleText.plain("a <b> &amp;", isMarkup: false) == "a <b> &amp;")
        #expect(SubtitleText.plain("{\\an8\\pos(1,2)}a", isMarkup: false) == "a")
    }
}
