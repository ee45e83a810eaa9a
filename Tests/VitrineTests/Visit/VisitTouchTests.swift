import PlayerCore
import Testing

@testable import Vitrine

@Suite("What fingers are to a visit")
struct VisitTouchTests {
    private let touch = VisitTouch()
    private let layout = OSDLayout(displayWidth: 1000, displayHeight: 1000, millimetres: nil)

    private func finger(_ x: Double, at seconds: Int64, slot: Int32 = 0) -> Finger {
        Finger(slot: slot, panel: TouchPanel.ID(number: 1), x: x, y: 0.5, time: .milliseconds(seconds * 1_000))
    }

    private func signs(_ x: Double, at seconds: Int64) -> FingerSign? {
        touch.note(.motion(finger(x, at: seconds)), on: layout, at: .milliseconds(seconds * 1_000)).sign
    }

    @Test("A tap on the bar is no drag, however the finger trembles; a drag is one, however far it goes")
    func drags() {
        func drags(_ pixels: [Double]) -> Int {
            let values = pixels.map { 0.5 + $0 / Double(layout.track.width) }
            let events: [SliderEvent] =
                [.touchDown(values[0], at: .milliseconds(0))]
                + values.dropFirst().map { .valueChanged($0, at: .milliseconds(1)) }
                + [.touchUp(values[values.count - 1], at: .milliseconds(2))]
            return events.count { touch.isDrag($0, on: layout) }
        }
        let rest = layout.restRadius
        #expect(drags([0]) == 0 && drags([0, rest * 0.9, -rest * 0.9]) == 0)
        #expect(drags([0, rest * 0.9, rest * 1.1, rest * 5, 0, -rest * 9]) == 1)
    }

    @Test("One that trembles where it lies does not move, however long; one that slides does")
    func trembles() {
        let key = TouchFinger(finger(0.5, at: 0))
        #expect(touch.note(.down(finger(0.5, at: 0)), on: layout, at: .milliseconds(0)).sign == .down(key))
        let tremble = layout.restRadius / 1000 * 0.9
        for second in Int64(2)..<200 {
            #expect(signs(second.isMultiple(of: 2) ? 0.5 + tremble : 0.5, at: second) == nil)
        }
        #expect(signs(0.6, at: 200) == .moved(key))
        #expect(signs(0.6 + tremble, at: 202) == nil)
        #expect(signs(0.7, at: 203) == .moved(key))
        let up = touch.note(.up(finger(0.7, at: 204)), on: layout, at: .milliseconds(204_000))
        #expect(up.sign == .up(key) && touch.down.isEmpty)
    }

    @Test("Of two that slide, each is reported")
    func two() {
        let fingers = [Int32(0), 1].map { finger(0.5, at: 0, slot: $0) }
        for finger in fingers { _ = touch.note(.down(finger), on: layout, at: .milliseconds(0)) }
        for slot in [Int32(0), 1] {
            let moved = finger(0.7, at: 1, slot: slot)
            let sign = touch.note(.motion(moved), on: layout, at: .milliseconds(1_000)).sign
            #expect(sign == .moved(TouchFinger(moved)))
        }
    }
}
