/// The size of a scrub sheet's pictures: upright, in square pixels, both sides even.
public struct SheetSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest picture of a landscape film. A JPEG of it takes 2.6 to 3.8 ms to decode on a Raspberry Pi 4.
    public static let large = SheetSize(width: 640, height: 360)
    /// The same for boards with less than 1 GB and tracks of less than 1,200 pixels.
    public static let small = SheetSize(width: 480, height: 270)

    /// Fits a film into a limit, and never enlarges it.
    /// - Parameters:
    ///   - film: the film's upright size in square pixels; both sides above 0.
    ///   - limit: for a landscape film; of a portrait film width and height change places.
    public init(fitting film: SheetSize, in limit: SheetSize) {
        let isPortrait = film.height > film.width
        let (across, down) = isPortrait ? (limit.height, limit.width) : (limit.width, limit.height)
        let (width, height) = (max(film.width, 1), max(film.height, 1))
        if width <= across, height <= down {
            self.init(width: Self.even(width), height: Self.even(height))
        } else if width * down > height * across {
            self.init(width: Self.even(across), height: Self.even((height * across + width / 2) / width))
        } else {
            self.init(width: Self.even((width * down + height / 2) / height), height: Self.even(down))
        }
    }

    private static func even(_ length: Int) -> Int { max(length & ~1, 2) }
}
