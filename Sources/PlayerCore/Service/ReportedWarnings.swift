/// The warnings that the log has already, each with its film: a film that is too much for the processor says so each second,
/// for as long as it plays, and a box runs for months.
public struct ReportedWarnings: Hashable, Sendable {
    /// Texts may carry numbers: what is kept stays small.
    public static let limit = 256

    private var lastReported: Set<[String]> = []

    public init() {}

    /// Whether `text` is new of that film; asked once for each warning.
    ///
    /// - Parameter film: `nil` where it is true of all of them.
    public mutating func isNew(_ text: String, of film: String?) -> Bool {
        if lastReported.count == Self.limit { lastReported = [] }
        return lastReported.insert(film.map { [text, $0] } ?? [text]).inserted
    }
}
