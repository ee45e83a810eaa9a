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

    /// Why a sheet that is there is not used; `nil` where there is none. Blocks.
    /// - Parameter film: as `FileAddress` names files.
    public func problem(of film: String) -> SheetError? {
        for path in paths where FileAddress.isThere(path) {
            do throws(SheetError) { _ = try ScrubSheet(path, of: FilmIdentity.of(film)) } catch { return error }
        }
        return nil
    }

    /// In this order.
    var paths: [String] { [complete, growing] }
}
