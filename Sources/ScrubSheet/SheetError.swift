internal import TextFiles

/// Why a scrub sheet cannot be read, made or stored.
public struct SheetError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// A system call failed, with errno.
        case system(call: String, Int32)
        /// The file breaks this rule of its format.
        case damaged(String)
        /// The picture or the sheet was made from another film.
        case otherFilm
        /// Another process is making this sheet.
        case isBeingMade
        /// The partition has no room for sheets.
        case noRoom
        /// libjpeg-turbo's message.
        case jpeg(String)
    }

    /// The sheet's or the film's path, in `FileAddress` notation.
    public var path: String
    public var reason: Reason

    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Whether the folder accepts no files: it is read-only, or belongs to somebody else.
    public var isOfFolder: Bool {
        guard case .system(_, let code) = reason else { return false }
        return SheetFile.isOfFolder(code)
    }

    /// A clause without the path.
    public var what: String {
        switch reason {
        case .system(let call, let code): "\(call): \(text(ofErrno: code))"
        case .damaged(let rule): "damaged: \(rule)"
        case .otherFilm: "made from another film, or from this one before it was changed"
        case .isBeingMade: "another program is making this sheet now"
        case .noRoom: "no room: scrub sheets take a quarter of the free space at most"
        case .jpeg(let message): "libjpeg-turbo: \(message)"
        }
    }

    public var description: String { "\(path): \(what)" }
}
