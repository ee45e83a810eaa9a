public import Media
public import PlayerCore
public import Playlists

extension MediaLocation {
    /// - Throws: as for a name.
    public init(_ entry: PlaylistEntry) throws(MediaFailure) {
        try self.init(entry.location, title: entry.title)
    }
}

extension MediaFailure {
    public init(_ error: PlaylistError) {
        self.init(reason: .notMedia, message: "\(error)")
    }
}
