/// The invisible margins of a film that fills a display of another shape: pixels of the film at each side.
struct Crop: Hashable {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0

    /// Computes the margins. All are even, as 4:2:0 formats need.
    /// - Parameters:
    ///   - pixelAspect: the width to height of the film's pixels.
    init(
        width: Int, height: Int, pixelAspect: (numerator: Int, denominator: Int),
        filling display: (width: Int, height: Int)
    ) {
        let across = max(width, 1) * max(pixelAspect.numerator, 1)
        let down = max(height, 1) * max(pixelAspect.denominator, 1)
        if across * display.height > display.width * down {
            // The pixels that make the display's width at the film's height.
            let seen = display.width * down / (display.height * max(pixelAspect.numerator, 1))
            (left, right) = Self.halves(of: width - max(seen, Self.least))
        } else {
            let seen = display.height * across / (display.width * max(pixelAspect.denominator, 1))
            (top, bottom) = Self.halves(of: height - max(seen, Self.least))
        }
    }

    /// With an absurd pixel aspect, less than one pixel may be visible; videocrop refuses to leave nothing.
    private static let least = 2

    private static func halves(of rest: Int) -> (Int, Int) {
        let rest = max(rest, 0) & ~1
        let half = rest / 2 & ~1
        return (half, rest - half)
    }
}
