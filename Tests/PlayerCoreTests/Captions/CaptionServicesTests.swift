import Testing

@testable import PlayerCore

/// CEA-708's own captions become texts (A11).
struct CaptionServicesTests {
    private static let show: UInt8 = 0x89, hide: UInt8 = 0x8A, toggle: UInt8 = 0x8B, delete: UInt8 = 0x8C
    private static let textEnd: UInt8 = 0x03, newRow: UInt8 = 0x0D

    /// DefineWindow.
    private func window(_ number: UInt8, at vertical: UInt8 = 60, rows: UInt8 = 2, isVisible: Bool = false) -> [UInt8] {
        [0x98 + number, isVisible ? 0x38 : 0x18, vertical, 20, 0x60 | (rows - 1), 31, 0x11]
    }

    private func pen(_ row: UInt8, _ column: UInt8 = 0) -> [UInt8] { [0x92, row, column] }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func block(_ bytes: [UInt8], of service: UInt8 = 1) -> [UInt8] {
        (service < 7 ? [service << 5 | UInt8(bytes.count)] : [0xE0 | UInt8(bytes.count), service]) + bytes
    }

    /// A packet with these blocks and filler up to its length.
    private func packet(_ blocks: [UInt8], sequence: Int = 0) -> [CaptionPair] {
        let pairs = blocks.count / 2 + 1
        var bytes = [UInt8(sequence & 3) << 6 | UInt8(pairs & 0x3F)] + blocks
        bytes += [UInt8](repeating: 0, count: 2 * pairs - bytes.count)
        return stride(from: 0, to: bytes.count, by: 2).map {
            CaptionPair(of: $0 == 0 ? .packetStart : .packet, bytes[$0], bytes[$0 + 1])
        }
    }

    private func time(_ frame: Int) -> MediaTime { .milliseconds(40 * Int64(frame)) }

    /// The texts that follow each other on a service; for each of its blocks a packet, which is a frame.
    private func texts(_ blocks: [[UInt8]], service: UInt8 = 1) -> [String] {
        var services = CaptionServices()
        let frames = blocks.enumerated().map { packet(block($1, of: service), sequence: $0) } + [[]]
        return frames.enumerated().flatMap { place, pairs in
            services.take(pairs, at: time(place)).filter { $0.channel == service }.map(\.text)
        }
    }

    @Test func `two windows pop on by turns`() {
        let sent = [
            window(0) + text("Hello,"), pen(1, 2) + text("all  of you") + [Self.textEnd],
            [Self.show, 1], window(1) + text("Bye"), [Self.toggle, 3], [Self.delete, 3],
        ]
        #expect(texts(sent) == ["Hello,\nall of you", "Bye", ""])
    }

    @Test func `visible windows are read from the top to the bottom`() {
        let sent = [
            window(0, at: 60, isVisible: true) + text("low "), window(1, at: 10, isVisible: true) + text("high "),
        ]
        #expect(texts(sent) == ["low", "high\nlow"])
        #expect(texts(sent + [[Self.hide, 1]]).last == "high")
    }

    @Test func `lines roll up, word by word`() {
        let sent = [
            window(0, rows: 2, isVisible: true) + pen(1) + text("one tw"), text("o "), [Self.newRow] + text("three"),
            [Self.textEnd], [Self.newRow] + text("4") + [Self.textEnd],
        ]
        #expect(texts(sent) == ["one two", "one two\nthree", "three\n4"])
    }

    @Test func `hidden windows and text without a window are not shown`() {
        #expect(texts([text("the end"), window(0) + text("a") + [Self.textEnd], [0x81] + text("b")]).isEmpty)
        // The window exists, but is no longer the current one.
        #expect(texts([window(0, isVisible: true), [Self.delete, 1] + text("a")]).isEmpty)
    }

    @Test func `text is erased by character, row, window, and by a reset`() {
        let begin = window(0, isVisible: true) + text("ab") + [Self.newRow] + text("cd") + [Self.textEnd]
        #expect(texts([begin, [0x08]]) == ["ab\ncd", "ab\nc"])
        #expect(texts([begin, [0x0E] + text("x ")]) == ["ab\ncd", "ab\nx"])
        #expect(texts([begin, [0x0C] + text("x ")]) == ["ab\ncd", "x"])
        #expect(texts([begin, [0x88, 1], text("x ")]) == ["ab\ncd", "", "x"])
        #expect(texts([begin, [0x8F], text("x ")]) == ["ab\ncd", ""])
    }

    @Test func `a window that is defined again keeps its text and its visibility, unless the definition is new`() {
        let begin = window(0) + text("ab") + [Self.newRow] + text("cd") + [Self.show, 1]
        #expect(texts([begin, window(0) + text("e ")]) == ["ab\ncd", "ab\ncde"])
        #expect(texts([begin, window(0, rows: 1, isVisible: true) + text("e ")]) == ["ab\ncd", "abe"])
        #expect(texts([begin, window(0, rows: 3)]) == ["ab\ncd", ""])
    }

