/// Two bytes of closed captions (CEA-608), which one field of a frame carries.
public struct CaptionPair: Hashable, Sendable {
    /// Of the frame's first field, else of its second one.
    public var isFirstField: Bool
    /// Without its parity.
    public var first: UInt8
    /// As `first`.
    public var second: UInt8

    /// - Parameters:
    ///   - first: seven bits.
    ///   - second: as `first`.
    public init(isFirstField: Bool = true, _ first: UInt8, _ second: UInt8) {
        self.isFirstField = isFirstField
        self.first = first & 0x7F
        self.second = second & 0x7F
    }

    /// A frame without text has these.
    public var isPadding: Bool { first == 0 && second == 0 }

    /// The pairs that `cc_data` has (CEA-708, section 4.4): three bytes each, of which the first says what the others are. Leaves
    /// out those of CEA-708 itself, and those whose parity is wrong.
    public static func pairs(ofCCData bytes: some Sequence<UInt8>) -> [CaptionPair] {
        var (pairs, bytes) = ([CaptionPair](), bytes.makeIterator())
        while let kind = bytes.next(), let first = bytes.next(), let second = bytes.next() {
            let (isValid, type) = (kind & 4 != 0, kind & 3)
            guard isValid, type < 2, first.nonzeroBitCount % 2 == 1, second.nonzeroBitCount % 2 == 1 else { continue }
            pairs.append(CaptionPair(isFirstField: type == 0, first, second))
        }
        return pairs
    }
}
