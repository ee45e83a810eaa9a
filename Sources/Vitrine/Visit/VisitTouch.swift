internal import Media
internal import PlayerCore

/// What fingers do where a program follows visitors: which of them reach the controls, and the menu. The loop's own.
final class VisitTouch {
    enum Use {
        case controls(hasMenu: Bool)
        case reports
        case menu(FilmMenu)
    }

    var use = Use.controls(hasMenu: false)
    /// Fingers that are down, and where each of them was when that was last reported.
    private var places: [TouchFinger: Finger] = [:]
    /// Those of them that came while they only reported, or on a menu: they mean nothing to what came in its place.
    private var spent: Set<TouchFinger> = []
    private var movedAt: MonotonicTime?
    /// Where the finger on the bar came down, until it has moved.
    private var barStart: Double?
    /// Of the menu's films, by place; made for one size.
    var posters = Posters()

    /// A film that a viewer may choose at any moment, and the number of the newest search for it.
    var choice: (location: MediaLocation?, number: Int) = (nil, 0)

    var menu: FilmMenu? { if case .menu(let menu) = use { menu } else { nil } }

    /// A button leads back to a menu.
    var hasMenu: Bool { if case .controls(hasMenu: true) = use { true } else { false } }

    var reachesControls: Bool { if case .controls = use { true } else { false } }

    /// Moves are reported no oftener.
    private static let pace = Duration.seconds(1)

    /// Fingers that are down.
    var down: Set<TouchFinger> { Set(places.keys) }

    /// - Parameter layout: tells how far a finger that rests trembles: that is no visitor who moves, but maybe dirt.
    /// - Returns: what is to be reported, and whether it may act at all.
    func note(_ event: TouchEvent, on layout: OSDLayout, at now: MonotonicTime) -> (sign: FingerSign?, acts: Bool) {
        switch event {
        case .down(let finger):
            let key = TouchFinger(finger)
            places[key] = finger
            spent.remove(key)
            return (.down(key), true)
        case .motion(let finger):
            let key = TouchFinger(finger)
            let rests = places[key].map { layout.isResting(finger, at: $0) } ?? false
            let isDue = !rests && (movedAt.map { now - $0 >= Self.pace } ?? true)
            if isDue { (movedAt, places[key]) = (now, finger) }
            return (isDue ? .moved(key) : nil, !spent.contains(key))
        case .up(let finger), .cancel(let finger):
            let key = TouchFinger(finger)
            places[key] = nil
            return (.up(key), spent.remove(key) == nil)
        case .panelRemoved(let panel):
            let lost = down.filter { $0.panel == panel.id }
            for finger in lost { places[finger] = nil }
            spent.subtract(lost)
            return (lost.first.map { .up($0) }, true)
        case .frame, .panelAdded: return (nil, true)
        }
    }

    /// Whether the finger on the bar has just begun to move it: once for each, and never for one that only taps.
    func isDrag(_ event: SliderEvent, on layout: OSDLayout) -> Bool {
        switch event {
        case .touchDown(let value, _): barStart = value
        case .valueChanged(let value, _):
            guard let start = barStart, abs(value - start) * Double(layout.track.width) > layout.restRadius else {
                break
            }
            barStart = nil
            return true
        case .touchUp, .cancel: barStart = nil
        }
        return false
    }

    /// What they touch is gone: whatever comes in its place, these fingers do not mean it.
    func spendFingers() { spent.formUnion(down) }
}

extension TouchFinger {
    init(_ finger: Finger) { self.init(panel: finger.panel, slot: finger.slot) }
}
