internal import Glibc
internal import TextFiles

/// What a name stands for: a folder's films, a list's entries, else a film.
///
/// Lists are M3U, M3U8 (the same in UTF-8) and XSPF. An M3U8 of HLS is a film. Paths in a list start at its own folder.
public enum Playlist {
    /// Blocks for as long as the card takes.
    public static func entries(of name: String) throws(PlaylistError) -> [PlaylistEntry] {
        var room = mostEntries
        return try entries(of: PlaylistEntry(name), depth: 0, &room)
    }

    /// Lists in lists, and in those: one may name itself.
    private static let deepest = 3
    /// Of all lists together.
    private static let mostEntries = 10_000
    private static let mostBytes = 4 << 20

    private static func entries(
        of entry: PlaylistEntry, depth: Int, _ room: inout Int
    ) throws(PlaylistError) -> [PlaylistEntry] {
        let name = entry.location
        room -= 1
        var status = stat()
        guard !isAddress(name), stat(name, &status) == 0 else { return [entry] }
        if status.st_mode & S_IFMT == S_IFDIR {
            let films = try films(in: name).prefix(room + 1)
            room -= films.count
            return Array(films)
        }
        guard status.st_mode & S_IFMT == S_IFREG, let kind = Kind(name) else { return [entry] }
        let bytes: [UInt8]
        do throws(WholeFileError) {
            bytes = try WholeFile.bytes(of: name, atMost: mostBytes)
        } catch {
            throw PlaylistError(name: name, what: error.what)
        }
        guard let listed = try kind.read(bytes, name) else { return [entry] }
        guard !listed.isEmpty else {
            throw PlaylistError(name: name, what: "there is no film in this list", isEmpty: true)
        }
        guard depth < deepest else { throw PlaylistError(name: name, what: "lists in lists, too deep") }
        var films: [PlaylistEntry] = []
        var failure: PlaylistError?
        for one in listed where room > 0 {
            do throws(PlaylistError) {
                films += try entries(of: placed(one, besides: name), depth: depth + 1, &room)
            } catch {
                failure = failure ?? error
            }
        }
        // Of a list, what can be played is played.
        if films.isEmpty, let failure { throw failure }
        return films
    }

    private static func films(in folder: String) throws(PlaylistError) -> [PlaylistEntry] {
        let films: [String]
        do throws(FilmFolder.Errno) {
            films = try FilmFolder.films(in: folder)
        } catch {
            throw PlaylistError(name: folder, what: String(cString: strerror(error.code)))
        }
        guard !films.isEmpty else {
            throw PlaylistError(name: folder, what: "there is no film in this folder", isEmpty: true)
        }
        return films.map { PlaylistEntry($0) }
    }

    static func isAddress(_ name: String) -> Bool {
        guard let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix("://") else { return false }
        return name[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func placed(_ entry: PlaylistEntry, besides list: String) -> PlaylistEntry {
        guard !isAddress(entry.location), !entry.location.hasPrefix("/") else { return entry }
        let folder = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
        return PlaylistEntry(folder + entry.location, title: entry.title)
    }

    private enum Kind {
        case m3u, xspf

        init?(_ name: String) {
            guard let dot = name.lastIndex(of: ".") else { return nil }
            switch name[name.index(after: dot)...].lowercased() {
            case "m3u", "m3u8": self = .m3u
            case "xspf": self = .xspf
            default: return nil
            }
        }

        /// `nil`: it is a film after all.
        func read(_ bytes: [UInt8], _ name: String) throws(PlaylistError) -> [PlaylistEntry]? {
            switch self {
            case .m3u: return M3U.entries(of: FileText(bytes).lines)
            case .xspf:
                do throws(XSPF.Failure) {
                    return try XSPF.entries(of: bytes)
                } catch {
                    throw PlaylistError(name: name, what: "line \(error.line): \(error.what)")
                }
            }
        }
    }
}
