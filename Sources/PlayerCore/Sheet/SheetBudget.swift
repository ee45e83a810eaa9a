/// The space that scrub sheets may use on the data partition, and the order in which they are evicted.
public struct SheetBudget: Hashable, Sendable {
    /// One film's sheet in the cache.
    public struct Kept: Hashable, Sendable {
        /// The name of the sheet's file.
        public var name: String
        public var bytes: Int64
        /// When the film was last scrubbed, in seconds since 1970; 0 for never.
        public var scrubbed: Int64

        public init(name: String, bytes: Int64, scrubbed: Int64) {
            self.name = name
            self.bytes = bytes
            self.scrubbed = scrubbed
        }
    }

    /// All sheets in the cache.
    public var kept: [Kept]
    /// The free space on the partition, in bytes.
    public var free: Int64

    public init(kept: [Kept], free: Int64) {
        self.kept = kept
        self.free = free
    }

    /// A quarter of the space that would be free without sheets, in bytes: the sheets' own size does not reduce it.
    public var limit: Int64 { max((free + taken) / 4, 0) }

    private var taken: Int64 { kept.reduce(0) { $0 + max($1.bytes, 0) } }

    /// The sheets to evict for so many more bytes of one sheet: those scrubbed before it, the least recently scrubbed
    /// first. A sheet that was never scrubbed evicts no other: if there are more films than room, they would evict each
    /// other in every round, and wear out the card.
    /// - Parameter name: the sheet that grows; it stays.
    /// - Returns: the names; `nil` if there is not enough room.
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
