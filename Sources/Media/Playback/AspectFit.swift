/// The largest rectangle of a film's shape in a display.
public struct AspectFit: Hashable, Sendable {
    /// Pixels of the display, as is `height`.
    public var width: Int
    public var height: Int

    /// Fits a film. The result is even in both directions, as 4:2:0 formats need, and at least 2.
    /// - Parameters:
    ///   - width: the film's width, in its own pixels.
    ///   - pixelAspect: its pixels' width to height.
    public init(
        width: Int, height: Int, pixelAspect: (numerator: Int, denominator: Int),
        within display: (width: Int, height: Int)
    ) {
        let across = max(width, 1) * max(pixelAspect.numerator, 1)
        let down = max(height, 1) * max(pixelAspect.denominator, 1)
        // across : down is the film's aspect; compare it with the display's without a division.
        if across * display.height >= display.width * down {
            self.width = Self.even(display.width, atMost: display.width)
            self.height = Self.even((display.width * down + across / 2) / across, atMost: display.height)
        } else {
            self.width = Self.even((display.height * across + down / 2) / down, atMost: display.width)
            self.height = Self.even(display.height, atMost: display.height)
        }
    }

    private static func even(_ value: Int, atMost most: Int) -> Int {
        max(2, min((value + 1) & ~1, most & ~1))
    }
}
