import Testing

@testable import Media

/// Lines of text as masks.
@Suite(.timeLimit(.minutes(1))) struct LetteringTests {
    @Test func eachLineIsItsOwn() throws {
        let lettering = Lettering()
        let clock = ContinuousClock()
        for (text, size) in [("EN", 18), ("Deutsch", 23), ("English", 23), ("–", 23), ("العربية", 32), ("中文", 18)] {
            let start = clock.now
            let mask = try #require(lettering.mask(of: text, fontSize: size, isBold: text == "EN"))
            #expect(mask.height == size * 3 / 2 && mask.width > size / 4, "\(text)")
            #expect(mask.width < text.count * size * 2, "\(text) is \(mask.width) wide")
            #expect(mask.coverage.contains { $0 > 200 }, "\(text) has ink")
            #expect(mask.coverage.prefix(mask.width).allSatisfy { $0 == 0 }, "nothing is cut off at its top")
            #expect(clock.now - start < .seconds(2), "\(text)")
        }
        let wide = try #require(lettering.mask(of: "Deutsch – Kommentar", fontSize: 23, isBold: false))
        let short = try #require(lettering.mask(of: "Deutsch", fontSize: 23, isBold: false))
        #expect(wide.width > short.width * 2)
        #expect(lettering.mask(of: " ", fontSize: 23, isBold: false) == nil)
    }

    /// Some are rendered in time, and some are not.
    @Test func `a line that is late is not taken for another one`() {
        let (reference, hurried) = (Lettering(), Lettering(patience: .microseconds(500)))
        for round in 0..<300 {
            let (text, size) = ("\(round)", [20, 48][round % 2])
            guard let mask = hurried.mask(of: text, fontSize: size, isBold: false) else { continue }
            let right = reference.mask(of: text, fontSize: size, isBold: false)
            #expect(mask.coverage == right?.coverage, "\(text)")
        }
    }
}
