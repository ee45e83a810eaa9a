import Testing

@testable import PlayerCore

@Suite("How far a film is read ahead over HTTP (M10)")
struct ReadAheadTests {
    @Test("half a minute of it, played from two seconds on")
    func usual() throws {
        // 1 Mbit/s for a minute.
        let ahead = try #require(ReadAhead(ofBytes: 7_500_000, lasting: .seconds(60)))
        #expect(ahead.bytes == 3_750_000 && ahead.start == 250_000 && ahead.stop == 31_250)
    }

    @Test("never more than 8 MB, of which it begins with a part", arguments: [3_000_000, 1 << 40, Int64.max])
    func large(size: Int64) throws {
        let ahead = try #require(ReadAhead(ofBytes: size, lasting: .seconds(1)))
        #expect(ahead.bytes == 8 << 20)
        #expect(ahead.stop > 0 && ahead.stop < ahead.start && ahead.start < ahead.bytes)
    }

    @Test("sound alone is read in pieces that are larger than half a minute")
    func small() throws {
        let ahead = try #require(ReadAhead(ofBytes: 60_000, lasting: .seconds(60)))
        #expect(ahead.bytes == 256 << 10 && ahead.start == 2_000 && ahead.stop == 250)
    }

    @Test("unknown is not zero", arguments: [(Int64(0), Int64(1)), (-1, 1), (1, 0)])
    func unknown(size: Int64, duration: Int64) {
        #expect(ReadAhead(ofBytes: size, lasting: .seconds(duration)) == nil)
    }
}
