import Glibc
import Media
import PlayerCore
import TextFiles

/// The available films.
struct FilmStock: Hashable, Sendable {
    /// In the order in which they are played, or offered to visitors.
    let films: [MediaLocation]
    /// The films that loop while there is no visitor; if empty, `films` do.
    let attract: [MediaLocation]
    /// Another number for each attract film whose file has been replaced by another of its name.
    let attractRevisions: [MediaLocation: Int]
    /// The choices for visitors: `films`, in their order; empty if these loop.
    let menu: [FilmMenu.Film]

    /// The stock of these films. Reads the state of the attract films' and the menu's files: blocks for as long as the
    /// card takes.
    init(films: [MediaLocation], attract: [MediaLocation] = []) {
        self.films = films
        self.attract = attract
        attractRevisions = Dictionary(
            attract.map { ($0, Self.revision(of: [$0.path].compactMap(\.self))) }, uniquingKeysWith: { one, _ in one })
        menu = attract.isEmpty ? [] : films.map(Self.entry)
    }

    /// Whether these are the same films, in any order.
    func isSame(as other: FilmStock) -> Bool {
        Set(films) == Set(other.films) && attractRevisions == other.attractRevisions && Set(menu) == Set(other.menu)
    }

    private static func entry(of film: MediaLocation) -> FilmMenu.Film {
        let poster = film.path.flatMap(poster)
        let revision = revision(of: [film.path, poster].compactMap(\.self))
        return FilmMenu.Film(title: film.title, address: film.name, poster: poster, revision: revision)
    }

    private static func revision(of files: [String]) -> Int {
        var revision = Hasher()
        for file in files {
            var status = stat()
            guard FileAddress.withPath(file, { stat($0, &status) }) == 0 else { continue }
            revision.combine(status.st_size)
            revision.combine(status.st_mtim.tv_sec)
            revision.combine(status.st_mtim.tv_nsec)
        }
        return revision.finalize()
    }

    /// The picture file with the film's name beside it.
    private static func poster(besides film: String) -> String? {
        let name = film.lastIndex(of: "/").map { film[film.index(after: $0)...] } ?? film[...]
        let base = name.lastIndex(of: ".").map { film[..<$0] } ?? film[...]
        return ["jpg", "jpeg", "png", "JPG", "JPEG", "PNG"].map { "\(base).\($0)" }.first {
            FileAddress.withPath($0) { access($0, R_OK) } == 0
        }
    }
}

/// The source of films for a kiosk that never ends for lack of them.
struct FilmSupply: Sendable {
    /// The message on the screen if there are none.
    var message: String
    /// Returns the current films. May block.
    var stock: @Sendable () -> FilmStock
}
