public import Logging
public import Media
public import PlayerCore
public import Playlists

extension MediaLocation {
    /// - Throws: as for a path.
    public init(_ entry: PlaylistEntry) throws(MediaFailure) {
        try self.init(entry.location, title: entry.title)
    }

    /// The playable entries of a playlist; the others are logged, if there is a log.
    public static func those(of entries: [PlaylistEntry], _ log: Logger?) -> [MediaLocation] {
        those(of: entries) { log?.error("\($1.message)") }
    }

    /// The playable entries of a playlist; the caller reports the others.
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
