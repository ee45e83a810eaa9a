import PlayerCore
import Testing

/// Of frames with one time, the last one is taken.
struct LastOfTimeTests {
    @Test func `the last one of each time, once another time follows`() {
        var (last, taken) = (LastOfTime<Int>(), [Int]())
        for (frame, time) in [0, 40, 40, 80, 80, 80, 120, 80].enumerated() {
            if let held = last.release(before: .milliseconds(Int64(time))) { taken.append(held.frame) }
            last.hold(frame, at: .milliseconds(Int64(time)))
        }
        #expect(taken == [0, 2, 5, 6])
        #expect(last.held?.frame == 7)
        let end = last.release()
        #expect(end?.time == .milliseconds(80))
        let (none, next) = (last.release(), last.release(before: .zero))
        #expect(none == nil && next == nil)
    }
}
