import PlayerCore
import Testing

@Suite("Slider: fingers become events of the seek bar (B1, B2)")
struct SliderTests {
    @Test("a drag is touch-down, values, touch-up (M4)")
    func drag() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
              0 frame
             16 move 0 bar 45%   -> valueChanged 45%
             16 frame
             33 move 0 bar 70%   -> valueChanged 70%
             50 up 0             -> touched, touchUp 70%
            """)
    }

    @Test("a tap on the bar jumps there")
    func tapOnBar() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 80%   -> touched, touchDown 80%
             90 up 0             -> touched, touchUp 80%
            """)
    }

    @Test("the finger keeps the drag outside the bar and past its ends")
    func outsideTheBar() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             16 move 0 film 50%  -> valueChanged 50%
             33 move 0 film 101% -> valueChanged 100%
             50 move 0 film 103%
             66 move 0 bar -2%   -> valueChanged 0%
             80 up 0             -> touched, touchUp 0%
            """)
    }

    @Test("a motion that leaves the value as it was reports nothing")
    func sameValue() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             16 move 0 bar 20%
             33 move 0 film 30%  -> valueChanged 30%
             50 move 0 film 30%
            """)
    }

    @Test("further fingers move nothing, and the drag outlives them (B1)")
    func furtherFingers() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             10 down 1 bar 90%   -> touched
             16 move 1 bar 95%
             20 move 0 bar 30%   -> valueChanged 30%
             30 up 1             -> touched
             40 move 0 bar 40%   -> valueChanged 40%
             50 up 0             -> touched, touchUp 40%
            """)
    }

    @Test("a finger that stays down does not inherit the drag")
    func noInheritance() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             10 down 1 bar 90%   -> touched
             20 up 0             -> touched, touchUp 20%
             30 move 1 bar 50%
             40 down 0 bar 10%   -> touched, touchDown 10%
             50 up 1             -> touched
             60 up 0             -> touched, touchUp 10%
            """)
    }

    @Test("a finger that rests on the film does not keep another from the bar")
    func restingFinger() throws {
        try SliderTimeline.expect(
            """
              0 down 0 film 10%  -> touched
            900 down 1 bar 60%   -> touched, touchDown 60%
            950 up 1             -> touched, touchUp 60%
            """)
    }

    @Test("a cancelled touch cancels the drag (B2)")
    func cancel() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             16 move 0 bar 70%   -> valueChanged 70%
             33 cancel 0         -> touched, cancel
             50 up 0
            """)
    }

    @Test("an unplugged panel cancels the drag, once (B1)")
    func unplug() throws {
        let slider = try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             10 down 1 film 20%  -> touched
             20 unplug           -> touched, cancel, touched
             30 unplug
             40 move 0 bar 50%
            """)
        #expect(slider.fingersDown == 0)
    }

    @Test("another panel's removal leaves the drag alone")
    func otherPanel() throws {
        var slider = try SliderTimeline.expect("0 down 0 bar 20% -> touched, touchDown 20%")
        let other = TouchPanel(id: TouchPanel.ID(number: 8), name: "Other", systemName: "event8")
        let outputs = slider.handle(
            .panelRemoved(other), layout: SliderTimeline.layout, isBarVisible: true, hasBar: true)
        #expect(outputs.isEmpty)
        #expect(slider.heldValue != nil)
    }

    @Test("while the bar is hidden no drag starts; the tap shows the bar")
    func hiddenBar() throws {
        try SliderTimeline.expect(
            """
                bar hidden
              0 down 0 bar 20%   -> touched
                bar shown
             16 move 0 bar 21%
             90 up 0             -> touched, tap shows
            """)
    }

    @Test("a finger down on the hidden bar never becomes a drag, however far it goes")
    func hiddenBarDrag() throws {
        try SliderTimeline.expect(
            """
                bar hidden
              0 down 0 bar 20%   -> touched
                bar shown
             16 move 0 bar 60%
             90 up 0             -> touched
            """)
    }

    @Test("a tap on the film hides a visible bar")
    func tapHides() throws {
        try SliderTimeline.expect(
            """
              0 down 0 film 50%  -> touched
             90 up 0             -> touched, tap hides
            """)
    }

    @Test(
        "no tap: held too long, slipped too far, taken back, with a second finger",
        arguments: [
            """
              0 down 0 film 50%  -> touched
            501 up 0             -> touched
            """,
            """
              0 down 0 film 50%  -> touched
             20 move 0 film 54%
             40 move 0 film 50%
             90 up 0             -> touched
            """,
            """
              0 down 0 film 50%  -> touched
             90 cancel 0         -> touched
            """,
            """
              0 down 0 film 50%  -> touched
             10 down 1 film 60%  -> touched
             40 up 1             -> touched
             90 up 0             -> touched
            """,
            """
              0 down 0 bar 50%   -> touched, touchDown 50%
             10 down 1 film 60%  -> touched
             40 up 1             -> touched
             90 up 0             -> touched, touchUp 50%
            """,
        ])
    func noTap(story: String) throws {
        try SliderTimeline.expect(story)
    }

    @Test("live media have no bar: a touch there is a tap on the film (M11)")
    func live() throws {
        try SliderTimeline.expect(
            """
                live
              0 down 0 bar 50%   -> touched
             90 up 0             -> touched, tap hides
            """)
    }

    @Test("a bar that goes away under the finger cancels the drag")
    func barGoes() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 50%   -> touched, touchDown 50%
                live
             16 frame            -> cancel
                recorded
             20 move 0 bar 60%
             90 up 0             -> touched
            """)
    }

    @Test("cancelDrag ends the drag once and leaves the finger counted")
    func cancelDrag() throws {
        var slider = try SliderTimeline.expect("0 down 0 bar 20% -> touched, touchDown 20%")
        let time = MonotonicTime.milliseconds(5)
        #expect(slider.cancelDrag(at: time) == [.slider(.cancel(at: time))])
        #expect(slider.cancelDrag(at: time).isEmpty)
        #expect(slider.isTouched && slider.heldValue == nil)
    }

    @Test("a slot that goes down twice lost its up: its drag is cancelled and starts anew")
    func lostUp() throws {
        let slider = try SliderTimeline.expect(
            """
              0 down 0 bar 20%   -> touched, touchDown 20%
             90 down 0 bar 60%   -> touched, cancel, touched, touchDown 60%
            """)
        #expect(slider.fingersDown == 1)
    }

    @Test("the touch target is as high as it says: a finger above it is on the film")
    func touchTargetEdge() {
        let layout = SliderTimeline.layout
        func downs(atY y: Double) -> [SliderOutput] {
            var slider = Slider()
            let finger = Finger(
                slot: 0, panel: SliderTimeline.panel.id, x: 0.5, y: y / Double(layout.displayHeight),
                time: .milliseconds(1))
            return slider.handle(.down(finger), layout: layout, isBarVisible: true, hasBar: true)
        }
        #expect(downs(atY: Double(layout.touchTarget.y) + 0.5).count == 2)
        #expect(downs(atY: Double(layout.touchTarget.y) - 0.5) == [.touched(at: .milliseconds(1))])
    }

    @Test("events carry the finger's own time")
    func times() {
        var slider = Slider()
        let place = SliderTimeline.onBar(0.5)
        let finger = Finger(
            slot: 0, panel: SliderTimeline.panel.id, x: place.x, y: place.y, time: MonotonicTime(nanoseconds: 123_456))
        let outputs = slider.handle(
            .down(finger), layout: SliderTimeline.layout, isBarVisible: true, hasBar: true)
        #expect(outputs.first == .touched(at: finger.time))
        guard case .slider(let event)? = outputs.last else { return #expect(Bool(false), "no touch-down") }
        #expect(event.time == finger.time)
    }
}
