import PlayerCore
import Testing

@testable import KMS

@Suite("When a commit is sent")
struct VblankClockTests {
    /// 60 Hz: a vblank each 16,666,666 ns.
    private func clock(last: Int64?) -> VblankClock { VblankClock(refresh: 60_000, last: last) }

    private func due(_ clock: VblankClock, _ drawn: Int64) -> Int64? {
        var clock = clock
        return clock.drawn(at: drawn)
    }

    @Test("3 ms before the next vblank, whenever it was drawn")
    func late() {
        let next: Int64 = 1_000_000_000 + 16_666_666
        for drawn in [1_000_000_000, 1_005_000_000, next - 3_000_000] {
            #expect(due(clock(last: 1_000_000_000), drawn) == next - 3_000_000)
        }
    }

    @Test("at once where less is left, and with the one after it where hardly anything is")
    func tooLate() {
        let next: Int64 = 1_000_000_000 + 16_666_666
        #expect(due(clock(last: 1_000_000_000), next - 2_000_000) == next - 2_000_000)
        #expect(due(clock(last: 1_000_000_000), next - 500_000) == next + 16_666_666 - 3_000_000)
    }

    @Test("with the next vblank where an earlier one came too late, unless the kernel stalled")
    func learned() {
        let (start, period): (Int64, Int64) = (1_000_000_000, 16_666_666)
        var clock = clock(last: start)
        clock.sent(at: start + period - 2_000_000)
        clock.flipped(at: start + 2 * period)
        let next = start + 3 * period
        #expect(due(clock, next - 2_000_000) == next + period - 3_000_000)
        #expect(due(clock, next - 2_500_000) == next - 2_500_000)
        clock.sent(at: next - 10_000_000)
        clock.flipped(at: next + period)
        let last = next + 2 * period
        #expect(due(clock, last - 2_500_000) == last - 2_500_000)
    }

    @Test("however many pictures follow: they go along, and put nothing off")
    func together() {
        let (start, period): (Int64, Int64) = (1_000_000_000, 16_666_666)
        var clock = clock(last: start)
        let drawn = start + period - 500_000
        let due = clock.drawn(at: drawn)
        #expect(due == start + 2 * period - 3_000_000 && clock.commit == .due)
        #expect(clock.drawn(at: drawn + period) == nil && clock.commit == .due)
        clock.sent(at: start + 2 * period - 3_000_000)
        #expect(clock.drawn(at: start + 2 * period - 1_000_000) == nil)
        clock.flipped(at: start + 2 * period)
        #expect(clock.drawn(at: start + 2 * period + 1_000_000) == start + 3 * period - 3_000_000)
    }

    @Test("again after a pause where the kernel refused it, and not at all where nothing waits any more")
    func refused() {
        var clock = clock(last: nil)
        #expect(clock.drawn(at: 5) == 5)
        #expect(clock.refused(at: 7) == 2_000_007 && clock.commit == .due)
        clock.drop()
        #expect(clock.commit == .none)
    }

    @Test("as before where each one is in time")
    func inTime() {
        let (start, period): (Int64, Int64) = (1_000_000_000, 16_666_666)
        var clock = clock(last: start)
        clock.sent(at: start + period - 1_500_000)
        clock.flipped(at: start + period)
        #expect(due(clock, start + 2 * period - 1_500_000) == start + 2 * period - 1_500_000)
    }

    @Test("by a vblank of long ago")
    func old() throws {
        let sent = try #require(due(clock(last: 0), 1_000_000_000))
        #expect(sent >= 1_000_000_000 && sent < 1_000_000_000 + 16_666_666)
        #expect((sent + 3_000_000) % 16_666_666 == 0)
    }

    @Test("at once where none is known, or the clock says nonsense")
    func unknown() {
        #expect(due(clock(last: nil), 5) == 5)
        #expect(due(clock(last: 7), 5) == 5)
        #expect(VblankClock(refresh: 0).period == 1_000_000_000)
    }
}
