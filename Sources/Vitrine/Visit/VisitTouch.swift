internal import Media
internal import PlayerCore

/// Fingers in a program that follows visitors: which of them reach the controls, and the menu. Belongs to the loop.
final class VisitTouch {
    enum Use {
        case controls(hasMenu: Bool)
        case reports
        case menu(FilmMenu)
    }

    var use = Use.controls(hasMenu: false)
    /// A menu that stays on the screen after a film was chosen from it; `nil` once that film is shown.
    private(set) var leftMenu: LeftMenu?

    /// A plane that is hidden before the film is shown costs its first frame a vblank.
    struct LeftMenu {
        let menu: FilmMenu
        /// The film that played when another one was chosen.
        let session: FilmSession
        /// When the menu goes if no other film is shown by then. A preloaded one is within some 50 ms.
        let until: MonotonicTime
        static let patience = Duration.seconds(1)
    }
    /// The fingers that are down, and their moves.
    private var reported: [TouchFinger: FingerMoves] = [:]
    /// Fingers that touched under an earlier use, reports only or a menu: they have no effect under the current one.
    private var spent: Set<TouchFinger> = []
    /// The position at which the finger touched the bar, until it has moved.
    private var barStart: Double?
    /// The posters of the menu's films, by place; made for one size.
    var posters = Posters()

    var choice = Choice()

    /// A film that a viewer may choose at any moment.
    struct Choice {
        /// `nil` if there is none, or its address is still being resolved.
        var location: MediaLocation?
        /// Resolves its address.
        var search: Task<Void, Never>?
    }

    var menu: FilmMenu? { if case .menu(let menu) = use { menu } else { nil } }

    /// Keeps the menu on the screen until another film than this one is shown.
    func leaveMenu(during session: FilmSession, at now: MonotonicTime) {
        leftMenu = menu.map { LeftMenu(menu: $0, session: session, until: now + LeftMenu.patience) }
    }

    /// Removes the left menu. A menu that is open nevertheless shows no chosen poster any more.
    func forgetLeftMenu() {
        leftMenu = nil
        guard case .menu(var menu) = use else { return }
        menu.release()
        use = .menu(menu)
    }

    /// Notes that a film is shown.
    func filmIsShown(_ session: FilmSession) {
        if let left = leftMenu, left.session !== session { leftMenu = nil }
    }

    /// The menu on the screen.
    var shownMenu: FilmMenu? { menu ?? leftMenu?.menu }

    /// Whether a button leads back to a menu.
    var hasMenu: Bool { if case .controls(hasMenu: true) = use { true } else { false } }

    var reachesControls: Bool { if case .controls = use { true } else { false } }

    /// The fingers that are down.
    var down: Set<TouchFinger> { Set(reported.keys) }

    /// - Parameter layout: says how far a resting finger trembles, which is no moving visitor, but maybe dirt.
    /// - Returns: the sign to report, and whether the finger may act at all.
    func note(_ event: TouchEvent, on layout: OSDLayout, at now: MonotonicTime) -> (sign: FingerSign?, acts: Bool) {
        switch event {
        case .down(let finger):
            let key = TouchFinger(finger)
            reported[key] = FingerMoves(finger)
            spent.remove(key)
            return (.down(key), true)
        case .motion(let finger):
            let key = TouchFinger(finger)
            let hasMoved = reported[key, default: FingerMoves(finger)].take(finger, on: layout, at: now)
            return (hasMoved ? .moved(key) : nil, !spent.contains(key))
        case .up(let finger), .cancel(let finger):
            let key = TouchFinger(finger)
            reported[key] = nil
            return (.up(key), spent.remove(key) == nil)
        case .panelRemoved(let panel):
            let lost = down.filter { $0.panel == panel.id }
            for finger in lost { reported[finger] = nil }
            spent.subtract(lost)
            return (lost.first.map { .up($0) }, true)
        case .frame, .panelAdded: return (nil, true)
        }
    }

    /// Whether the finger on the bar has just started to move it: once per finger, and never for a tap.
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

    /// Voids the fingers that are down, because their widgets are gone.
    func spendFingers() { spent.formUnion(down) }
}

extension TouchFinger {
    init(_ finger: Finger) { self.init(panel: finger.panel, slot: finger.slot) }
}
