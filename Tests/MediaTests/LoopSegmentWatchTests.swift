import PlayerCore
import Testing

@testable import Media

/// The start of a loop's next segment (N6). Times in nanoseconds.
struct LoopSegmentWatchTests {
    @Test func `a loop segment ends with the film, at its rate`() {
        #expect(LoopSegmentWatch.base(after: 1000, from: 0, to: .seconds(2), rate: 1) == 2_000_001_000)
        #expect(LoopSegmentWatch.base(after: 0, from: 500_000_000, to: .seconds(2), rate: 2) == 750_000_000)
        #expect(LoopSegmentWatch.base(after: 7, from: 3_000_000_000, to: .seconds(2), rate: 1) == 7)
    }

    /// A double cannot represent so many nanoseconds: their last three digits would differ.
    @Test func `a long loop segment ends to the nanosecond, at any rate`() {
        let hours = MediaTime(nanoseconds: 9_007_199_254_740_993_001)
        #expect(LoopSegmentWatch.base(after: 0, from: 0, to: hours, rate: 1) == 9_007_199_254_740_993_001)
        #expect(LoopSegmentWatch.base(after: 1, from: 1, to: hours, rate: 4) == 2_251_799_813_685_248_251)
    }

    @Test func `times that no film has do no harm`() {
        #expect(LoopSegmentWatch.base(after: 5, from: .max, to: .seconds(2), rate: 1) == 5)
        #expect(LoopSegmentWatch.base(after: .max, from: 0, to: .seconds(2), rate: 1) == .max)
        let longest = MediaTime(nanoseconds: .max)
        #expect(LoopSegmentWatch.base(after: .max, from: .max, to: longest, rate: 0.25) == .max)
        #expect(LoopSegmentWatch.base(after: 0, from: 0, to: longest, rate: 0.25) > 0)
    }
}