    @Test func `looks, reserved and extended codes are skipped with their parameters`() {
        let codes: [[UInt8]] = [
            [0x90, 0x41, 0x41], [0x91, 0x41, 0x41, 0x41], [0x97, 0x41, 0x41, 0x41, 0x41], [0x11, 0x41],
            [0x19, 0x41, 0x41],
            [0x10, 0x07], [0x10, 0x08, 0x41], [0x10, 0x10, 0x41, 0x41], [0x10, 0x18, 0x41, 0x41, 0x41],
            [0x10, 0x80, 0x41, 0x41, 0x41, 0x41], [0x10, 0x88, 0x41, 0x41, 0x41, 0x41, 0x41],
            [0x10, 0x90, 0x02, 0x41, 0x41],
            [0x93], [0x00], [0x8E],
        ]
        for code in codes {
            #expect(texts([window(0) + text("x") + code + text("y") + [Self.show, 1]]) == ["xy"], "\(code)")
        }
    }

    @Test func `each set has its characters`() {
        let sent: [UInt8] =
            window(0) + [0x7F, 0xC1, 0xA0, 0xFF, 0x10, 0x2A, 0x10, 0x79, 0x10, 0xA5, 0x18, 0xD5, 0x5C]
            // Half a pair, and a line's end.
            + [0x18, 0xD8, 0x00, 0x18, 0x00, 0x0A]
        #expect(texts([sent, [Self.show, 1]]) == ["♪Á ÿŠ⅞_한"])
    }

    @Test func `a command may go on in the next block`() {
        let sent = window(0, isVisible: true) + text("a") + [0x10, 0x35, Self.textEnd]
        for place in 0..<sent.count {
            #expect(texts([Array(sent[..<place]), Array(sent[place...])]).last == "a•", "\(place)")
        }
    }

    @Test func `a packet may go on in the next frame, and has several blocks`() {
        var services = CaptionServices()
        let pairs = packet(
            block(window(0, isVisible: true) + text("one ")) + block(window(0, isVisible: true) + text("uno "), of: 2)
                + block(window(0, isVisible: true) + text("x "), of: 63) + [0, 1, 2])
        for pair in pairs.dropLast() { #expect(services.take([pair], at: time(0)).isEmpty) }
        let texts = services.take([pairs.last!], at: time(1))
        #expect(texts.map(\.channel) == [1, 2, 63] && texts.map(\.text) == ["one", "uno", "x"])
    }

    @Test func `a loss ends what is shown, and what goes on without its beginning is left out`() {
        let begin = packet(block(window(0, isVisible: true) + text("a ")), sequence: 2)
        let next = block(text("b "))
        func texts(_ frames: [CaptionPair]...) -> [String] {
            var services = CaptionServices()
            return frames.flatMap { services.take($0, at: time(0)).map(\.text) }
        }
        #expect(texts(begin, packet(next, sequence: 3)) == ["a", "a b"])
        #expect(texts(begin, packet(next, sequence: 2)) == ["a", "a b"])
        #expect(texts(begin, packet(next, sequence: 0)) == ["a", ""])
        #expect(texts(begin, Array(packet(next, sequence: 3).dropLast()), packet(next, sequence: 0)) == ["a", ""])
        #expect(texts(Array(begin.dropFirst()), packet(next, sequence: 3)).isEmpty)
    }

    @Test func `a block that is longer than its packet is left out`() {
        var services = CaptionServices()
        let pairs = packet([0x3F] + window(0, isVisible: true) + text("a "))
        #expect(services.take(pairs, at: time(0)).isEmpty && services.take([], at: time(1)).isEmpty)
    }

    @Test func `a delay lasts as long as it says, or until it is cancelled`() {
        var services = CaptionServices()
        let begin = packet(block(window(0, isVisible: true) + [0x8D, 2] + text("a ")))
        #expect(services.take(begin, at: time(0)).isEmpty && services.take([], at: time(4)).isEmpty)
        #expect(services.take([], at: time(5)).map(\.text) == ["a"])
        #expect(texts([window(0, isVisible: true) + [0x8D, 255] + text("a "), [0x8E]]) == ["a"])
        #expect(texts([window(0, isVisible: true) + [0x8D, 255] + text("a "), [0x8F]]) == [])
        // More than a receiver keeps.
        let much = [[UInt8]](repeating: [Self.textEnd] + text("a") + [UInt8](repeating: 0, count: 28), count: 5)
        #expect(texts([window(0, isVisible: true) + [0x8D, 255]] + much) == ["aaaaa"])
    }

    @Test func `whatever is sent, no text is longer than eight windows`() {
        var (services, random) = (CaptionServices(), SystemRandomNumberGenerator())
        var (sequence, shown) = (0, 0)
        func check(_ pairs: [CaptionPair], at place: Int) {
            for (channel, text) in services.take(pairs, at: time(place)) {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                #expect((1...63).contains(channel) && lines.count <= 8 * 16)
                #expect(lines.allSatisfy { $0.unicodeScalars.count <= CaptionWindow.mostColumns })
                shown += 1
            }
        }
        func byte() -> UInt8 { .random(in: 0...255, using: &random) }
        for place in 0..<10_000 {
            let damaged = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                CaptionPair(of: CaptionPair.Kind(rawValue: byte() & 3) ?? .packet, byte(), byte())
            }
            check(damaged, at: place)
            // A good packet of commands and damaged blocks.
            sequence += 1
            let bytes =
                window(byte() & 7, rows: byte() & 15 + 1, isVisible: .random(using: &random))
                + (0..<20).map { _ in byte() }
            check(
                packet(block(bytes, of: byte() % 63 + 1) + (0..<30).map { _ in byte() }, sequence: sequence), at: place)
        }
        #expect(shown > 100)
    }
}
