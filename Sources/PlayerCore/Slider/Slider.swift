/// Turns fingers into events of the seek bar.
///
/// A finger that goes down inside the bar's touch target while the bar is visible owns the drag until it is lifted or
/// cancelled, also outside the bar; other fingers move nothing. A finger that goes down while the bar is hidden never
/// starts a drag: its tap shows the bar.
///
/// The value follows the finger's place, which stays while the finger rests (`Contact`). A contact that does not move
/// for 60 s is void: its drag is cancelled, and the panel is free for the next finger.
///
/// Events are answered as they arrive, without waiting for `TouchEvent.frame`: libinput reports at most one motion of a
/// finger per frame, so there is nothing to merge, and a panel that sends no frames works as well. Decisions by time
/// alone wait for `wake`, which is due at `deadline`.
public struct Slider: Hashable, Sendable {
    /// The longest touch that counts as a tap on the film.
    static let tapDuration = Duration.milliseconds(500)
    /// How far a tapping finger may slip, as a fraction of the display's width: 5 mm on a 7" panel.
    static let tapSlip = 0.03

    private struct Drag: Hashable {
        var owner: Finger.Key
        var value: Double
    }

    private struct Tap: Hashable {
        var owner: Finger.Key
        var start: Finger
        var barWasVisible: Bool
    }

    private var contacts: [Finger.Key: Contact] = [:]
    private var drag: Drag?
    /// The finger whose lift ended the last drag, until another touch.
    private var released: Finger.Key?
    private var tap: Tap?
    /// The time of the newest event, for events without a time.
    private var now = MonotonicTime(nanoseconds: 0)

    public init() {}

    /// The number of fingers on the panels.
    public var fingersDown: Int { contacts.count }
    public var isTouched: Bool { !contacts.isEmpty }
    /// The value under the finger that owns the drag; `nil` if there is none.
    public var heldValue: Double? { drag?.value }
    /// When `wake` is due; `nil` if time alone changes nothing.
    public var deadline: MonotonicTime? { contacts.values.map(\.deadline).min() }

    /// - Parameters:
    ///   - event: events must arrive in the order in which they happened; those of unknown fingers are ignored.
    ///   - layout: the current layout; it may change between events.
    ///   - isBarVisible: whether the on-screen display was shown before this event.
    ///   - hasBar: whether there is a seek bar (live media have none). If it turns false during a drag, the next event
    ///     of any kind ends the drag with `cancel`.
    ///   - isFree: whether no finger holds another control: only then may one take the bar, or tap the film.
    /// - Returns: the outputs, in order.
    public mutating func handle(
        _ event: TouchEvent, layout: OSDLayout, isBarVisible: Bool, hasBar: Bool, isFree: Bool = true
    ) -> [SliderOutput] {
        now = event.time ?? now
        let ended = hasBar ? pass(to: now, layout: layout) : cancelDrag(at: now)
        switch event {
        case .down(let finger):
            // A panel that lost an `up` starts the same slot again.
            let lost = lift(Finger.Key(finger), as: .cancel(at: now))
            return ended + lost
                + press(finger, layout: layout, isBarVisible: isBarVisible, hasBar: hasBar, isFree: isFree)
        case .motion(let finger):
            return ended + move(finger, layout: layout)
        case .up(let finger):
            let tapped = isTap(finger, layout: layout) ? tap : nil
            contacts[Finger.Key(finger)]?.lift(at: now)
            var outputs = ended + follow(at: now, layout: layout)
            outputs += lift(Finger.Key(finger), as: drag.map { .touchUp($0.value, at: now) })
            if let tapped { outputs.append(.tap(place: finger, barWasVisible: tapped.barWasVisible)) }
            return outputs
        case .cancel(let finger) where contacts[Finger.Key(finger)] == nil && released == Finger.Key(finger):
            released = nil
            return ended + [.slider(.cancel(at: now))]
        case .cancel(let finger):
            return ended + lift(Finger.Key(finger), as: .cancel(at: now))
        case .panelRemoved(let panel):
            let lost = contacts.keys.filter { $0.panel == panel.id }.sorted { $0.slot < $1.slot }
            return ended + lost.flatMap { lift($0, as: .cancel(at: now)) }
        case .frame, .panelAdded:
            return ended
        }
    }

