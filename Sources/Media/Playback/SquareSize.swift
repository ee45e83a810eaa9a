/// What the pipeline makes of a film for a plane that scales: square pixels are all that the plane needs, at the film's
/// own height. Even, as 4:2:0 formats need.
struct SquareSize: Hashable {
    var width: Int
    var height: Int

    /// All of the film, in its shape. Where its pixels have an absurd one, no more than the display shows of them.
    init(
        width: Int, height: Int, pixelAspect: (numerator: Int, denominator: Int),
        within area: (width: Int, height: Int)
    ) {
        let square = width * max(pixelAspect.numerator, 1) / max(pixelAspect.denominator, 1)
        if Self.isSane(square, of: width, area.width) {
            (self.width, self.height) = ((square + 1) & ~1, height)
        } else {
            let fit = AspectFit(width: width, height: height, pixelAspect: pixelAspect, within: area)
            (self.width, self.height) = (fit.width, fit.height)
        }
    }

    /// What is seen of the film, so many of its lines, in the area's shape.
    init(width: Int, height: Int, filling area: (width: Int, height: Int)) {
        let square = height * area.width / max(area.height, 1)
        if Self.isSane(square, of: width, area.width) {
            (self.width, self.height) = ((square + 1) & ~1, height)
        } else {
            (self.width, self.height) = (max(area.width & ~1, 2), max(area.height & ~1, 2))
        }
    }

    private static func isSane(_ width: Int, of film: Int, _ area: Int) -> Bool {
        width >= 2 && width <= max(film, 2 * area)
    }
}
