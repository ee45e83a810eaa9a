/// A display's sound capabilities, as the sound card gets them (EDID-Like Data, HDA specification 7.3.3.34).
struct ELD: Hashable, Sendable {
    /// As in the display's EDID: bytes 8 to 11.
    var product: [UInt8]
    /// "LG TV"; empty if the display has none.
    var name: String

    /// `nil` if nothing is plugged in, or it has no sound: the driver then returns zeros.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 20, bytes[0] >> 3 != 0, bytes[2] != 0 else { return nil }
        product = Array(bytes[16..<20])
        let length = Int(bytes[4] & 0x1F)
        name = String(decoding: bytes.dropFirst(20).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// A display's description of itself: the parts about sound.
struct EDID: Hashable, Sendable {
    /// Manufacturer and model.
    var product: [UInt8]
    /// "LG TV"; `nil` if the display has none.
    var name: String?
    /// Whether it has loudspeakers, or a socket for them.
    var hasSound: Bool

    /// `nil` if there is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 128 else { return nil }
        product = Array(bytes[8..<12])
        // Of four descriptors, the one of the type 0xFC is the name, terminated by a line feed.
        name = stride(from: 54, to: 126, by: 18).lazy
            .map { bytes[$0..<($0 + 18)] }
            .first { $0.prefix(4).elementsEqual([0, 0, 0, 0xFC]) }
            .map { Substring(decoding: $0.dropFirst(5).prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self).trimmed }
        if name?.isEmpty == true { name = nil }
        // CTA-861: an extension of the type 2, whose third byte has basic audio as bit 6.
        hasSound = stride(from: 128, to: bytes.count - 127, by: 128).contains {
            bytes[$0] == 2 && bytes[$0 + 3] & 0x40 != 0
        }
    }
}
