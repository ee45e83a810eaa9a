internal import Glibc
internal import TextFiles

/// Resolves a name: to a folder's films, a list's entries, or a film.
///
/// Lists are M3U, M3U8 (the same in UTF-8), XSPF and PLS. An M3U8 of HLS is a film. Relative paths in a list start at
/// its own folder.
public enum Playlist {
    /// The films of a name.
    public struct Contents: Hashable, Sendable {
        public var entries: [PlaylistEntry] = []
        /// Lists and folders in a list that were skipped, with the reason, and the images of folders.
        public var omissions: [PlaylistError] = []
        /// Other files in folders that were skipped: each is a sentence without a full stop.
        public var notes: [String] = []
    }

    /// Blocks for as long as the card takes.
    public static func contents(of name: String) throws(PlaylistError) -> Contents {
        var reading = Reading()
        let entries = try reading.entries(of: PlaylistEntry(name), depth: 0)
        if reading.isCut {
            let what = "has more than \(mostEntries) films; the rest is left out"
            reading.omissions.append(PlaylistError(name: name, what: what))
        }
        return Contents(entries: entries, omissions: reading.omissions, notes: reading.notes)
    }

    /// The greatest depth of nested lists: a list may name itself.
    private static let deepest = 3
    /// The limit of all lists together.
    private static let mostEntries = 10_000
    /// A list is read again each time that it is named.
    private static let mostLists = 1_000
    private static let mostBytes = 4 << 20
    /// A longer list would not say more.
    private static let mostOmissions = 20

    /// The reading of one name, with all nested lists.
    private struct Reading {
        var room = mostEntries
        var lists = mostLists
        var isCut = false
        var omissions: [PlaylistError] = []
        var notes: [String] = []

        mutating func entries(of entry: PlaylistEntry, depth: Int) throws(PlaylistError) -> [PlaylistEntry] {
            let name = FileAddress.path(of: entry.location) ?? entry.location
            var status = stat()
            guard FileAddress.path(of: name) != nil || !Playlist.isAddress(name),
                FileAddress.withPath(name, { stat($0, &status) }) == 0
            else { return taken([entry]) }
            if status.st_mode & S_IFMT == S_IFDIR { return taken(try films(in: name)) }
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

        /// As many of the films as the limit allows.
        private mutating func taken(_ films: [PlaylistEntry]) -> [PlaylistEntry] {
            isCut = isCut || films.count > room
            let taken = films.prefix(room)
            room -= taken.count
            return Array(taken)
        }

        /// The films of a list; entries that cannot be played are skipped.
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
                    report(error)
                }
            }
            if films.isEmpty, let failure { throw failure }
            return films
        }

        private mutating func report(_ omission: PlaylistError) {
            if omissions.count < mostOmissions, !omissions.contains(omission) { omissions.append(omission) }
        }

        private mutating func films(in name: String) throws(PlaylistError) -> [PlaylistEntry] {
            let folder: FilmFolder
            do throws(FilmFolder.Errno) {
                folder = try FilmFolder(name)
            } catch {
                throw PlaylistError(
                    name: name, what: String(cString: strerror(error.code)), remedy: "let everybody read it")
            }
            let (pictures, others) = (folder.pictures, folder.others)
            guard !folder.films.isEmpty || pictures.isEmpty else {
                throw PlaylistError(
                    name: name, what: "there are only pictures in this folder", remedy: Playlist.pictureRemedy)
            }
            guard !folder.films.isEmpty else {
                let what = "there is no film in this folder"
                throw PlaylistError(
                    name: name, what: others.isEmpty ? what : "\(what), by the names of its files: \(others.brief)",
                    remedy: "copy films into it, and let everybody read it", isEmpty: true)
            }
            if !pictures.isEmpty {
                let what = "the pictures in this folder are passed over: \(pictures.brief)"
                report(PlaylistError(name: name, what: what, remedy: Playlist.pictureRemedy))
            }
            if !others.isEmpty, notes.count < mostOmissions {
                notes.append("\(name): what is no film by its name is passed over: \(others.brief)")
            }
            return folder.films.map { PlaylistEntry($0) }
        }
    }

    /// An image in a list is shown for 10 s.
    private static let pictureRemedy = "to show a picture, name it in a list, as films.m3u"

    static func isAddress(_ name: String) -> Bool {
        guard let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix("://") else { return false }
        return name[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The existing one of all places that an entry may mean; the first of them if none exists.
    private static func placed(_ entry: PlaylistEntry, besides list: String) -> PlaylistEntry {
        let location = entry.location
        if isAddress(location), FileAddress.path(of: location) == nil {
            // Kodi's notation for a server's headers, which are not part of the address. In a password it is an
            // ordinary character.
            let password = location.lastIndex(of: "@") ?? location.startIndex
            let end = location[password...].firstIndex(of: "|") ?? location.endIndex
            return PlaylistEntry(String(location[..<end]), title: entry.title)
        }
        let path = FileAddress.bytes(of: location)
        // Suffixes that programs add for servers and for themselves: "film.mp4?x=1", "film.mp4#t=2",
        // "film.mp4|User-Agent=x".
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
        let end = name.firstIndex { "?#|".utf8.contains($0) } ?? name.startIndex
        let cut = end > name.startIndex ? [Array(path[..<end])] : []
        let places = ([path] + cut).lazy.flatMap { [$0, FileAddress.unescaped($0)] }.flatMap { [$0] + tails(of: $0) }
        let found = places.map { FileAddress.name(ofPath: $0, besides: list) }.first { FileAddress.isThere($0) }
        return PlaylistEntry(found ?? FileAddress.name(ofPath: path, besides: list), title: entry.title)
    }

    /// The possible places, beside the list, of an absolute path such as "C:/Users/museum/films/a.mp4": the list may
    /// have been written on another machine, and moved with the films.
    private static func tails(of path: [UInt8]) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        guard path.first == slash || path.dropFirst().starts(with: ":/".utf8) else { return [] }
        let parts = path.split(separator: slash).suffix(8)
        return parts.indices.map { Array(parts[$0...].joined(separator: [slash])) }
    }

    private enum Kind {
        case m3u, xspf, pls, unread

        init?(_ name: String) {
            guard let dot = name.lastIndex(of: ".") else { return nil }
            switch name[name.index(after: dot)...].lowercased() {
            case "m3u", "m3u8": self = .m3u
            case "xspf": self = .xspf
            case "pls": self = .pls
            case "asx", "wax", "wvx", "wpl", "zpl", "smil", "smi", "b4s", "cue": self = .unread
            default: return nil
            }
        }

        /// `nil` if it is a film after all.
        func read(_ bytes: [UInt8], _ name: String) throws(PlaylistError) -> [PlaylistEntry]? {
            switch self {
            case .m3u: return M3U.entries(of: FileText(bytes).lines)
            case .pls: return PLS.entries(of: FileText(bytes).lines)
            case .unread:
                throw PlaylistError(
                    name: name, what: "lists of this kind are not read", remedy: "save it as M3U, XSPF or PLS")
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

extension [String] {
    /// The first few names, and the number of the others.
    fileprivate var brief: String {
        let few = prefix(3).joined(separator: ", ")
        return count > 3 ? "\(few) and \(count - 3) more" : few
    }
}
