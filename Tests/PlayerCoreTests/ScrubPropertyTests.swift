import PlayerCore
import Testing

@Suite("Scrub: what holds for any finger, film and viewer (M4 to M8, A7, N1)")
struct ScrubPropertyTests {
    static let batches = 24
    static let runs = 100

    @Test(
        "one seek at a time, the last request wins, the wanted state returns, and then nothing is due",
        arguments: 0..<batches)
    func anyFinger(batch: Int) throws {
        var (seeks, drags, rebuilds, misses) = (0, 0, 0, 0)
        for run in 0..<Self.runs {
            let seed = UInt64(batch * Self.runs + run)
            var simulation = ScrubSimulation(seed: seed)
            simulation.run()
            try #require(simulation.faults == [], "seed \(seed), which ends so:\n\(Self.story(seed: seed))")
            seeks += simulation.seeks
            drags += simulation.drags
            rebuilds += simulation.rebuilds
            misses += simulation.misses
        }
        #expect(drags > Self.runs && seeks > 3 * drags, "the fingers must drag for this to mean anything")
        #expect(rebuilds > 0 && misses > 0, "something must go wrong, too")
    }

    private static func story(seed: UInt64) -> String {
        var simulation = ScrubSimulation(seed: seed)
        simulation.isReported = true
        simulation.run()
        return simulation.story.suffix(12).joined(separator: "\n")
    }
}
