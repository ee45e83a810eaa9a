import FoundationEssentials
import Testing

@testable import KMS

@Suite("How a plane's formats may lie in memory (S2)")
struct FormatLayoutsTests {
    private static let sand128 = FormatModifier(rawValue: 0x0700_0000_0000_0004)

    /// As the kernel lays it out (drm_mode.h).
    private func blob(
        _ formats: [PixelFormat], _ modifiers: [(mask: UInt64, first: UInt32, modifier: FormatModifier)],
        formatCount: UInt32? = nil, modifierCount: UInt32? = nil
    ) -> [UInt8] {
        let modifiersAt = (24 + formats.count * 4 + 7) & ~7
        let header: [UInt32] = [
            1, 0, formatCount ?? UInt32(formats.count), 24, modifierCount ?? UInt32(modifiers.count),
            UInt32(modifiersAt),
        ]
        var result: [UInt8] = []
        for word in header { result += bytes(word) }
        for format in formats { result += bytes(format.rawValue) }
        while result.count < modifiersAt { result.append(0) }
        for one in modifiers {
            result += bytes(one.mask)
            result += bytes(one.first)
            result += bytes(UInt32(0))
            result += bytes(one.modifier.rawValue)
        }
        return result
    }

    private func bytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { [UInt8]($0) }
    }

    private func layouts(_ bytes: [UInt8]) -> [FormatLayouts] {
        bytes.withUnsafeBytes { [FormatLayouts](inFormats: $0) }
    }

    @Test("A Raspberry Pi's plane: all line by line, NV12 in columns too, P030 in columns alone")
    func columns() {
        let p030 = PixelFormat(rawValue: 0x3033_3050)
        let read = layouts(blob([.xrgb8888, .nv12, p030], [(0b011, 0, .linear), (0b110, 0, Self.sand128)]))
        #expect(
            read == [
                FormatLayouts(format: .xrgb8888, modifiers: [.linear]),
                FormatLayouts(format: .nv12, modifiers: [.linear, Self.sand128]),
                FormatLayouts(format: p030, modifiers: [Self.sand128]),
            ])
    }

    @Test("Formats from the 65th on have masks of their own")
    func manyFormats() {
        let formats = (0..<70).map { PixelFormat(rawValue: 0x3030_3030 + $0) }
        let read = layouts(blob(formats, [(1 << 63, 0, .linear), (0b10_0000, 64, Self.sand128)]))
        #expect(read.map(\.format) == [formats[63], formats[69]])
        #expect(read.map(\.modifiers) == [[.linear], [Self.sand128]])
    }

    @Test("What does not lie within the blob is not read")
    func damaged() {
        let whole = blob([.nv12], [(1, 0, .linear)])
        for count in 0..<whole.count { #expect(layouts(Array(whole.prefix(count))).isEmpty) }
        #expect(
            layouts(blob([.nv12], [(0b11, 0, .linear)], formatCount: .max, modifierCount: .max)).first?.format == .nv12)
        #expect(layouts(blob([.nv12], [(~0, .max, .linear)])).isEmpty)
    }

    @Test("In words, and as GStreamer writes it")
    func text() throws {
        #expect(FormatModifier.linear.description == "linear")
        #expect(Self.sand128.description == "SAND128")
        #expect(FormatModifier(rawValue: 0x7F00_0000_0000_00AB).description == "0x7f000000000000ab")
        let text = try JSONEncoder().encode([FormatModifier.linear, Self.sand128])
        #expect(String(decoding: text, as: UTF8.self) == #"["0x0000000000000000","0x0700000000000004"]"#)
        #expect(try JSONDecoder().decode([FormatModifier].self, from: text) == [.linear, Self.sand128])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([FormatModifier].self, from: Array(#"["linear"]"#.utf8).asData)
        }
    }
}

extension [UInt8] {
    fileprivate var asData: Data { Data(self) }
}