    /// Handles the passing of time: a contact that has been in one place for 60 s is void.
    /// - Parameter time: the caller has handled all earlier events.
    public mutating func wake(at time: MonotonicTime, layout: OSDLayout) -> [SliderOutput] {
        now = time
        var outputs = pass(to: time, layout: layout)
        let void = contacts.filter { $0.value.isVoid(at: time) }.sorted { $0.key.slot < $1.key.slot }
        for (key, contact) in void {
            let place = contact.place
            outputs.append(.void(Finger(slot: key.slot, panel: key.panel, x: place.x, y: place.y, time: time)))
            outputs += lift(key, as: .cancel(at: time))
        }
        return outputs
    }

    /// Cancels a drag because its film is gone. The finger stays down and owns nothing.
    public mutating func cancelDrag(at time: MonotonicTime) -> [SliderOutput] {
        guard drag != nil else { return [] }
        drag = nil
        return [.slider(.cancel(at: time))]
    }

    private mutating func press(
        _ finger: Finger, layout: OSDLayout, isBarVisible: Bool, hasBar: Bool, isFree: Bool
    ) -> [SliderOutput] {
        let key = Finger.Key(finger)
        let isAlone = contacts.values.allSatisfy { $0.isResting(at: finger.time) }
        contacts[key] = Contact(finger)
        released = nil
        tap = nil
        let place = layout.place(of: finger)
        if isFree, drag == nil, isBarVisible, hasBar, layout.touchTarget.contains(x: place.x, y: place.y) {
            let value = layout.fraction(atX: place.x)
            drag = Drag(owner: key, value: value)
            return [.touched(at: finger.time), .slider(.touchDown(value, at: finger.time))]
        }
        if isFree, isAlone, drag == nil { tap = Tap(owner: key, start: finger, barWasVisible: isBarVisible) }
        return [.touched(at: finger.time)]
    }

    private mutating func move(_ finger: Finger, layout: OSDLayout) -> [SliderOutput] {
        let key = Finger.Key(finger)
        if tap?.owner == key, !isTap(finger, layout: layout) { tap = nil }
        contacts[key]?.move(to: finger, on: layout)
        return follow(at: finger.time, layout: layout)
    }

    private mutating func pass(to time: MonotonicTime, layout: OSDLayout) -> [SliderOutput] {
        for key in contacts.keys { contacts[key]?.pass(to: time) }
        return follow(at: time, layout: layout)
    }

    /// The thumb follows the finger that owns the drag.
    private mutating func follow(at time: MonotonicTime, layout: OSDLayout) -> [SliderOutput] {
        guard let owner = drag?.owner, let contact = contacts[owner] else { return [] }
        let value = layout.fraction(atX: contact.place.x * Double(layout.displayWidth))
        guard drag?.value != value else { return [] }
        drag?.value = value
        return [.slider(.valueChanged(value, at: time))]
    }

    /// Removes a finger. `end` ends the drag if this finger owns it.
    private mutating func lift(_ key: Finger.Key, as end: SliderEvent?) -> [SliderOutput] {
        guard contacts.removeValue(forKey: key) != nil else { return [] }
        if tap?.owner == key { tap = nil }
        guard drag?.owner == key, let end else { return [.touched(at: now)] }
        drag = nil
        if case .touchUp = end { released = key }
        return [.touched(at: now), .slider(end)]
    }

    /// Whether lifting this finger now would make a tap.
    private func isTap(_ finger: Finger, layout: OSDLayout) -> Bool {
        guard let tap, tap.owner == Finger.Key(finger), finger.time - tap.start.time <= Self.tapDuration else {
            return false
        }
        let (from, to) = (layout.place(of: tap.start), layout.place(of: finger))
        let (across, down) = (to.x - from.x, to.y - from.y)
        return (across * across + down * down).squareRoot() < Self.tapSlip * Double(layout.displayWidth)
    }
}

extension OSDLayout {
    /// A finger's place in display coordinates, in pixels.
    func place(of finger: Finger) -> (x: Double, y: Double) {
        (finger.x * Double(displayWidth), finger.y * Double(displayHeight))
    }
}

extension TouchEvent {
    /// `nil` for panels that are added or removed.
    var time: MonotonicTime? {
        switch self {
        case .down(let finger), .motion(let finger), .up(let finger), .cancel(let finger): finger.time
        case .frame(_, let time): time
        case .panelAdded, .panelRemoved: nil
        }
    }
}
