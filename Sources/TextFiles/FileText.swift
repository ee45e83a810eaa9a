/// Decodes a text file in any editor's encoding: UTF-8 with or without a BOM, UTF-16 (Notepad's "Unicode"),
/// Windows-1252 (its "ANSI"); with line ends of Linux, Windows or old Macs.
public struct FileText {
    public let lines: TextLines
    /// Whether there are zero bytes, which editors never write: a power cut may leave them on a card.
    public private(set) var hasZeros = false
    /// The line of the first byte that is not UTF-8; then all of it was decoded as Windows-1252.
    public private(set) var firstForeignLine: Int?

    public init(_ bytes: [UInt8]) {
        var text: String
        if bytes.starts(with: [0xFF, 0xFE]) {
            text = Self.utf16(bytes.dropFirst(2)) { UInt16($0) | UInt16($1) << 8 }
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            text = Self.utf16(bytes.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) }
        } else {
            let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            if let valid = String(validating: bytes, as: UTF8.self) {
                text = valid
            } else {
                firstForeignLine = Self.foreignLine(bytes)
                text = Self.windows1252(bytes)
            }
        }
        if text.unicodeScalars.contains("\0") {
            hasZeros = true
            text.unicodeScalars.removeAll { $0 == "\0" }
        }
        lines = TextLines(text: text)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - bytes.count % 2, by: 2)
        return String(decoding: pairs.map { unit(bytes[$0], bytes[$0 + 1]) }, as: UTF16.self)
    }

    private static func foreignLine(_ bytes: ArraySlice<UInt8>) -> Int {
        var (line, rest) = (1, bytes)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if String(validating: rest[..<end], as: UTF8.self) == nil { return line }
            rest = rest[(end + 1)...]
            line += 1
        }
        return line
    }

    /// Decodes a file system's name.
    static func ofName(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
    }

    private static func windows1252(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.lazy.map(windows1252)))
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return special[Int(byte) - 0x80]
    }

    /// 0x80...0x9F (unicode.org, CP1252.TXT); the five undefined ones become the replacement character.
    private static let special: [Unicode.Scalar] = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
