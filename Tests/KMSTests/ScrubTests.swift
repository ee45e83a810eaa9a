import PlayerCore
import Testing

@testable import KMS

@Suite("When a commit is sent")
struct VblankClockTests {
    /// 60 Hz: a vblank each 16,666,666 ns.
    private func clock(last: Int64?) -> VblankClock { VblankClock(refresh: 60_000, last: last) }

    @Test("3 ms before the next vblank, whenever it was drawn")
    func late() {
        let next: Int64 = 1_000_000_000 + 16_666_666
        for drawn in [1_000_000_000, 1_005_000_000, next - 3_000_000] {
            #expect(clock(last: 1_000_000_000).due(at: drawn) == next - 3_000_000)
        }
    }

    @Test("at once where less is left, and with the one after it where hardly anything is")
    func tooLate() {
        let next: Int64 = 1_000_000_000 + 16_666_666
        #expect(clock(last: 1_000_000_000).due(at: next - 2_000_000) == next - 2_000_000)
        #expect(clock(last: 1_000_000_000).due(at: next - 500_000) == next + 16_666_666 - 3_000_000)
    }

    @Test("with the next vblank where an earlier one came too late, unless the kernel stalled")
    func learned() {
        let (start, period): (Int64, Int64) = (1_000_000_000, 16_666_666)
        var clock = clock(last: start)
        clock.sent(at: start + period - 2_000_000)
        clock.flipped(at: start + 2 * period)
        let next = start + 3 * period
        #expect(clock.due(at: next - 2_000_000) == next + period - 3_000_000)
        #expect(clock.due(at: next - 2_500_000) == next - 2_500_000)
        clock.sent(at: next - 10_000_000)
        clock.flipped(at: next + period)
        let last = next + 2 * period
        #expect(clock.due(at: last - 2_500_000) == last - 2_500_000)
    }

    @Test("as before where each one is in time")
    func inTime() {
        let (start, period): (Int64, Int64) = (1_000_000_000, 16_666_666)
        var clock = clock(last: start)
        clock.sent(at: start + period - 1_500_000)
        clock.flipped(at: start + period)
        #expect(clock.due(at: start + 2 * period - 1_500_000) == start + 2 * period - 1_500_000)
    }

    @Test("by a vblank of long ago")
    func old() {
        let due = clock(last: 0).due(at: 1_000_000_000)
        #expect(due >= 1_000_000_000 && due < 1_000_000_000 + 16_666_666)
        #expect((due + 3_000_000) % 16_666_666 == 0)
    }

    @Test("at once where none is known, or the clock says nonsense")
    func unknown() {
        #expect(clock(last: nil).due(at: 5) == 5)
        #expect(clock(last: 7).due(at: 5) == 5)
        #expect(VblankClock(refresh: 0).period == 1_000_000_000)
    }
}
