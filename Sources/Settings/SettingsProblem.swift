/// One problem in the settings file. The rest of the file stays valid.
public struct SettingsProblem: Error, Hashable, Sendable {
    /// The file's path, as given.
    public var file: String
    /// Counted from 1; `nil` for the file as a whole.
    public var line: Int?
    /// The value in the file, without a comment; `nil` if there is nothing to show, or it is secret.
    public var value: String?
    /// The problem, a clause without a full stop.
    public var what: String
    /// The remedy, a sentence without a full stop.
    public var remedy: String

    public init(file: String, line: Int? = nil, value: String? = nil, what: String, remedy: String) {
        self.file = file
        self.line = line
        self.value = value
        self.what = what
        self.remedy = remedy
    }
}

extension SettingsProblem: CustomStringConvertible {
    /// One line: `FILE:LINE: VALUE: what; remedy`.
    public var description: String {
        let place = line.map { "\(file):\($0): " } ?? "\(file): "
        return place + (value.map { "\($0): " } ?? "") + "\(what); \(remedy)"
    }
}
