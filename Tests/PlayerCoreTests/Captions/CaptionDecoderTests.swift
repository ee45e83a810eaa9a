import Testing

@testable import PlayerCore

/// Closed captions of CEA-608 become texts (A11).
struct CaptionDecoderTests {
    /// Commands, as one frame each sends them; characters two by two.
    private enum Sent {
        case command(UInt8, UInt8)
        case text(String)
        case nothing
    }

    private static let load = Sent.command(0x14, 0x20)
    private static let show = Sent.command(0x14, 0x2F)
    private static let erase = Sent.command(0x14, 0x2C)
    private static let eraseHidden = Sent.command(0x14, 0x2E)
    private static let newLine = Sent.command(0x14, 0x2D)
    private static let paint = Sent.command(0x14, 0x29)
    private static let roll = Sent.command(0x14, 0x25)
    private static let row14 = Sent.command(0x14, 0x50)
    private static let row15 = Sent.command(0x14, 0x70)

    /// For each frame one pair of the first field.
    private func frames(_ sent: [Sent], _ field: CaptionPair.Kind = .firstField, isDoubled: Bool = true)
        -> [CaptionPair]
    {
        sent.flatMap { sent in
            switch sent {
            case .command(let first, let second):
                [CaptionPair](repeating: CaptionPair(of: field, first, second), count: isDoubled ? 2 : 1)
            case .text(let text):
                stride(from: 0, to: text.utf8.count, by: 2).map { place in
                    let bytes = Array(text.utf8.dropFirst(place).prefix(2)) + [0]
                    return CaptionPair(of: field, bytes[0], bytes[1])
                }
            case .nothing: [CaptionPair(of: field, 0, 0)]
            }
        }
    }

    /// The texts that follow each other on a channel.
    private func texts(
        _ sent: [Sent], channel: Int = 1, _ field: CaptionPair.Kind = .firstField, isDoubled: Bool = true
    ) -> [String] {
        var decoder = CaptionDecoder()
        return frames(sent + [.nothing], field, isDoubled: isDoubled).flatMap { pair in
            decoder.take([pair]).filter { $0.channel == channel }.map(\.text)
        }
    }

    @Test(arguments: [true, false])
    func `a text that pops on is shown when it is complete, and until it is erased`(isDoubled: Bool) {
        let sent = [
            Self.load, Self.eraseHidden, Self.row14, .text("Hello,"), Self.row15, .text("  all   of you"), Self.show,
            .nothing,
            Self.erase, Self.load, Self.eraseHidden, Self.row15, .text("Bye"), Self.show,
        ]
        #expect(texts(sent, isDoubled: isDoubled) == ["Hello,\nall of you", "", "Bye"])
    }

    @Test func `a command that is sent twice is done once, and four times twice`() {
        let sent = [Self.roll, Self.row15, .text("one "), Self.newLine, .text("two "), Self.newLine, Self.newLine]
        #expect(texts(sent) == ["", "one", "one\ntwo", "two", ""])
    }

    @Test func `lines roll up, as many as there are to be, word by word`() {
        let sent = [
            Self.roll, Self.newLine, Self.row15, .text("one two "), Self.newLine, .text("three"), .nothing,
            Self.newLine, .text("4 "),
        ]
        #expect(texts(sent) == ["", "one", "one two", "one two\nthree", "three", "three\n4"])
        let three = [Sent.command(0x14, 0x26)] + "abcd".map { Sent.text("\($0) ") }.flatMap { [Self.newLine, $0] }
        #expect(texts(three).last == "b\nc\nd")
        #expect(texts(three + [Self.roll]).last == "c\nd")
    }

    @Test func `text is painted on the screen, over other text too, and erased`() {
        let sent = [
            Self.paint, Self.row15, .text("Hello"), Self.row15, .text("J"), .command(0x17, 0x21), .text("ll"),
            // Back by one, then the rest of the line.
            .command(0x14, 0x21), .command(0x14, 0x24),
        ]
        #expect(texts(sent) == ["Hello", "Jello", "Jel o", "Jel"])
    }

