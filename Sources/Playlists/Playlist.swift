internal import Glibc
internal import TextFiles

/// What a name stands for: a folder's films, a list's entries, else a film.
///
/// Lists are M3U, M3U8 (the same in UTF-8) and XSPF. An M3U8 of HLS is a film. Paths in a list start at its own folder.
public enum Playlist {
    /// What a name came to.
    public struct Contents: Hashable, Sendable {
        public var entries: [PlaylistEntry] = []
        /// Lists and folders in a list that are passed over, and why.
        public var omissions: [PlaylistError] = []
    }

    /// Blocks for as long as the card takes.
    public static func contents(of name: String) throws(PlaylistError) -> Contents {
        var reading = Reading()
        let entries = try reading.entries(of: PlaylistEntry(name), depth: 0)
        if reading.isCut {
            let what = "has more than \(mostEntries) films; the rest is left out"
            reading.omissions.append(PlaylistError(name: name, what: what))
        }
        return Contents(entries: entries, omissions: reading.omissions)
    }

    /// Lists in lists, and in those: one may name itself.
    private static let deepest = 3
    /// Of all lists together.
    private static let mostEntries = 10_000
    /// Lists are read again each time that they are named.
    private static let mostLists = 1_000
    private static let mostBytes = 4 << 20
    /// More of them say nothing more.
    private static let mostOmissions = 20

    /// One name's, with all the lists in it.
    private struct Reading {
        var room = mostEntries
        var lists = mostLists
        var isCut = false
        var omissions: [PlaylistError] = []

        mutating func entries(of entry: PlaylistEntry, depth: Int) throws(PlaylistError) -> [PlaylistEntry] {
            let name = FileAddress.path(of: entry.location) ?? entry.location
            var status = stat()
            guard !Playlist.isAddress(name), stat(name, &status) == 0 else { return taken([entry]) }
            if status.st_mode & S_IFMT == S_IFDIR { return taken(try Playlist.films(in: name)) }
            guard status.st_mode & S_IFMT == S_IFREG, let kind = Kind(name) else { return taken([entry]) }
            guard lists > 0 else { throw PlaylistError(name: name, what: "more than \(mostLists) lists in lists") }
            lists -= 1
            let bytes: [UInt8]
            do throws(WholeFileError) {
                bytes = try WholeFile.bytes(of: name, atMost: mostBytes)
            } catch {
                throw PlaylistError(name: name, what: error.what)
            }
            guard let listed = try kind.read(bytes, name) else { return taken([entry]) }
            guard !listed.isEmpty else {
                throw PlaylistError(name: name, what: "there is no film in this list", isEmpty: true)
            }
            guard depth < deepest else { throw PlaylistError(name: name, what: "lists in lists, too deep") }
            return try films(of: listed, in: name, depth)
        }

        /// As many of them as there is room for.
        private mutating func taken(_ films: [PlaylistEntry]) -> [PlaylistEntry] {
            isCut = isCut || films.count > room
            let taken = films.prefix(room)
            room -= taken.count
            return Array(taken)
        }

        /// Of a list, what can be played is played.
        private mutating func films(
            of listed: [PlaylistEntry], in list: String, _ depth: Int
        ) throws(PlaylistError) -> [PlaylistEntry] {
            var films: [PlaylistEntry] = []
            var failure: PlaylistError?
            for one in listed {
                guard room > 0 else {
                    isCut = true
                    break
                }
                do throws(PlaylistError) {
                    films += try entries(of: Playlist.placed(one, besides: list), depth: depth + 1)
                } catch {
                    failure = failure ?? error
                    if omissions.count < mostOmissions, !omissions.contains(error) { omissions.append(error) }
                }
            }
            if films.isEmpty, let failure { throw failure }
            return films
        }
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
        guard !isAddress(entry.location), FileAddress.path(of: entry.location) == nil else { return entry }
        let folder = list.lastIndex(of: "/").map { String(list[...$0]) } ?? ""
        let path = entry.location.hasPrefix("/") ? entry.location : folder + entry.location
        // Some programs write M3U as if it had addresses.
        let unescaped = FileAddress.unescaped(path)
        let isEscaped = unescaped != path && access(path, F_OK) != 0 && access(unescaped, F_OK) == 0
        return PlaylistEntry(isEscaped ? unescaped : path, title: entry.title)
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
