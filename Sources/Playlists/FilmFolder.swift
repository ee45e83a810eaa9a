internal import Glibc
internal import PlayerCore
internal import TextFiles

/// The films in a folder, in the order in which people number them, and the other files.
struct FilmFolder {
    /// Paths sorted by name; films in subfolders follow those of the folder.
    private(set) var films: [String] = []
    /// Names of images, which a folder does not show, without posters: images with a film's name.
    private(set) var pictures: [String] = []
    /// Names of all other files.
    private(set) var others: [String] = []

    /// The greatest depth of subfolders: a camera's films are four deep on its card.
    private static let deepest = 12

    struct Errno: Error {
        var code: Int32
    }

    /// A link may lead back to a folder.
    private var seen: Set<FileIdentity> = []

    /// - Throws: errno, if the folder itself cannot be read.
    init(_ folder: String) throws(Errno) {
        try add(folder, depth: 0)
    }

    private mutating func add(_ folder: String, depth: Int) throws(Errno) {
        guard let status = Self.status(of: folder), let entries = FolderEntry.all(in: folder) else {
            throw Errno(code: errno)
        }
        guard seen.insert(FileIdentity(status)).inserted else { return }
        var folders: [FolderEntry] = []
        var posters: [FolderEntry] = []
        let before = films.count
        let sorted = entries.sorted { NaturalOrder.filmPrecedes($0.name, $1.name) }
        for entry in sorted where !Self.isHidden(entry.name) {
            switch Self.status(of: entry.path).map({ $0.st_mode & S_IFMT }) {
            case S_IFDIR: folders.append(entry)
            case S_IFREG:
                switch FileKind(entry.name) {
                case .film: films.append(entry.path)
                case .picture: posters.append(entry)
                case .other: others.append(entry.name)
                case .companion: break
                }
            // A link to a missing film: opening it reports the error.
            case nil where FileKind(entry.name) == .film: films.append(entry.path)
            default: break
            }
        }
        let names = Set(films[before...].map(Self.base))
        pictures += posters.filter { !names.contains(Self.base($0.path)) }.map(\.name)
        guard depth < Self.deepest else { return }
        // A subfolder that cannot be read is ignored.
        folders.sort { NaturalOrder.precedes($0.name, $1.name) }
        for inner in folders { try? add(inner.path, depth: depth + 1) }
    }

    /// The path without its extension.
    private static func base(_ path: String) -> Substring { path.lastIndex(of: ".").map { path[..<$0] } ?? path[...] }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return FileAddress.withPath(path) { stat($0, &status) } == 0 ? status : nil
    }

    /// Whether the name belongs to a system's own files on cards and sticks: ".Trashes", "._film.mp4" and "Icon\r" of
    /// macOS, "$RECYCLE.BIN" of Windows. But "...And Justice for All.mkv" is a film.
    private static func isHidden(_ name: String) -> Bool {
        name.hasPrefix(".") && !name.hasPrefix("..") || name.hasPrefix("FOUND.0")
            || ["$recycle.bin", "recycler", "system volume information", "lost+found", "__macosx", "icon\r"]
                .contains(name.lowercased())
    }
}
