import PlayerCore
import Testing

/// A script of fingers with the expected outputs, one event a line:
///
///     milliseconds  event  finger  place  ->  outputs
///
/// Events: `down`, `move`, `up`, `cancel`, `frame`, `unplug`, and `wake`, a deadline. Places: `bar 20%` (on the bar, 20 %
/// along its track) or `film 20%` (above the bar, on the film). Lines `bar shown`, `bar hidden`, `live`, `recorded` set
/// the state.
struct SliderTimeline {
    static let layout = OSDLayout(displayWidth: 1024, displayHeight: 600, millimetres: (width: 154, height: 90))
    static let panel = TouchPanel(id: TouchPanel.ID(number: 7), name: "Panel", systemName: "event7")

    var slider = Slider()
    private var isBarVisible = true
    private var hasBar = true
    private var places: [Int32: (x: Double, y: Double)] = [:]

    /// Runs the script and compares each line's outputs with the text after `->` (no output without one).
    @discardableResult
    static func expect(_ story: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Slider {
        var timeline = SliderTimeline()
        for line in story.split(separator: "\n") {
            let sides = line.split(separator: "->", maxSplits: 1).map(String.init)
            let words = sides[0].split(separator: " ").map(String.init)
            guard let outputs = try timeline.play(words) else { continue }
            let expected = sides.count == 2 ? sides[1].split(separator: " ").joined(separator: " ") : ""
            #expect(outputs == expected, "after: \(line)", sourceLocation: sourceLocation)
        }
        return timeline.slider
    }

    /// The outputs as text; `nil` for a line that only sets the state.
    private mutating func play(_ words: [String]) throws -> String? {
        switch words {
        case ["bar", "shown"]: isBarVisible = true
        case ["bar", "hidden"]: isBarVisible = false
        case ["live"]: hasBar = false
        case ["recorded"]: hasBar = true
        default:
            let outputs =
                words[1] == "wake"
                ? slider.wake(at: .milliseconds(try #require(Int64(words[0]))), layout: Self.layout)
                : slider.handle(try event(words), layout: Self.layout, isBarVisible: isBarVisible, hasBar: hasBar)
            return outputs.map(Self.text).joined(separator: ", ")
        }
        return nil
    }

    private mutating func event(_ words: [String]) throws -> TouchEvent {
        let time = MonotonicTime.milliseconds(try #require(Int64(words[0])))
        switch words[1] {
        case "frame": return .frame(Self.panel.id, time)
        case "unplug": return .panelRemoved(Self.panel)
        default: break
        }
        let slot = try #require(Int32(words[2]))
        if words.count == 5 {
            let share = try #require(Double(words[4].dropLast())) / 100
            places[slot] = Self.onBar(share)
            if words[3] == "film" { places[slot]?.y = 0.3 }
        }
        let place = try #require(places[slot])
        let finger = Finger(slot: slot, panel: Self.panel.id, x: place.x, y: place.y, time: time)
        switch words[1] {
        case "down": return .down(finger)
        case "move": return .motion(finger)
        case "up": return .up(finger)
        case "cancel": return .cancel(finger)
        default:
            Issue.record("no such event: \(words[1])")
            return .frame(Self.panel.id, time)
        }
    }

    /// A place on the bar in fractions of the display; beyond 0...1 it is past the track's ends.
    static func onBar(_ value: Double) -> (x: Double, y: Double) {
        let (track, target) = (layout.track, layout.touchTarget)
        return (
            (Double(track.x) + value * Double(track.width)) / Double(layout.displayWidth),
            (Double(target.y) + Double(target.height) / 2) / Double(layout.displayHeight)
        )
    }

    private static func text(_ output: SliderOutput) -> String {
        func percent(_ value: Double) -> String { "\(Int((value * 100).rounded()))%" }
        return switch output {
        case .touched: "touched"
        case .void(let finger): "void \(finger.slot)"
        case .slider(.touchDown(let value, _)): "touchDown \(percent(value))"
        case .slider(.valueChanged(let value, _)): "valueChanged \(percent(value))"
        case .slider(.touchUp(let value, _)): "touchUp \(percent(value))"
        case .slider(.cancel): "cancel"
        case .tap(_, barWasVisible: true): "tap hides"
        case .tap(_, barWasVisible: false): "tap shows"
        }
    }
}
