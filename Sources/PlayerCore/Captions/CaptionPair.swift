/// Two bytes of closed captions: of CEA-608, which one field of a frame carries, or of CEA-708's packets.
public struct CaptionPair: Hashable, Sendable {
    /// What a pair belongs to, in the order of `cc_type`.
    public enum Kind: UInt8, Sendable {
        /// The pair is CEA-608's, of the frame's first field.
        case firstField
        /// The pair is CEA-608's, of the frame's second field.
        case secondField
        /// The pair continues a packet of CEA-708.
        case packet
        /// The pair begins a packet of CEA-708.
        case packetStart
    }

    /// What the pair belongs to.
    public var kind: Kind
    /// CEA-608's are without the parity bit.
    public var first: UInt8
    /// As `first`.
    public var second: UInt8

    /// - Parameters:
    ///   - first: seven bits if the pair is of a field.
    ///   - second: as `first`.
    public init(of kind: Kind = .firstField, _ first: UInt8, _ second: UInt8) {
        let mask: UInt8 = kind.isField ? 0x7F : 0xFF
        self.kind = kind
        self.first = first & mask
        self.second = second & mask
    }

    /// Whether the pair is a filler of a frame without text.
    public var isPadding: Bool { kind != .packetStart && first == 0 && second == 0 }

    /// The pairs in `cc_data` (CEA-708, section 4.4), which has three bytes each: a kind and two data bytes. Pairs that are marked
    /// as invalid, and CEA-608's with wrong parity, are skipped.
    public static func pairs(ofCCData bytes: some Sequence<UInt8>) -> [CaptionPair] {
        var (pairs, bytes) = ([CaptionPair](), bytes.makeIterator())
        while let type = bytes.next(), let first = bytes.next(), let second = bytes.next() {
            guard type & 4 != 0, let kind = Kind(rawValue: type & 3),
                !kind.isField || first.nonzeroBitCount % 2 == 1 && second.nonzeroBitCount % 2 == 1
            else { continue }
            pairs.append(CaptionPair(of: kind, first, second))
        }
        return pairs
    }
}

extension CaptionPair.Kind {
    /// Whether the pair is CEA-608's.
    var isField: Bool { self == .firstField || self == .secondField }
}
