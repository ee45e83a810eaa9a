internal import CDRM
internal import Glibc

/// The memory layout of a buffer's pixels: DRM's format modifier. An open set, because drivers know more than this
/// module.
public struct FormatModifier: RawRepresentable, Hashable, Sendable {
    /// The vendor in the highest byte; the rest is the vendor's.
    public var rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Line by line.
    public static let linear = FormatModifier(rawValue: CDRM_FORMAT_MOD_LINEAR)
}

extension FormatModifier: CustomStringConvertible {
    /// libdrm's name for it, such as `SAND128`, or the number.
    public var description: String {
        if self == .linear { return "linear" }
        guard let name = drmGetFormatModifierName(rawValue) else { return hexadecimal }
        defer { free(name) }
        return String(cString: name)
    }

    /// The modifier in GStreamer's notation: `0x0700000000000004`.
    public var hexadecimal: String {
        let digits = String(rawValue, radix: 16)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension FormatModifier: Codable {
    /// - Throws: `DecodingError` if the text is no number of 64 bits after `0x`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a modifier is a hexadecimal number, 0x and 16 digits")
        }
        rawValue = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexadecimal)
    }
}

/// A format with the modifiers that a plane accepts for it.
public struct FormatLayouts: Codable, Hashable, Sendable {
    public var format: PixelFormat
    /// In the driver's order.
    public var modifiers: [FormatModifier]

    public init(format: PixelFormat, modifiers: [FormatModifier]) {
        self.format = format
        self.modifiers = modifiers
    }
}

extension [FormatLayouts] {
    /// Parses a plane's `IN_FORMATS` (`struct drm_format_modifier_blob`): a list of formats, and a list of modifiers,
    /// each with a mask of 64 formats. Ignores everything beyond the bytes; formats without a modifier are left out.
    init(inFormats bytes: UnsafeRawBufferPointer) {
        func word<Word: FixedWidthInteger>(_ type: Word.Type, _ offset: Int) -> Word? {
            guard offset >= 0, offset <= bytes.count - MemoryLayout<Word>.size else { return nil }
            return bytes.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        func field(_ number: Int) -> Int { Int(word(UInt32.self, number * 4) ?? 0) }
        let (formatCount, formatsAt, modifierCount, modifiersAt) = (field(2), field(3), field(4), field(5))
        // A blob may claim more formats than its bytes can hold.
        let formats = (0..<Swift.min(formatCount, bytes.count / 4)).compactMap { word(UInt32.self, formatsAt + $0 * 4) }
        var layouts = formats.map { FormatLayouts(format: PixelFormat(rawValue: $0), modifiers: []) }
        for number in 0..<Swift.min(modifierCount, bytes.count / Self.modifierSize) {
            let start = modifiersAt + number * Self.modifierSize
            guard let mask = word(UInt64.self, start), let first = word(UInt32.self, start + 8),
                let modifier = word(UInt64.self, start + 16)
            else { break }
            for bit in 0..<64 where mask & 1 << UInt64(bit) != 0 && Int(first) + bit < layouts.count {
                layouts[Int(first) + bit].modifiers.append(FormatModifier(rawValue: modifier))
            }
        }
        self = layouts.filter { !$0.modifiers.isEmpty }
    }

    /// `struct drm_format_modifier`: the mask, the number of the first format, four bytes of padding, the modifier.
    private static var modifierSize: Int { 24 }
}
