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
        #expect(signs(0.6, at: 200) == nil)
        #expect(signs(0.61, at: 201) == .moved(key))
        #expect(signs(0.61 + tremble, at: 202) == nil)
        #expect(signs(0.7, at: 203) == nil)
        #expect(signs(0.71, at: 204) == .moved(key))
        let up = touch.note(.up(finger(0.71, at: 205)), on: layout, at: .milliseconds(205_000))
        #expect(up.sign == .up(key) && touch.down.isEmpty)
    }

    @Test("One that is reported far away now and then, a single time, does not move; twice in a row is a move")
    func spikes() {
        let key = TouchFinger(finger(0.5, at: 0))
        _ = touch.note(.down(finger(0.5, at: 0)), on: layout, at: .milliseconds(0))
        let tremble = layout.restRadius / 1000 * 0.9
        for second in Int64(1)..<200 {
            let place = second.isMultiple(of: 4) ? 0.2 : second.isMultiple(of: 2) ? 0.5 + tremble : 0.5
            #expect(signs(place, at: second) == nil, "after \(second) s")
        }
        #expect(signs(0.2, at: 200) == nil)
        #expect(signs(0.8, at: 201) == .moved(key))
    }

    @Test("Of two that slide, each is reported")
    func two() {
        let fingers = [Int32(0), 1].map { finger(0.5, at: 0, slot: $0) }
        for finger in fingers { _ = touch.note(.down(finger), on: layout, at: .milliseconds(0)) }
        for slot in [Int32(0), 1] {
            let signs = [0.6, 0.7].map { place in
                touch.note(.motion(finger(place, at: 1, slot: slot)), on: layout, at: .milliseconds(1_000)).sign
            }
            #expect(signs == [nil, .moved(TouchFinger(finger(0.7, at: 1, slot: slot)))])
        }
    }
}
