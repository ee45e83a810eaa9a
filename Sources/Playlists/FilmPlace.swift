/// A folder or a file, independent of its spelling: a card ignores upper and lower case, and a path may end in a slash.
public struct FilmPlace {
    private let identity: FileIdentity?

    /// Blocks for as long as the card takes, as does `holds`.
    public init(_ path: String) { identity = FileIdentity(path: path) }

    /// Whether a file is this one, or is in this folder or a subfolder.
    public func holds(_ path: String) -> Bool {
        guard let identity, !path.contains("://") else { return false }
        var path = path[...]
        repeat {
            if FileIdentity(path: String(path)) == identity { return true }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        } while !path.isEmpty
        return false
    }
}
