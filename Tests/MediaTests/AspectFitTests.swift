import Media
import Testing

@Suite("Aspect ratio: the largest rectangle of the film's shape (S3, M13)")
struct AspectFitTests {
    struct Case: CustomTestStringConvertible {
        var film: (width: Int, height: Int)
        var pixels = (numerator: 1, denominator: 1)
        var display: (width: Int, height: Int)
        var fit: (width: Int, height: Int)

        var testDescription: String {
            "\(film.width)x\(film.height) (\(pixels.numerator):\(pixels.denominator)) on \(display.width)x\(display.height)"
        }
    }

    static let cases = [
        Case(film: (1920, 1080), display: (1920, 1080), fit: (1920, 1080)),
        Case(film: (640, 360), display: (1280, 720), fit: (1280, 720)),
        // Bars above and below, and at the sides.
        Case(film: (1280, 720), display: (1024, 600), fit: (1024, 576)),
        Case(film: (640, 480), display: (1280, 720), fit: (960, 720)),
        Case(film: (1080, 1920), display: (1920, 1080), fit: (608, 1080)),
        Case(film: (1280, 720), display: (800, 480), fit: (800, 450)),
        // Pixels that are not square: PAL's 4:3 and 16:9, and HDV.
        Case(film: (720, 576), pixels: (16, 15), display: (1280, 720), fit: (960, 720)),
        Case(film: (720, 576), pixels: (64, 45), display: (1920, 1080), fit: (1920, 1080)),
        Case(film: (1440, 1080), pixels: (4, 3), display: (1280, 720), fit: (1280, 720)),
        // Odd sizes: 4:2:0 has half the colours across and down.
        Case(film: (3, 2), display: (1023, 601), fit: (902, 600)),
        Case(film: (1000, 1), display: (1280, 720), fit: (1280, 2)),
        Case(film: (1, 1000), display: (1280, 720), fit: (2, 720)),
        // Nonsense from a broken stream.
        Case(film: (0, 0), pixels: (0, 0), display: (1280, 720), fit: (720, 720)),
    ]

    @Test("films on displays", arguments: cases)
    func fit(_ one: Case) {
        let fit = AspectFit(
            width: one.film.width, height: one.film.height, pixelAspect: one.pixels, within: one.display)
        #expect((fit.width, fit.height) == one.fit)
    }

    @Test("always even, inside the display, touching it in one direction, and of the film's shape to two pixels")
    func anyFilm() {
        let displays = [(800, 480), (1024, 600), (1280, 720), (1920, 1080), (1080, 1920), (1366, 768)]
        for display in displays {
            for width in stride(from: 16, through: 4096, by: 173) {
                for height in stride(from: 16, through: 2160, by: 131) {
                    for pixels in [(1, 1), (16, 15), (12, 11), (4, 3), (10, 11)] {
                        let fit = AspectFit(width: width, height: height, pixelAspect: pixels, within: display)
                        let isInside = fit.width <= display.0 && fit.height <= display.1
                        let isEven = fit.width % 2 == 0 && fit.height % 2 == 0
                        let touches = fit.width == display.0 || fit.height == display.1
                        let shape = Double(width * pixels.0) / Double(height * pixels.1)
                        let error = min(
                            abs(Double(fit.width) - Double(fit.height) * shape),
                            abs(Double(fit.height) - Double(fit.width) / shape))
                        if !isInside || !isEven || !touches || error > 2 {
                            Issue.record("\(width)x\(height) \(pixels) on \(display): \(fit)")
                        }
                    }
                }
            }
        }
    }
}
