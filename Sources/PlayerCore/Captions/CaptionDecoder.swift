/// Decodes closed captions (CEA-608): from a frame's pairs to the texts of the four channels.
///
/// It is our own, because Debian's libzvbi (0.2.41 to 0.2.44) skips the extended characters, such as `Á` and `«`, executes the
/// second field's repeated commands twice, and has parts under GPL-2, which does not suit the licence of Swift's packages.
public struct CaptionDecoder: Sendable {
    /// One of a frame's two fields, which carries two channels.
    private struct Field {
        /// The channel of the last command.
        var channel: Int?
        /// The previous pair, if it was a command: a command is sent twice, and executed once.
        var command: CaptionPair?
        /// Whether the pairs describe the broadcast, and are no captions.
        var isService = false
    }

    private var fields = [Field(), Field()]
    private var channels = [CaptionChannel](repeating: CaptionChannel(), count: 4)

    /// Whether a channel has had a character, perhaps one that is not displayed yet.
    var hasText: Bool { channels.contains(where: \.hasText) }

    /// A decoder at an unknown place of the stream.
    public init() {}

    /// Takes the pairs of one frame, in display order. Frames without pairs count, too.
    /// - Returns: the channels with a changed text, counted from 1, and their texts.
    public mutating func take(_ pairs: [CaptionPair]) -> [(channel: Int, text: String)] {
        for place in channels.indices { channels[place].beginFrame() }
        for pair in pairs where pair.kind.isField { take(pair) }
        return channels.indices.compactMap { place in
            channels[place].takeChange().map { (place + 1, $0) }
        }
    }

    private mutating func take(_ pair: CaptionPair) {
        let field = pair.kind == .firstField ? 0 : 1
        let before = fields[field].command
        fields[field].command = nil
        switch pair.first {
        case 0x01...0x0F: fields[field].isService = pair.first != 0x0F
        case 0x10...0x1F:
            guard pair.second >= 0x20, pair != before else { return }
            let channel = 2 * field + Int(pair.first >> 3 & 1)
            fields[field] = Field(channel: channel, command: pair)
            channels[channel].obey(pair.first & 7, pair.second)
        default:
            guard !fields[field].isService, let channel = fields[field].channel else { return }
            for byte in [pair.first, pair.second] where byte >= 0x20 {
                channels[channel].write(CaptionCharacters.basic(byte))
            }
        }
    }
}

extension CaptionChannel {
    /// - Parameters:
    ///   - kind: the command's first byte, without its channel.
    ///   - code: its second byte.
    fileprivate mutating func obey(_ kind: UInt8, _ code: UInt8) {
        switch (kind, code) {
        case (_, 0x40...):
            // In steps of 4 columns; the other preambles give a colour.
            let indent = code & 0x10 != 0 ? Int(code >> 1 & 7) * 4 : 0
            if let row = Self.row(kind, isLower: code & 0x20 != 0) { move(toRow: row, column: indent) }
        // A colour command occupies a character's place.
        case (1, 0x20...0x2F): write(" ")
        case (1, 0x30...): write(CaptionCharacters.special[Int(code - 0x30)])
        case (2, _): overwrite(CaptionCharacters.firstExtended[Int(code - 0x20)])
        case (3, _): overwrite(CaptionCharacters.secondExtended[Int(code - 0x20)])
        // The second field has its own codes.
        case (4...5, 0x20...0x2F): control(code)
        case (7, 0x21...0x23): tab(Int(code - 0x20))
        default: break
        }
    }

    private mutating func control(_ code: UInt8) {
        switch code {
        case 0x20: setMode(.popOn)
        case 0x21: eraseCharacter()
        case 0x24: eraseRestOfRow()
        case 0x25...0x27: setMode(.rollUp(lines: Int(code - 0x23)))
        case 0x29: setMode(.paintOn)
        case 0x2A, 0x2B: setMode(.text)
        case 0x2C: eraseDisplayed()
        case 0x2D: beginLine()
        case 0x2E: eraseHidden()
        case 0x2F: flip()
        default: break
        }
    }

    /// The row, counted from 0; `nil` for an unknown code.
    private static func row(_ kind: UInt8, isLower: Bool) -> Int? {
        let upper: Int? =
            switch kind {
            case 0: isLower ? nil : 10
            case 1: 0
            case 2: 2
            case 3: 11
            case 4: 13
            case 5: 4
            case 6: 6
            case 7: 8
            default: nil
            }
        return upper.map { isLower ? $0 + 1 : $0 }
    }
}
