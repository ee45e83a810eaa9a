internal import Media
internal import PlayerCore

/// What fingers do where a program follows visitors: which of them reach the controls, and the menu. The loop's own.
final class VisitTouch {
    enum Use {
        case controls
        case reports
        case menu(FilmMenu)
    }

    var use = Use.controls
    /// Fingers that are down.
    private(set) var down: Set<TouchFinger> = []
    /// Those of them that came while they only reported, or on a menu: they mean nothing to what came in its place.
    private var spent: Set<TouchFinger> = []
    private var movedAt: MonotonicTime?
    /// Of the menu's films, by place; made for one size.
    var posters = Posters()

    /// A film that a viewer may choose at any moment, and the number of the newest search for it.
    var choice: (location: MediaLocation?, number: Int) = (nil, 0)

    struct Posters {
        var films: [FilmMenu.Film] = []
        var size: (width: Int, height: Int) = (0, 0)
        var pictures: [Int: PictureID] = [:]
        var work: Task<Void, Never>?
    }

    var menu: FilmMenu? { if case .menu(let menu) = use { menu } else { nil } }

    var reachesControls: Bool { if case .controls = use { true } else { false } }

    /// Moves are reported no oftener.
    private static let pace = Duration.seconds(1)

    /// - Returns: what is to be reported, and whether it may act at all.
    func note(_ event: TouchEvent, at now: MonotonicTime) -> (sign: FingerSign?, acts: Bool) {
        switch event {
        case .down(let finger):
            let key = TouchFinger(finger)
            down.insert(key)
            spent.remove(key)
            return (.down(key), true)
        case .motion(let finger):
            let key = TouchFinger(finger)
            let isDue = movedAt.map { now - $0 >= Self.pace } ?? true
            if isDue { movedAt = now }
            return (isDue ? .moved(key) : nil, !spent.contains(key))
        case .up(let finger), .cancel(let finger):
            let key = TouchFinger(finger)
            down.remove(key)
            return (.up(key), spent.remove(key) == nil)
        case .panelRemoved(let panel):
            let lost = down.filter { $0.panel == panel.id }
            down.subtract(lost)
            spent.subtract(lost)
            return (lost.first.map { .up($0) }, true)
        case .frame, .panelAdded: return (nil, true)
        }
    }

    /// What they touch is gone: whatever comes in its place, these fingers do not mean it.
    func spendFingers() { spent.formUnion(down) }
}

extension TouchFinger {
    init(_ finger: Finger) { self.init(panel: finger.panel, slot: finger.slot) }
}
