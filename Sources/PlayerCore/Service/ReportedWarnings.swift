/// The warnings that are in the log already, by film: a film that is too much for the processor warns each second, and
/// a box runs for months.
public struct ReportedWarnings: Hashable, Sendable {
    /// Texts may contain numbers, so the set must be bounded.
    public static let limit = 256

    private var lastReported: Set<[String]> = []

    public init() {}

    /// Whether `text` is new for that film; call it once for each warning.
    ///
    /// - Parameter film: `nil` for a warning about all films.
    public mutating func isNew(_ text: String, of film: String?) -> Bool {
        if lastReported.count == Self.limit { lastReported = [] }
        return lastReported.insert(film.map { [text, $0] } ?? [text]).inserted
    }
}
