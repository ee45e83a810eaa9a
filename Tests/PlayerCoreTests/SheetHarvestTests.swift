import PlayerCore
import Testing

/// The frames of a playing film that are taken for its scrub sheet. The clock is the film's.
struct SheetHarvestTests {
    private static let frame = MediaTime.milliseconds(40)
    private let plan: SheetPlan

    init() throws { plan = try #require(SheetPlan(duration: .seconds(4), frame: Self.frame, trackPixels: 1000)) }

    private func clock(_ frame: Int) -> MonotonicTime { .milliseconds(Int64(frame) * 40) }

    /// Plays on, with this cost for each picture.
    /// - Returns: the frames that were taken, and whether the sheet was completed.
    private func play(
        _ frames: some Sequence<Int>, in harvest: inout SheetHarvest, from start: Int = 0,
        cost: Duration = .milliseconds(1)
    ) -> (taken: [Int], isComplete: Bool) {
        var (taken, isComplete) = ([Int](), false)
        for (place, frame) in frames.enumerated() {
            let (time, now) = (Self.frame * Int64(frame), clock(start + place))
            switch harvest.offer(time, at: now) {
            case .take:
                taken.append(frame)
                harvest.finish(time, cost: cost, isFilled: true, at: now + cost)
            case .complete: isComplete = true
            case .pass: break
            }
        }
        return (taken, isComplete)
    }

    @Test func `where a picture costs little, one segment has them all`() {
        var harvest = SheetHarvest(SheetCoverage(plan))
        #expect(play(0..<100, in: &harvest).taken == Array(0..<100))
        #expect(harvest.coverage.isComplete)
        let next = play(0..<100, in: &harvest, from: 100)
        #expect(next.isComplete && next.taken.isEmpty)
        #expect(!play(0..<100, in: &harvest, from: 200).isComplete)
    }

    @Test func `where it costs much, it takes its share of the clock`() {
        var (harvest, taken, segment) = (SheetHarvest(SheetCoverage(plan)), 0, 0)
        while !harvest.coverage.isComplete, segment < 100 {
            let count = play(0..<100, in: &harvest, from: segment * 100, cost: .milliseconds(12)).taken.count
            // 12 ms in each 200 are 6 %: one frame of five.
            #expect(count <= 21)
            (taken, segment) = (taken + count, segment + 1)
        }
        #expect(taken == 100 && segment < 20)
    }

    @Test func `one frame at a time`() {
        var harvest = SheetHarvest(SheetCoverage(plan))
        #expect(harvest.offer(.zero, at: clock(0)) == .take)
        #expect(harvest.offer(Self.frame, at: clock(9)) == .pass)
        harvest.finish(.zero, cost: .zero, isFilled: false, at: clock(9))
        #expect(harvest.coverage.filled == 0)
        #expect(harvest.offer(.zero, at: clock(10)) == .take)
    }

    @Test(arguments: [false, true]) func `a place without a frame does not keep a sheet from being complete`(
        _ isFlushed: Bool
    ) {
        var harvest = SheetHarvest(SheetCoverage(plan))
        let frames = (0..<98).filter { $0 != 50 }
        for segment in 0..<2 {
            #expect(!play(frames, in: &harvest, from: 100 * segment).isComplete)
            if isFlushed { harvest.interrupt() }
        }
        #expect(harvest.coverage.missing == 3)
        #expect(play(frames, in: &harvest, from: 200).isComplete)
    }

    @Test func `after a seek nothing is known of what lies between`() {
        var harvest = SheetHarvest(SheetCoverage(plan))
        for segment in 0..<4 {
            // A visitor jumps from the start to the end each time.
            _ = play(0..<20, in: &harvest, from: segment * 100)
            harvest.interrupt()
            #expect(!play(90..<100, in: &harvest, from: segment * 100 + 50).isComplete)
            harvest.interrupt()
        }
        #expect(harvest.coverage.missing == 70)
    }

    @Test func `a film whose first frame is not at its start is complete, too`() {
        var harvest = SheetHarvest(SheetCoverage(plan))
        for segment in 0..<2 { #expect(!play(14..<100, in: &harvest, from: 100 * segment).isComplete) }
        #expect(harvest.coverage.missing == 14)
        #expect(play(14..<100, in: &harvest, from: 200).isComplete)
    }

    @Test func `frames that passed before the first one that was offered are not given up`() {
        var coverage = SheetCoverage(plan)
        for frame in 10..<100 { coverage.fill(Self.frame * Int64(frame)) }
        var harvest = SheetHarvest(coverage)
        #expect(!play(10..<100, in: &harvest).isComplete)
        let next = play(0..<100, in: &harvest, from: 100)
        #expect(next.taken == Array(0..<10) && next.isComplete)
    }

    @Test func `a jump away from a film that goes on behind its last place is no end`() throws {
        let plan = try #require(SheetPlan(duration: .seconds(4), count: 25))
        var harvest = SheetHarvest(SheetCoverage(plan, most: 100))
        _ = play(0..<120, in: &harvest)
        harvest.interrupt()
        #expect(!play(60..<150, in: &harvest, from: 120).isComplete)
        #expect(play(0..<1, in: &harvest, from: 300).isComplete)
    }

    @Test func `a film that was opened in its middle has not begun there`() {
        var harvest = SheetHarvest(SheetCoverage(plan))
        for segment in 0..<4 {
            #expect(!play(60..<100, in: &harvest, from: 100 * segment).isComplete)
            harvest.interrupt()
        }
        // Nor where a visitor has jumped to, once it has been seen from its start.
        _ = play(0..<1, in: &harvest, from: 400)
        for segment in 5..<8 {
            harvest.interrupt()
            #expect(!play(20..<100, in: &harvest, from: 100 * segment).isComplete)
        }
        #expect(harvest.coverage.missing == 19)
    }

    @Test func `a film that is longer than it said is taken to its end`() throws {
        // One place for four frames: the last one has its picture before the film goes on behind it.
        let plan = try #require(SheetPlan(duration: .seconds(4), count: 25))
        var harvest = SheetHarvest(SheetCoverage(plan, most: 100))
        let first = play(0..<150, in: &harvest)
        #expect(!first.isComplete && harvest.coverage.isComplete)
        #expect(harvest.coverage.plan.duration >= Self.frame * 149)
        #expect(first.taken.last == 146)
        #expect(play(0..<10, in: &harvest, from: 150).isComplete)
    }
}
