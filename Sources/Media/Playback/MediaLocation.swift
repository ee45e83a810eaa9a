internal import CGStreamer
internal import Glibc
public import PlayerCore
internal import TextFiles

/// A film's location: a path or any URI that GStreamer plays.
public struct MediaLocation: Hashable, Sendable {
    /// The location as given, without a password: names appear in logs, on the screen, and in clients.
    public let name: String
    /// The URI for GStreamer: it contains the password, so it must not be logged. `fd://0` is the standard input.
    public let uri: String
    /// The file's path; `nil` for remote media. A path that is not UTF-8 is a `file:` address, which keeps its bytes.
    public let path: String?
    /// A file's size in bytes.
    public let size: Int64?
    /// Whether it is a file, whose frames can follow the finger.
    public let isLocal: Bool
    /// The playlist's title, or the file's name without its extension, until the metadata give a better one.
    public let title: String

    /// - Parameters:
    ///   - text: `-` is the standard input, which can only be read forwards.
    ///   - title: the title in a playlist.
    /// - Throws: `noSuchFile`, `noPermission` or `notMedia` for a plain path or a `file:` URI that cannot be played.
    public init(_ text: String, title: String? = nil) throws(MediaFailure) {
        if text == TestPicture.uri {
            self = .testPicture
            return
        }
        name = Self.withoutPassword(text)
        if text == "-" || Self.isRemote(text) {
            uri = text == "-" ? "fd://0" : Self.withoutSender(text)
            isLocal = false
            path = nil
            size = nil
            self.title = title ?? Self.title(of: text)
            return
        }
        guard let path = Self.path(of: text) else {
            throw MediaFailure(
                reason: .noSuchFile, message: "\(name): not a file's URI; file:///path/to/film.mp4 is one")
        }
        size = try Self.checkedSize(of: path, name: name)
        guard let uri = Self.uri(ofPath: path) else {
            throw MediaFailure(reason: .noSuchFile, message: "\(name): not a path that can be a URI")
        }
        self.uri = uri
        self.path = path
        isLocal = true
        self.title = title ?? Self.title(ofPath: path)
    }

    /// By GLib alone: GStreamer's own `gst_filename_to_uri` logs, and may be starting in another thread.
    private static func uri(ofPath path: String) -> String? {
        guard let absolute = FileAddress.withPath(path, { g_canonicalize_filename($0, nil) }) else { return nil }
        defer { g_free(absolute) }
        return takeString(g_filename_to_uri(absolute, nil, nil))
    }

    /// `testsrc:`, shown if a playlist has no film.
    public static let testPicture = MediaLocation(named: TestPicture.uri, title: TestPicture.title)

    private init(named uri: String, title: String) {
        (name, self.uri, self.title) = (uri, uri, title)
        (isLocal, path, size) = (false, nil, nil)
    }

    var isTestPicture: Bool { self == .testPicture }

    /// The file's name without its extension.
    public var fileTitle: String { path.map { Self.title(ofPath: $0) } ?? Self.title(of: name) }

    /// Whether it can be opened again after it has been read.
    public var isRepeatable: Bool { name != "-" }

    /// Converts "udp://@:5004", in the notation of VLC and broadcasters' lists: from any sender. GStreamer requires
    /// this machine's address in place of the empty host.
    private static func withoutSender(_ address: String) -> String {
        let begin = "udp://@"
        guard address.lowercased().hasPrefix(begin) else { return address }
        let place = address.dropFirst(begin.count)
        return "udp://\(place.hasPrefix(":") ? "0.0.0.0" : "")\(place)"
    }

    /// Whether it is an address, and no file whose name looks like one: "Alien: Covenant.mkv".
    private static func isRemote(_ text: String) -> Bool {
        gst_uri_is_valid(text) != 0 && !text.hasPrefix("file:") && !FileAddress.isThere(text)
    }

    private static func checkedSize(of path: String, name: String) throws(MediaFailure) -> Int64 {
        var status = stat()
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0 else {
            let number = errno
            let reason: MediaFailure.Reason = number == EACCES ? .noPermission : .noSuchFile
            throw MediaFailure(reason: reason, message: "\(name): \(String(cString: strerror(number))) (\(number))")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw MediaFailure(reason: .notMedia, message: "\(name): is a folder; name the films in it")
        }
        if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            throw MediaFailure(reason: .notMedia, message: "\(name): is empty (0 bytes); copy the film again")
        }
        guard FileAddress.withPath(path, { access($0, R_OK) }) == 0 else {
            let number = errno
            throw MediaFailure(
                reason: .noPermission,
                message: "\(name): \(String(cString: strerror(number))) (\(number)); make it readable: chmod a+r")
        }
        return Int64(status.st_size)
    }
}
