import PlayerCore
import Testing

@Suite("Slider: what holds for any fingers (B1, B2)")
struct SliderPropertyTests {
    private struct Owner: Hashable {
        var panel: TouchPanel.ID
        var slot: Int32
    }

    @Test("touch-down, then values, then one end; one owner; fingers counted", arguments: 1...60 as ClosedRange<UInt64>)
    func invariants(seed: UInt64) throws {
        var fingers = SliderFingers(seed: seed)
        var slider = Slider()
        var down: Set<Owner> = []
        var owner: Owner?
        // The finger whose lift ended the last drag.
        var released: Owner?
        var value = 0.0
        var drags = 0
        var late = 0

        for _ in 0..<1_000 {
            let step = fingers.step()
            let moved = step.event.finger.map { Owner(panel: $0.panel, slot: $0.slot) }
            let known = moved.map(down.contains) ?? false
            if case .down = step.event { released = nil }
            let ownerBefore = owner
            let outputs = slider.handle(
                step.event, layout: SliderTimeline.layout, isBarVisible: step.isBarVisible, hasBar: step.hasBar)

            if let time = step.event.time {
                #expect(outputs.allSatisfy { $0.time == time }, "reported at another time than it happened")
            }

            for case .slider(let event) in outputs {
                switch event {
                case .touchDown(let new, _):
                    try #require(owner == nil, "a drag in a drag")
                    guard case .down = step.event else { Issue.record("\(step.event) started a drag"); return }
                    #expect(step.isBarVisible && step.hasBar)
                    owner = moved
                    value = new
                    drags += 1
                case .valueChanged(let new, _):
                    try #require(owner != nil, "moved without a drag")
                    if case .motion = step.event, owner == moved {} else { late += 1 }
                    #expect(new != value)
                    value = new
                case .touchUp(let new, _):
                    guard case .up = step.event else { Issue.record("\(step.event) ended a drag"); return }
                    try #require(owner != nil && owner == moved, "ended by a finger that does not own the drag")
                    #expect(new == value)
                    released = owner
                    owner = nil
                case .cancel where owner == nil:
                    guard case .cancel = step.event else { Issue.record("\(step.event) took a lift back"); return }
                    try #require(released != nil && released == moved, "no drag to cancel")
                    released = nil
                case .cancel:
                    owner = nil
                }
                #expect((0...1).contains(value))
            }

            switch step.event {
            case .down: moved.map { _ = down.insert($0) }
            case .up, .cancel: moved.map { _ = down.remove($0) }
            case .panelRemoved(let panel): down = down.filter { $0.panel != panel.id }
            case .motion, .frame, .panelAdded: break
            }
            #expect(slider.fingersDown == down.count)
            #expect((slider.heldValue != nil) == (owner != nil))
            #expect(owner.map(down.contains) ?? true, "a finger that is gone owns the drag")
            #expect(owner == nil || step.hasBar)

            for case .tap(let place, _) in outputs {
                #expect(step.event == .up(place) && known && ownerBefore == nil)
            }
            // Every touch and lift is reported, so that the display hides at the right time.
            let touched = outputs.contains { if case .touched = $0 { true } else { false } }
            switch step.event {
            case .down: #expect(touched)
            case .up, .cancel: #expect(touched == known)
            case .motion, .frame, .panelAdded: #expect(!touched)
            case .panelRemoved: break
            }
        }
        #expect(drags > 10, "the fingers must drag for this test to mean anything")
        #expect(late < drags, "moved by others' events, more than doubtful reports can be")
    }

    @Test("after a cancel of every finger nothing is held", arguments: 100...120 as ClosedRange<UInt64>)
    func quiet(seed: UInt64) {
        var fingers = SliderFingers(seed: seed)
        var slider = Slider()
        for _ in 0..<200 {
            let step = fingers.step()
            _ = slider.handle(
                step.event, layout: SliderTimeline.layout, isBarVisible: step.isBarVisible, hasBar: step.hasBar)
        }
        for number in [1, 2] as [UInt32] {
            let panel = TouchPanel(id: TouchPanel.ID(number: number), name: "Panel", systemName: "event0")
            _ = slider.handle(
                .panelRemoved(panel), layout: SliderTimeline.layout, isBarVisible: true, hasBar: true)
        }
        #expect(!slider.isTouched && slider.heldValue == nil)
    }
}

extension SliderOutput {
    fileprivate var time: MonotonicTime {
        switch self {
        case .touched(let time): time
        case .slider(let event): event.time
        case .void(let finger): finger.time
        case .tap(let place, _): place.time
        }
    }
}

extension TouchEvent {
    fileprivate var time: MonotonicTime? {
        if case .frame(_, let time) = self { time } else { finger?.time }
    }

    fileprivate var finger: Finger? {
        switch self {
        case .down(let finger), .motion(let finger), .up(let finger), .cancel(let finger): finger
        case .frame, .panelAdded, .panelRemoved: nil
        }
    }
}
