/// One film of a list.
public struct PlaylistEntry: Hashable, Sendable {
    /// A path or an address; a path that is not UTF-8 as `FileAddress` names it.
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
    /// What to do, a sentence without a full stop.
    public var remedy = "mend the list, or what it names"
    /// A list or a folder without a film: nothing is wrong with it but that.
    public var isEmpty = false

    public var description: String { "\(name): \(what)" }
}