    @Test func `each set has its characters`() {
        let sent = [
            Self.load, Self.row15, .text("*\\^_`{|}~'"), .command(0x11, 0x37), .command(0x11, 0x38), .text("A"),
            .command(0x12, 0x20),
            .text("\""), .command(0x12, 0x3E), .text("a"), .command(0x13, 0x31), Self.show,
        ]
        #expect(texts(sent) == ["áéíóúç÷Ññ’♪àÁ«ä"])
    }

    @Test func `a change of colour is a blank, a tab too`() {
        let sent = [
            Self.load, Self.row15, .text("a"), .command(0x11, 0x2E), .text("b"), .command(0x17, 0x22), .text("c"),
            Self.show,
        ]
        #expect(texts(sent) == ["a b c"])
    }

    @Test func `what is too long for a row has its last character at the end`() {
        let sent = [Self.load, Self.row15, .text(String(repeating: "a", count: 40) + "z"), Self.show]
        #expect(texts(sent) == [String(repeating: "a", count: 31) + "z"])
    }

    @Test func `each of the four channels has a text of its own`() {
        var decoder = CaptionDecoder()
        var texts: [Int: String] = [:]
        for (field, bit) in [
            (CaptionPair.Kind.firstField, UInt8(0)), (.firstField, 8), (.secondField, 0), (.secondField, 8),
        ] {
            let sent: [Sent] = [
                .command(0x14 | bit, 0x20), .command(0x14 | bit, 0x70), .text("\(field) \(bit)"),
                .command(0x14 | bit, 0x2F),
            ]
            for pair in frames(sent, field) {
                for (channel, text) in decoder.take([pair]) { texts[channel] = text }
            }
        }
        #expect(texts == [1: "firstField 0", 2: "firstField 8", 3: "secondField 0", 4: "secondField 8"])
    }

    @Test func `the second field's own codes, and what it says of the broadcast`() {
        let sent = [
            Sent.command(0x15, 0x20), Self.row15, .text("a"), .command(0x01, 0x03), .text("Programme"),
            .command(0x0F, 0x40), .text("b"),
            .command(0x15, 0x2F),
        ]
        #expect(texts(sent, channel: 3, .secondField) == ["ab"])
    }

    @Test func `what begins in the middle of a text is left out, and its end erases`() {
        let sent = [.text("the end"), Self.show, Self.load, Self.eraseHidden, Self.row15, .text("whole"), Self.show]
        #expect(texts(sent) == ["", "whole"])
        #expect(texts([Self.row15, .text("the end"), Self.erase]) == [""])
    }

    @Test func `text that is no caption is left out`() {
        #expect(texts([.command(0x14, 0x2A), .text("Weather"), Self.load, Self.row15, .text("a"), Self.show]) == ["a"])
    }

    @Test func `padding is nothing`() {
        #expect(texts([.nothing, .nothing, .text("\0\0"), .nothing]).isEmpty)
    }

    @Test func `damaged pairs are left out, those of CEA-708 have no parity`() {
        let data: [UInt8] = [
            0xFC, 0x94, 0x20, 0xFD, 0x80, 0x80, 0xFC, 0x14, 0x20, 0xF8, 0x94, 0x20, 0xFE, 0x94, 0x20, 0xFF, 0x94, 0x20,
            0xFC, 0x94,
        ]
        #expect(
            CaptionPair.pairs(ofCCData: data) == [
                CaptionPair(0x14, 0x20), CaptionPair(of: .secondField, 0, 0), CaptionPair(of: .packet, 0x94, 0x20),
                CaptionPair(of: .packetStart, 0x94, 0x20),
            ])
        #expect(CaptionPair.pairs(ofCCData: []).isEmpty)
    }

    @Test func `whatever is sent, no text is longer than a screen`() {
        var (decoder, random) = (CaptionDecoder(), SystemRandomNumberGenerator())
        for _ in 0..<20_000 {
            let pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                // Every other one is a command.
                CaptionPair(
                    of: .random(using: &random) ? .firstField : .secondField,
                    .random(using: &random)
                        ? .random(in: 0x10...0x1F, using: &random) : .random(in: 0...0x7F, using: &random),
                    .random(in: 0...0x7F, using: &random))
            }
            for (channel, text) in decoder.take(pairs) {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                #expect((1...4).contains(channel) && lines.count <= 15 && lines.allSatisfy { $0.count <= 32 })
            }
        }
    }
}
