/// What scrub sheets may take of the data partition, and which of them go first.
public struct SheetBudget: Hashable, Sendable {
    /// One film's sheet in the cache.
    public struct Kept: Hashable, Sendable {
        /// The name of its file.
        public var name: String
        public var bytes: Int64
        /// When somebody scrubbed the film last, in seconds since 1970; 0 where nobody has.
        public var scrubbed: Int64

        public init(name: String, bytes: Int64, scrubbed: Int64) {
            self.name = name
            self.bytes = bytes
            self.scrubbed = scrubbed
        }
    }

    /// All that is in the cache.
    public var kept: [Kept]
    /// What is free on the partition, in bytes.
    public var free: Int64

    public init(kept: [Kept], free: Int64) {
        self.kept = kept
        self.free = free
    }

    /// A quarter of what would be free without sheets, in bytes: what the sheets take does not lessen it.
    public var limit: Int64 { max((free + taken) / 4, 0) }

    private var taken: Int64 { kept.reduce(0) { $0 + max($1.bytes, 0) } }

    /// Which sheets make room for so many more bytes of one sheet: those that were scrubbed before it, the least recently scrubbed first.
    /// A sheet that nobody has scrubbed makes no other one go: where there are more films than room, they would push each other out in
    /// every round, and wear out the card.
    /// - Parameter name: the sheet that grows; it stays.
    /// - Returns: the names; `nil` where there is no room for as much.
    public func evictions(for bytes: Int64, of name: String) -> [String]? {
        var (rest, names) = (taken + bytes, [String]())
        let scrubbed = kept.first { $0.name == name }?.scrubbed ?? 0
        let others = kept.filter { $0.name != name && $0.scrubbed < scrubbed }
        for one in others.sorted(by: { ($0.scrubbed, $0.name) < ($1.scrubbed, $1.name) }) where rest > limit {
            names.append(one.name)
            rest -= max(one.bytes, 0)
        }
        return rest <= limit ? names : nil
    }
}
