/// One film of a list.
public struct PlaylistEntry: Hashable, Sendable {
    /// A path or an address; a path that is not UTF-8 in `FileAddress` notation.
    public var location: String
    /// The title in the list.
    public var title: String?

    public init(_ location: String, title: String? = nil) {
        self.location = location
        self.title = title
    }
}

/// Why a list or a folder has no films.
public struct PlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name as given.
    public var name: String
    /// A clause without a full stop.
    public var what: String
    /// The remedy, a sentence without a full stop.
    public var remedy = "mend the list, or what it names"
    /// Whether the list or folder is merely empty.
    public var isEmpty = false

    public var description: String { "\(name): \(what)" }
}
