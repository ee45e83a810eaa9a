/// One film of a list.
public struct PlaylistEntry: Hashable, Sendable {
    /// A path or an address.
    public var location: String
    /// As the list has it.
    public var title: String?

    public init(_ location: String, title: String? = nil) {
        self.location = location
        self.title = title
    }
}

/// Why a list or a folder is no film's.
public struct PlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
    /// As it was named.
    public var name: String
    /// A clause without a full stop.
    public var what: String
    /// A list or a folder without a film: nothing is wrong with it but that.
    public var isEmpty = false

    public var description: String { "\(name): \(what)" }
}
