import PlayerCore

/// Random fingers: mostly legal ones, and events of faulty panels (lost ups, events of unknown fingers).
///
/// The same seed gives the same fingers on every machine (SplitMix64).
struct SliderFingers {
    struct Step {
        var event: TouchEvent
        var isBarVisible: Bool
        var hasBar: Bool
    }

    private struct SplitMix64: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private var random: SplitMix64
    private var time = MonotonicTime(nanoseconds: 0)
    private var isBarVisible = true
    private var hasBar = true

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    mutating func step() -> Step {
        time = time + .milliseconds(Int64.random(in: 0...120, using: &random))
        if chance(of: isBarVisible ? 20 : 5) { isBarVisible.toggle() }
        if chance(of: hasBar ? 60 : 5) { hasBar.toggle() }
        return Step(event: event(), isBarVisible: isBarVisible, hasBar: hasBar)
    }

    private mutating func event() -> TouchEvent {
        let panel = TouchPanel.ID(number: UInt32.random(in: 1...2, using: &random))
        let onBar = Bool.random(using: &random)
        let place = SliderTimeline.onBar(Double.random(in: -0.1...1.1, using: &random))
        let finger = Finger(
            slot: Int32.random(in: 0...3, using: &random), panel: panel, x: place.x,
            y: onBar ? place.y : Double.random(in: 0...1, using: &random), time: time)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: return .down(finger)
        case 25..<65: return .motion(finger)
        case 65..<82: return .up(finger)
        case 82..<88: return .cancel(finger)
        case 88..<98: return .frame(panel, time)
        default: return .panelRemoved(TouchPanel(id: panel, name: "Panel", systemName: "event0"))
        }
    }

    private mutating func chance(of steps: Int) -> Bool {
        Int.random(in: 0..<steps, using: &random) == 0
    }
}
