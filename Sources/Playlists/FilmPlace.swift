internal import Glibc
internal import TextFiles

/// A folder or a file, whatever it is called: a card ignores upper and lower case, and a path may end in a slash.
public struct FilmPlace {
    private struct Identity: Hashable {
        var device: dev_t
        var number: ino_t
    }

    private let identity: Identity?

    /// Blocks for as long as the card takes, as `holds` does.
    public init(_ path: String) { identity = Self.identity(of: path) }

    /// Whether a file is this one, or lies in this folder or in one within it.
    public func holds(_ path: String) -> Bool {
        guard let identity, !path.contains("://") else { return false }
        var path = path[...]
        repeat {
            if Self.identity(of: String(path)) == identity { return true }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        } while !path.isEmpty
        return false
    }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}
