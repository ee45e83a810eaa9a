import PlayerCore
import Testing

@Suite("What of a film is loaded (A1, M10)")
struct LoadedPartsTests {
    @Test("after a seek the beginning that was passed over does not count as loaded")
    func afterSeek() throws {
        let parts = try #require(LoadedParts(growing: (500_000, 750_000), others: [(0, 100_000), (500_000, 750_000)]))
        #expect(
            parts.times(of: .seconds(60)) == [
                .seconds(0)...(.seconds(6)), .seconds(30)...(.seconds(45)),
            ])
        #expect(parts.end == 750_000)
        #expect(LoadedParts(growing: (500_000, 750_000))?.times(of: .seconds(60)) == [.seconds(30)...(.seconds(45))])
    }

    @Test("parts in any order, touching, of nonsense, and beyond the end")
    func anyParts() {
        let parts = LoadedParts(
            growing: (200_000, 300_000),
            others: [(900_000, 2_000_000), (250_000, 400_000), (400_000, 500_000), (700_000, 600_000), (-1, -1)])
        #expect(parts?.ranges == [200_000...500_000, 900_000...1_000_000])
        #expect(LoadedParts(growing: (-1, 100_000))?.ranges == [0...100_000])
        #expect(LoadedParts(growing: (-1, -1)) == nil)
    }

    @Test("times are whole nanoseconds, also of the longest film")
    func exact() throws {
        let parts = try #require(LoadedParts(growing: (0, 333_333)))
        let duration = MediaTime(nanoseconds: 9_007_199_254_740_993)
        #expect(parts.times(of: duration) == [.zero...MediaTime(nanoseconds: 3_002_396_749_180_579)])
    }
}
