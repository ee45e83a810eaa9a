import PlayerCore
import Testing

@Suite("A window's mouse and touches as fingers")
struct WindowFingersTests {
    private var fingers = WindowFingers()

    private mutating func handle(_ pointer: WindowPointer, at milliseconds: Int64 = 0) -> [TouchEvent] {
        // Each moment ends with a frame event, which these tests ignore.
        fingers.handle(pointer, at: .milliseconds(milliseconds)).filter { if case .frame = $0 { false } else { true } }
    }

    private func finger(_ slot: Int32, _ x: Double, _ y: Double, at milliseconds: Int64 = 0) -> Finger {
        Finger(slot: slot, panel: .window, x: x, y: y, time: .milliseconds(milliseconds))
    }

    private func place(_ x: Double, _ y: Double) -> WindowPointer.Place { .init(x: x, y: y) }

    @Test mutating func theLeftButtonIsOneFinger() {
        #expect(handle(.buttonPressed(1, place(0.2, 0.9)), at: 1) == [.down(finger(-1, 0.2, 0.9, at: 1))])
        #expect(handle(.mouseMoved(place(0.4, 0.8)), at: 2) == [.motion(finger(-1, 0.4, 0.8, at: 2))])
        #expect(handle(.buttonReleased(1, place(0.4, 0.8)), at: 3) == [.up(finger(-1, 0.4, 0.8, at: 3))])
    }

    @Test mutating func withoutItTheMouseIsNone() {
        #expect(handle(.mouseMoved(place(0.5, 0.5))) == [])
        #expect(handle(.buttonPressed(3, place(0.5, 0.5))) == [])
        #expect(handle(.mouseMoved(place(0.6, 0.5))) == [])
        #expect(handle(.buttonReleased(3, place(0.6, 0.5))) == [])
        #expect(handle(.buttonReleased(1, place(0.6, 0.5))) == [])
    }

    @Test("The sink reports only the last motion, before the buttons: where the finger lifts, it went to")
    mutating func itIsLiftedWhereTheButtonIs() {
        _ = handle(.buttonPressed(1, place(0.2, 0.9)))
        #expect(
            handle(.buttonReleased(1, place(0.7, 0.9)), at: 5)
                == [.motion(finger(-1, 0.7, 0.9, at: 5)), .up(finger(-1, 0.7, 0.9, at: 5))])
    }

    @Test mutating func beyondTheFrameItIsAtItsEdge() {
        _ = handle(.buttonPressed(1, place(0.5, 0.5)))
        #expect(handle(.mouseMoved(place(-0.3, 1.2))) == [.motion(finger(-1, 0, 1))])
    }

    @Test mutating func eachTouchIsAFingerOfItsOwn() {
        #expect(handle(.touchDown(id: 0x0007_0002, place(0.1, 0.1))) == [.down(finger(0x0007_0002, 0.1, 0.1))])
        #expect(handle(.touchDown(id: 0x0007_0003, place(0.2, 0.2))) == [.down(finger(0x0007_0003, 0.2, 0.2))])
        #expect(handle(.touchMoved(id: 0x0007_0002, place(0.3, 0.1))) == [.motion(finger(0x0007_0002, 0.3, 0.1))])
        #expect(handle(.touchUp(id: 0x0007_0003, place(0.2, 0.2))) == [.up(finger(0x0007_0003, 0.2, 0.2))])
        #expect(handle(.touchCancelled, at: 9) == [.cancel(finger(0x0007_0002, 0.3, 0.1, at: 9))])
        #expect(handle(.touchMoved(id: 0x0007_0002, place(0.5, 0.5))) == [])
    }

    @Test("A release that got lost: the slider ends that drag as it hears of another press")
    mutating func pressedTwice() {
        _ = handle(.buttonPressed(1, place(0.2, 0.9)), at: 1)
        #expect(handle(.buttonPressed(1, place(0.6, 0.9)), at: 9) == [.down(finger(-1, 0.6, 0.9, at: 9))])
    }

    @Test mutating func aWindowThatGoesTakesItsFingersAlong() {
        _ = handle(.buttonPressed(1, place(0.5, 0.5)))
        #expect(fingers.cancel(at: .milliseconds(4)) == [.cancel(finger(-1, 0.5, 0.5, at: 4))])
        #expect(fingers.cancel(at: .milliseconds(5)) == [])
        #expect(handle(.buttonReleased(1, place(0.5, 0.5))) == [])
    }
}
