import PlayerCore
import Testing

@testable import Touch

@Suite("TouchTracker: events without a place get the last one (B1)")
struct TouchTrackerTests {
    private let panel = TouchPanel.ID(number: 1)
    private let other = TouchPanel.ID(number: 2)

    private func finger(
        _ slot: Int32, x: Double, y: Double, at milliseconds: Int64, panel: TouchPanel.ID? = nil
    ) -> Finger {
        Finger(slot: slot, panel: panel ?? self.panel, x: x, y: y, time: .milliseconds(milliseconds))
    }

    @Test("up and cancel carry the finger's last place and their own time")
    func lastPlace() {
        var book = TouchTracker()
        _ = book.down(slot: 0, panel: panel, x: 0.1, y: 0.2, at: .milliseconds(1))
        _ = book.down(slot: 1, panel: panel, x: 0.5, y: 0.6, at: .milliseconds(2))
        _ = book.motion(slot: 0, x: 0.3, y: 0.4, at: .milliseconds(3))
        #expect(book.up(slot: 0, at: .milliseconds(4)) == finger(0, x: 0.3, y: 0.4, at: 4))
        #expect(book.cancel(slot: 1, at: .milliseconds(5)) == .cancel(finger(1, x: 0.5, y: 0.6, at: 5)))
    }

    @Test("places beyond the panel's edge are at its edge")
    func clamped() {
        var book = TouchTracker()
        let down = book.down(slot: 0, panel: panel, x: -0.2, y: 1.3, at: .milliseconds(1))
        #expect(down == .down(finger(0, x: 0, y: 1, at: 1)))
        let motion = book.motion(slot: 0, x: 1.01, y: -1, at: .milliseconds(2))
        #expect(motion == .motion(finger(0, x: 1, y: 0, at: 2)))
    }

    @Test("a finger that is not down says nothing")
    func unknown() {
        var book = TouchTracker()
        #expect(book.motion(slot: 0, x: 0.5, y: 0.5, at: .milliseconds(1)) == nil)
        #expect(book.up(slot: 0, at: .milliseconds(1)) == nil)
        _ = book.down(slot: 0, panel: panel, x: 0.1, y: 0.2, at: .milliseconds(1))
        _ = book.cancel(slot: 0, at: .milliseconds(2))
        #expect(book.up(slot: 0, at: .milliseconds(3)) == nil)
    }

    @Test("a panel's removal cancels its fingers, once, and no other panel's")
    func removal() {
        var book = TouchTracker()
        _ = book.down(slot: 2, panel: panel, x: 0.2, y: 0.2, at: .milliseconds(1))
        _ = book.down(slot: 0, panel: panel, x: 0.1, y: 0.1, at: .milliseconds(1))
        _ = book.down(slot: 1, panel: other, x: 0.9, y: 0.9, at: .milliseconds(1))
        #expect(
            book.remove(panel, at: .milliseconds(7)) == [
                .cancel(finger(0, x: 0.1, y: 0.1, at: 7)), .cancel(finger(2, x: 0.2, y: 0.2, at: 7)),
            ])
        #expect(book.remove(panel, at: .milliseconds(8)).isEmpty)
        #expect(
            book.up(slot: 1, at: .milliseconds(9)) == finger(1, x: 0.9, y: 0.9, at: 9, panel: other))
    }
}
