internal import CExpat
internal import TextFiles

/// XSPF (xspf.org): a film is a `track` with a `location`, an address that may be relative to the list's own folder,
/// and optionally a `title`.
enum XSPF {
    struct Failure: Error {
        var line: Int
        var what: String
    }

    static func entries(of bytes: [UInt8]) throws(Failure) -> [PlaylistEntry] {
        guard let parser = XML_ParserCreate(nil) else { throw Failure(line: 1, what: "out of memory") }
        defer { XML_ParserFree(parser) }
        let reader = Reader()
        return try withExtendedLifetime(reader) { () throws(Failure) in
            XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
            XML_SetElementHandler(
                parser,
                { data, name, _ in Reader.of(data)?.begin(name) },
                { data, _ in Reader.of(data)?.end() })
            XML_SetCharacterDataHandler(parser) { data, text, count in Reader.of(data)?.add(text, count) }
            guard XML_Parse(parser, bytes.map { CChar(bitPattern: $0) }, Int32(bytes.count), 1) == XML_STATUS_OK else {
                let what = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
                throw Failure(line: Int(XML_GetCurrentLineNumber(parser)), what: what)
            }
            guard reader.isPlaylist else { throw Failure(line: 1, what: "XML, but not a playlist of XSPF") }
            return reader.entries
        }
    }

    /// The state of one parser.
    private final class Reader {
        private(set) var entries: [PlaylistEntry] = []
        private(set) var isPlaylist = false
        private var path: [String] = []
        private var text = [UInt8]()
        private var location: String?
        private var title: String?

        static func of(_ data: UnsafeMutableRawPointer?) -> Reader? {
            data.map { Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
        }

        func begin(_ name: UnsafePointer<XML_Char>?) {
            guard let name else { return }
            // The name is compared without its namespace's prefix.
            let local = String(cString: name).split(separator: ":").last.map(String.init) ?? ""
            if path.isEmpty { isPlaylist = local == "playlist" }
            path.append(local)
            text = []
            if isTrack { (location, title) = (nil, nil) }
        }

        func add(_ more: UnsafePointer<XML_Char>?, _ count: Int32) {
            guard let more else { return }
            text += UnsafeBufferPointer(start: more, count: Int(count)).map { UInt8(bitPattern: $0) }
        }

        func end() {
            let text = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            switch path.dropFirst(3) {
            // The first location is the preferred one.
            case ["location"] where location == nil && !text.isEmpty: location = XSPF.unescaped(text)
            case ["title"] where !text.isEmpty: title = text
            default: break
            }
            if isTrack, let location { entries.append(PlaylistEntry(location, title: title)) }
            path.removeLast()
        }

        private var isTrack: Bool { path == ["playlist", "trackList", "track"] }
    }

    /// A path; addresses stay unchanged, except those of files.
    private static func unescaped(_ address: String) -> String {
        if let path = FileAddress.path(of: address) { return path }
        // Text that is not UTF-8 is unescaped where the list's folder is known.
        return Playlist.isAddress(address)
            ? address : String(validating: FileAddress.unescaped(Array(address.utf8)), as: UTF8.self) ?? address
    }
}
