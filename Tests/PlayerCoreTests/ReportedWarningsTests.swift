import PlayerCore
import Testing

/// A box that runs for months logs each warning once (T7).
@Suite struct ReportedWarningsTests {
    private var reported = ReportedWarnings()

    private mutating func news(_ warnings: [(text: String, film: String?)]) -> [Bool] {
        warnings.map { reported.isNew($0.text, of: $0.film) }
    }

    @Test mutating func `a film's warning is reported once, also when the film comes round again`() {
        let late = ("late", "a.mp4" as String?)
        let news = news([late, late, ("damaged", "a.mp4"), ("late", "b.mp4"), late])
        #expect(news == [true, false, true, true, false])
    }

    @Test mutating func `what is true of all films is reported once`() {
        let news = news([("no sound", nil), ("no sound", nil), ("no sound", "a.mp4")])
        #expect(news == [true, false, true])
    }

    @Test mutating func `what is kept stays small, and is reported again once it is forgotten`() {
        let texts = (0...ReportedWarnings.limit).map { ("at \($0)", "a.mp4" as String?) }
        let news = news(texts + [("at \(ReportedWarnings.limit)", "a.mp4"), ("at 0", "a.mp4")])
        #expect(news == texts.map { _ in true } + [false, true])
    }
}
