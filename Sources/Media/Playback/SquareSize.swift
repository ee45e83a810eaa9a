/// The size of a film's frames for a plane that scales: square pixels are enough, at the film's own height. Even, as
/// 4:2:0 formats need.
struct SquareSize: Hashable {
    var width: Int
    var height: Int

    /// The size of the whole film, in its aspect. With an absurd pixel aspect, at most as large as the display shows
    /// it.
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

    /// The size of the visible part of the film, with so many of its lines, in the area's aspect.
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
