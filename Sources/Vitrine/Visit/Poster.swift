internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import ScrubSheet
internal import TextFiles

/// A film's picture in a menu.
enum Poster {
    /// The number of a sheet's pictures to compare.
    private static let candidates: Int64 = 24

    /// Makes the poster from the picture file beside the film, else from the film's scrub sheet. Blocks during
    /// decoding.
    /// - Returns: `nil` if there is none, or none that can be decoded.
    static func make(_ film: FilmMenu.Film, in cache: SheetCache?, width: Int, height: Int) -> PicturePixels? {
        if let poster = film.poster, let still = try? Still.read(poster, width: width, height: height) {
            return PicturePixels(still)
        }
        return ofSheet(film, cache, width, height)
    }

    /// Makes the poster from one of the film's frames. Blocks during decoding.
    /// - Parameter beforeFilm: called before the film can crash the program, and afterwards.
    /// - Returns: `nil` if it cannot be decoded.
    static func decode(
        _ film: FilmMenu.Film, width: Int, height: Int, _ beforeFilm: (@Sendable (FilmStep) -> Void)?
    ) -> PicturePixels? {
        guard let location = try? MediaLocation(film.address) else { return nil }
        beforeFilm?(.pictures(location))
        defer { beforeFilm?(.pictured) }
        return (try? Still.read(film.address, isFilm: true, width: width, height: height)).map { PicturePixels($0) }
    }

    /// Among equally coded pictures, the one with most bytes has most detail: neither black, nor white, nor a title
    /// card.
    private static func ofSheet(
        _ film: FilmMenu.Film, _ cache: SheetCache?, _ width: Int, _ height: Int
    ) -> PicturePixels? {
        guard let path = FileAddress.path(of: film.address) ?? (film.address.hasPrefix("/") ? film.address : nil),
            let sheet = ScrubSheet.find(for: path, in: cache), let last = sheet.times.last
        else { return nil }
        let places = (1..<candidates).map { MediaTime(nanoseconds: last.nanoseconds / candidates * $0) }
        let best = places.compactMap { sheet.nearest(to: $0) }.max { $0.length < $1.length }
        return best.flatMap {
            SheetReader(sheet).pixels($0, SheetThumbnail(of: sheet, width: width, height: height))
        }
    }
}

extension PicturePixels {
    fileprivate init(_ still: Still) { self.init(width: still.width, height: still.height, pixels: still.pixels) }
}
