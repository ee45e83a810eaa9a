import Glibc
import Media
import PlayerCore
import TextFiles

/// The films that there are.
struct FilmStock: Hashable, Sendable {
    /// In the order in which they are played, or offered to visitors.
    let films: [MediaLocation]
    /// They loop while nobody is there; empty: the films do.
    let attract: [MediaLocation]
    /// What visitors choose from: the films, in their order; empty where these loop.
    let menu: [FilmMenu.Film]

    /// Looks at the files of the menu: blocks for as long as the card takes.
    init(films: [MediaLocation], attract: [MediaLocation] = []) {
        self.films = films
        self.attract = attract
        menu = attract.isEmpty ? [] : films.map(Self.entry)
    }

    /// Whether these are the same ones, in whatever order.
    func isSame(as other: FilmStock) -> Bool {
        Set(films) == Set(other.films) && Set(attract) == Set(other.attract) && Set(menu) == Set(other.menu)
    }

    private static func entry(of film: MediaLocation) -> FilmMenu.Film {
        let path = FileAddress.path(of: film.name) ?? (film.name.contains("://") ? nil : film.name)
        let poster = path.flatMap(poster)
        var revision = Hasher()
        for case let file? in [path, poster] {
            var status = stat()
            guard FileAddress.withPath(file, { stat($0, &status) }) == 0 else { continue }
            revision.combine(status.st_size)
            revision.combine(status.st_mtim.tv_sec)
            revision.combine(status.st_mtim.tv_nsec)
        }
        return FilmMenu.Film(title: film.title, address: film.name, poster: poster, revision: revision.finalize())
    }

    /// A picture file of the film's name beside it.
    private static func poster(besides film: String) -> String? {
        let name = film.lastIndex(of: "/").map { film[film.index(after: $0)...] } ?? film[...]
        let base = name.lastIndex(of: ".").map { film[..<$0] } ?? film[...]
        return ["jpg", "jpeg", "png", "JPG", "JPEG", "PNG"].map { "\(base).\($0)" }.first {
            FileAddress.withPath($0) { access($0, R_OK) } == 0
        }
    }
}

/// Where films come from for a kiosk that never ends for want of them.
struct FilmSupply: Sendable {
    /// Said on the screen where there are none.
    var message: String
    /// Those that there are now. May block.
    var stock: @Sendable () -> FilmStock
}
