/// One thing that is wrong in the settings file. All the rest of the file holds.
public struct SettingsProblem: Error, Hashable, Sendable {
    /// The file's path, as it was asked for.
    public var file: String
    /// Counted from 1; `nil`: the file as a whole.
    public var line: Int?
    /// What is written there, without the note behind it; `nil` where there is nothing to show, or it is secret.
    public var value: String?
    /// What is wrong, a clause without a full stop.
    public var what: String
    /// What to do, a sentence without a full stop.
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
