/// Two bytes of closed captions (CEA-608), which one field of a frame carries.
public struct CaptionPair: Hashable, Sendable {
    /// Whether the pair is of the frame's first field, not of its second.
    public var isFirstField: Bool
    /// Without the parity bit.
    public var first: UInt8
    /// Without the parity bit.
    public var second: UInt8

    /// - Parameters:
    ///   - first: seven bits.
    ///   - second: as `first`.
    public init(isFirstField: Bool = true, _ first: UInt8, _ second: UInt8) {
        self.isFirstField = isFirstField
        self.first = first & 0x7F
        self.second = second & 0x7F
    }

    /// Whether the pair is a filler of a frame without text.
    public var isPadding: Bool { first == 0 && second == 0 }

    /// The pairs in `cc_data` (CEA-708, section 4.4), which has three bytes each: a kind and two data bytes. CEA-708's own data and
    /// pairs with wrong parity are skipped.
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
