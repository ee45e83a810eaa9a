import PlayerCore
import Testing

/// Whatever fingers do, one finger holds one control, and a finger that is taken back changes nothing.
@Suite struct ControlsPropertyTests {
    /// A model of a player with these controls.
    struct Player: Hashable {
        var isPlaying = false
        var language: Int? = 1
        var subtitle: Int?
        var loudness = Loudness(percent: 70)
        var output = "alsa/a"
        /// The film's position, and the one before the finger that moves it.
        var place = 0.0
        var start: Double?

        var content: ControlsContent {
            var content = ControlsLayoutTests.content()
            (content.isPlaying, content.language, content.subtitle) = (isPlaying, language, subtitle)
            content.loudness = loudness
            content.output = content.outputs.first { $0.id == output }
            content.isFollowing = false
            return content
        }

        mutating func take(_ outputs: [Controls.Output]) {
            for output in outputs {
                switch output {
                case .act(.setPlaying(let isPlaying)): self.isPlaying = isPlaying
                case .act(.select(.audible, let number)): language = number
                case .act(.select(.legible, let number)): subtitle = number
                case .act(.setLoudness(let loudness)): self.loudness = loudness
                case .act(.selectOutput(let id)): self.output = id
                case .slider(.slider(.touchDown(let value, _))):
                    start = place
                    place = value
                case .slider(.slider(.valueChanged(let value, _))), .slider(.slider(.touchUp(let value, _))):
                    place = value
                case .slider(.slider(.cancel)): place = start ?? place
                // The menu cannot be undone by a panel that takes its finger back.
                case .act(.openMenu), .slider, .panelChanged: break
                }
            }
        }
    }

    struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 31) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// A random place, usually one with something to touch.
    static func place(_ controls: Controls, _ random: inout Random) -> (x: Double, y: Double) {
        let (width, height) = (Double(controls.layout.displayWidth), Double(controls.layout.displayHeight))
        if Int.random(in: 0..<4, using: &random) > 0, let widget = controls.scene.widgets.randomElement(using: &random)
        {
            let target = widget.target
            return (
                min(
                    max(Double(target.x) + Double.random(in: 0...1, using: &random) * Double(target.width), 0),
                    width - 1),
                Double(target.y) + Double.random(in: 0...1, using: &random) * Double(target.height)
            )
        }
        return (Double.random(in: 0..<width, using: &random), Double.random(in: 0..<height, using: &random))
    }

    @Test(arguments: [1, 3, 9, 12] as [Int]) func aFingerThatIsTakenBackChangesNothing(screen: Int) {
        var random = Random(state: UInt64(screen) + 77)
        for _ in 0..<1500 {
            var player = Player()
            var controls = ControlsLayoutTests.controls(screen, player.content)
            var time: Int64 = 0
            // A few taps whose lift is final.
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                time += 200
                let (x, y) = Self.place(controls, &random)
                player.take(controls.tap(.init(x: Int(x), y: Int(y), width: 0, height: 0), at: time))
                controls.take(player.content)
            }
            player.start = nil
            let (before, panel) = (player, controls.panel)
            time += 200
            var (x, y) = Self.place(controls, &random)
            player.take(controls.handle(.down(controls.finger(x, y, time)), isVisible: true, hasBar: true))
            controls.take(player.content)
            let layout = controls.layout
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                time += 20
                (x, y) = Self.place(controls, &random)
                player.take(controls.handle(.motion(controls.finger(x, y, time)), isVisible: true, hasBar: true))
                controls.take(player.content)
                #expect(controls.layout == layout)
            }
            time += 20
            let finger = controls.finger(x, y, time)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: player.take(controls.handle(.cancel(finger), isVisible: true, hasBar: true))
            case 1:
                let panel = TouchPanel(id: finger.panel, name: "", systemName: "")
                player.take(controls.handle(.panelRemoved(panel), isVisible: true, hasBar: true))
            default:
                player.take(controls.handle(.up(finger), isVisible: true, hasBar: true))
                controls.take(player.content)
                player.take(controls.handle(.cancel(finger), isVisible: true, hasBar: true))
            }
            controls.take(player.content)
            player.start = nil
            #expect(player == before)
            #expect(controls.panel == panel)
            #expect(!controls.isTouched)
        }
    }

    @Test(arguments: [2, 5, 10, 13] as [Int]) func oneControlForEachFingerAndNoneForTwo(screen: Int) {
        var random = Random(state: UInt64(screen) + 5)
        var player = Player()
        var controls = ControlsLayoutTests.controls(screen, player.content)
        var fingers: [Int32: (x: Double, y: Double)] = [:]
        var time: Int64 = 0
        var holds = 0
        for _ in 0..<20_000 {
            time += Int64.random(in: 1..<400, using: &random)
            let slot = Int32.random(in: 0..<4, using: &random)
            let wasPressed = controls.scene.widgets.first { $0.state == .pressed }?.id
            let event: TouchEvent
            if let place = fingers[slot] {
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    fingers[slot] = nil
                    event = .cancel(controls.finger(place.x, place.y, time, slot))
                case 1, 2:
                    fingers[slot] = nil
                    event = .up(controls.finger(place.x, place.y, time, slot))
                default:
                    let (x, y) = Self.place(controls, &random)
                    fingers[slot] = (x, y)
                    event = .motion(controls.finger(x, y, time, slot))
                }
            } else {
                let (x, y) = Self.place(controls, &random)
                fingers[slot] = (x, y)
                event = .down(controls.finger(x, y, time, slot))
            }
            let outputs = controls.handle(event, isVisible: true, hasBar: true)
            player.take(outputs)
            controls.take(player.content)
            // At most one pressed widget, never beside a drag of the bar, and never replaced by another.
            let pressed = controls.scene.widgets.filter { $0.state == .pressed }
            #expect(pressed.count <= 1)
            #expect(pressed.isEmpty || controls.slider.heldValue == nil)
            if let wasPressed, let now = pressed.first?.id, case .motion = event { #expect(now == wasPressed) }
            let isHeld = controls.slider.heldValue != nil && controls.panel == nil
            #expect((controls.preview(at: .zero) != nil) == isHeld)
            holds += pressed.count
            #expect(outputs.count { if case .act = $0 { true } else { false } } <= 2)
            if let deadline = controls.deadline, deadline <= .milliseconds(time) {
                player.take(controls.wake(at: .milliseconds(time)))
                controls.take(player.content)
            }
            if fingers.isEmpty { #expect(!controls.isTouched) }
        }
        #expect(holds > 100)
    }
}
