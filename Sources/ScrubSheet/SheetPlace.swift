internal import TextFiles

/// Where a film's sheet lies: complete, and while it grows.
public struct SheetPlace: Hashable, Sendable {
    /// A BIF.
    public var complete: String
    public var growing: String

    /// Beside the film: `film.mp4.bif`, `film.mp4.sheet`.
    public static func beside(film: String) -> SheetPlace {
        SheetPlace(complete: "\(film).bif", growing: "\(film).sheet")
    }

    /// In this order.
    var paths: [String] { [complete, growing] }
}
