internal import TextFiles

/// The paths of a film's sheet: the complete and the growing one.
public struct SheetPlace: Hashable, Sendable {
    /// A BIF.
    public var complete: String
    public var growing: String

    /// Beside the film: `film.mp4.bif`, `film.mp4.sheet`.
    public static func beside(film: String) -> SheetPlace {
        SheetPlace(complete: "\(film).bif", growing: "\(film).sheet")
    }

    /// Why an existing sheet is not used; `nil` if there is none. Blocks.
    /// - Parameter film: in `FileAddress` notation.
    public func problem(of film: String) -> SheetError? {
        for path in paths where FileAddress.isThere(path) {
            do throws(SheetError) { _ = try ScrubSheet(path, of: FilmIdentity.of(film)) } catch { return error }
        }
        return nil
    }

    /// In order of preference.
    var paths: [String] { [complete, growing] }
}
