import PlayerCore
import Testing

@testable import Media

/// The conversion of a film's YCbCr for a plane without colour properties.
struct FilmColorTests {
    private func screen(
        _ matrices: [ColorMatrix], fullRange: Bool = true, composes: Bool = false
    ) -> FilmOutput.Screen {
        var screen = FilmOutput.Screen(
            sink: .window(.x11), width: 640, height: 360, canScale: false, composesOSD: composes, formats: ["I420"])
        screen.matrices = matrices
        screen.hasFullRange = fullRange
        return screen
    }

    @Test func aPlaneThatKnowsItGetsIt() {
        let film = FilmColor(matrix: .bt2020, isFullRange: true)
        #expect(screen([.bt601, .bt709, .bt2020]).color(of: film) == film)
    }

    @Test func anotherMatrixIsMadeInThePipeline() {
        #expect(screen([.bt601, .bt709]).color(of: FilmColor(matrix: .bt2020)).matrix == .bt709)
        #expect(screen([]).color(of: FilmColor(matrix: .bt709)).matrix == .bt601)
    }

    @Test func theRangeIsLimitedWhereThereIsNoChoiceAndUnderASurface() {
        let film = FilmColor(matrix: .bt601, isFullRange: true)
        #expect(!screen([.bt601], fullRange: false).color(of: film).isFullRange)
        #expect(!screen([.bt601], composes: true).color(of: film).isFullRange)
    }
}
