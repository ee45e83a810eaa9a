public import Logging
public import Media
public import PlayerCore
public import Playlists

extension MediaLocation {
    /// - Throws: as for a name.
    public init(_ entry: PlaylistEntry) throws(MediaFailure) {
        try self.init(entry.location, title: entry.title)
    }

    /// Those of a list that can be played; the others are told in the log, if there is one.
    public static func those(of entries: [PlaylistEntry], _ log: Logger?) -> [MediaLocation] {
        those(of: entries) { log?.error("\($1.message)") }
    }

    /// Those of a list that can be played; what is to be told of the others, the caller says.
    public static func those(
        of entries: [PlaylistEntry], _ report: (PlaylistEntry, MediaFailure) -> Void
    ) -> [MediaLocation] {
        entries.compactMap { entry in
            do throws(MediaFailure) {
                return try MediaLocation(entry)
            } catch {
                report(entry, error)
                return nil
            }
        }
    }
}

extension MediaFailure {
    public init(_ error: PlaylistError) {
        self.init(reason: .notMedia, message: "\(error)")
    }
}
