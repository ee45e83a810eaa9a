/// Turns fingers on widgets into presses, values and scrolling.
///
/// One finger holds one widget at a time, from its touch-down to its lift, wherever it goes; other fingers hold none.
/// The widget stays as it was when the finger touched: nothing moves under it. When a panel takes a finger back,
/// everything is as before the touch.
///
/// A value without a clock: its owner passes the time.
public struct WidgetTouch: Hashable, Sendable {
    public enum Output: Hashable, Sendable {
        /// The widget is drawn as pressed from now on.
        case pressed(WidgetID)
        /// The widget is no longer pressed and did not act: the finger slipped off, or is void.
        case released(WidgetID)
        /// The widget was touched and lifted.
        case activated(WidgetID)
        /// The widget's value follows the finger: 0...1.
        case slid(WidgetID, Double)
        /// The finger was lifted at this value.
        case slideEnded(WidgetID, Double)
        /// The value from before the touch holds again.
        case slideCancelled(WidgetID)
        /// The content follows the finger: its distance in pixels from the touch-down.
        case scrolled(WidgetID, by: Double)
        case scrollEnded(WidgetID, by: Double)
        /// The content is back where it was before the touch.
        case scrollCancelled(WidgetID)
    }

    private enum Motion: Hashable, Sendable {
        case press(isInside: Bool)
        case slide(Double)
        /// - Parameter distance: `nil` until the finger has moved farther than a tap does.
        case scroll(distance: Double?)
        /// The finger is on a widget that does nothing, or has moved across its axis.
        case nothing
    }

    private struct Hold: Hashable, Sendable {
        var finger: Finger.Key
        var widget: Widget
        var start: Contact.Place
        var contact: Contact
        var motion: Motion
        var since: MonotonicTime
    }

    private enum State: Hashable, Sendable {
        case free
        case held(Hold)
    }

    /// A contact that rests on a button, or on what does nothing, for so long is no visitor's finger, and frees the
    /// controls.
    public static let patience = Duration.seconds(5)
    /// A finger scrolls once it has moved so many times the distance within which a finger rests.
    static let slip = 1.5

    private var state = State.free
    /// The same for a contact that has scrolled and then rests.
    private let scrollPatience: Duration

    public init() { self.init(scrollPatience: Contact.patience) }

    init(scrollPatience: Duration) { self.scrollPatience = scrollPatience }

    /// Whether a finger may take a widget.
    public var isFree: Bool { if case .free = state { true } else { false } }

    /// The widget that is drawn as pressed.
    public var pressed: WidgetID? {
        guard case .held(let hold) = state else { return nil }
        return switch hold.motion {
        case .press(isInside: true), .slide, .scroll(distance: nil): hold.widget.id
        case .press(isInside: false), .scroll, .nothing: nil
        }
    }

    /// The value under the finger, if the widget slides.
    public func value(of id: WidgetID) -> Double? {
        guard case .held(let hold) = state, hold.widget.id == id, case .slide(let value) = hold.motion else {
            return nil
        }
        return value
    }

    /// When `wake` is due; `nil` if time alone changes nothing.
    public var deadline: MonotonicTime? {
        guard case .held(let hold) = state else { return nil }
        return switch hold.motion {
        case .press, .scroll(distance: nil), .nothing: min(hold.since + Self.patience, hold.contact.deadline)
        case .scroll: hold.contact.deadline(after: scrollPatience)
        case .slide: hold.contact.deadline
        }
    }

    func isHeld(by finger: Finger) -> Bool {
        guard case .held(let hold) = state else { return false }
        return hold.finger == Finger.Key(finger)
    }

    /// Handles a touch-down on a widget. Only while `isFree`.
    public mutating func press(_ finger: Finger, on widget: Widget, layout: OSDLayout) -> [Output] {
        guard isFree else { return [] }
        var hold = Hold(
            finger: Finger.Key(finger), widget: widget, start: .init(of: finger), contact: Contact(finger),
            motion: .nothing, since: finger.time)
        var outputs: [Output] = []
        switch widget.gesture {
        case .swallow, .other: break
        case .press:
            hold.motion = .press(isInside: true)
            outputs = [.pressed(widget.id)]
        case .slide(let axis):
            let value = widget.value(at: layout.place(of: finger), along: axis)
            hold.motion = .slide(value)
            outputs = [.pressed(widget.id), .slid(widget.id, value)]
        case .scroll:
            hold.motion = .scroll(distance: nil)
            outputs = [.pressed(widget.id)]
        }
        state = .held(hold)
        return outputs
    }

    /// Handles a move of the finger that holds a widget.
    public mutating func move(_ finger: Finger, layout: OSDLayout) -> [Output] {
        guard case .held(var hold) = state, hold.finger == Finger.Key(finger) else { return [] }
        hold.contact.move(to: finger, on: layout)
        return follow(hold, layout)
    }

    /// Handles the finger's lift.
    public mutating func lift(_ finger: Finger, layout: OSDLayout) -> [Output] {
        guard case .held(var hold) = state, hold.finger == Finger.Key(finger) else { return [] }
        hold.contact.lift(at: finger.time)
        let outputs = follow(hold, layout)
        guard case .held(let hold) = state else { return outputs }
        state = .free
        let id = hold.widget.id
        return switch hold.motion {
        case .press(isInside: true): outputs + [.activated(id)]
        case .scroll(distance: nil): outputs + [Self.isInside(hold, layout) ? .activated(id) : .released(id)]
        case .slide(let value): outputs + [.slideEnded(id, value)]
        case .scroll(let distance?): outputs + [.scrollEnded(id, by: distance)]
        case .press(isInside: false), .nothing: outputs
        }
    }

    /// Handles a finger that its panel takes back: it does nothing.
    public mutating func cancel() -> [Output] {
        guard case .held(let hold) = state else { return [] }
        state = .free
        return Self.end(of: hold)
    }

    /// Handles the removal of a panel, whose fingers will not be lifted.
    public mutating func cancel(on panel: TouchPanel.ID) -> [Output] {
        guard case .held(let hold) = state, hold.finger.panel == panel else { return [] }
        return cancel()
    }

    /// Handles the passing of time. A contact that stays for too long is no finger: on a button, or where it does nothing,
    /// `patience`; after scrolling, `scrollPatience`; on a slider, a minute.
    /// - Parameter time: the caller has handled all earlier events.
    public mutating func wake(at time: MonotonicTime, layout: OSDLayout) -> [Output] {
        guard case .held(var hold) = state else { return [] }
        hold.contact.pass(to: time)
        let outputs = follow(hold, layout)
        guard case .held(let hold) = state else { return outputs }
        let isDirt =
            switch hold.motion {
            case .press, .scroll(distance: nil), .nothing: time - hold.since >= Self.patience
            case .scroll: hold.contact.isVoid(at: time, after: scrollPatience)
            case .slide: hold.contact.isVoid(at: time)
            }
        return isDirt ? outputs + cancel() : outputs
    }

    private static func end(of hold: Hold) -> [Output] {
        let id = hold.widget.id
        return switch hold.motion {
        case .press(isInside: true), .scroll(distance: nil): [.released(id)]
        case .slide: [.slideCancelled(id)]
        case .scroll: [.scrollCancelled(id)]
        case .press(isInside: false), .nothing: []
        }
    }

    /// The place in pixels of the display.
    private static func pixels(_ place: Contact.Place, _ layout: OSDLayout) -> (x: Double, y: Double) {
        (place.x * Double(layout.displayWidth), place.y * Double(layout.displayHeight))
    }

    private static func isInside(_ hold: Hold, _ layout: OSDLayout) -> Bool {
        let place = pixels(hold.contact.place, layout)
        return hold.widget.target.contains(x: place.x, y: place.y, within: layout.restRadius)
    }

    /// Updates the hold from its contact's place.
    private mutating func follow(_ before: Hold, _ layout: OSDLayout) -> [Output] {
        var hold = before
        defer { state = .held(hold) }
        let id = hold.widget.id
        let place = Self.pixels(hold.contact.place, layout)
        switch (hold.motion, hold.widget.gesture) {
        case (.press(let wasInside), _):
            let isInside = Self.isInside(hold, layout)
            hold.motion = .press(isInside: isInside)
            guard isInside != wasInside else { return [] }
            return [isInside ? .pressed(id) : .released(id)]
        case (.slide(let value), .slide(let axis)):
            let next = hold.widget.value(at: place, along: axis)
            hold.motion = .slide(next)
            return next == value ? [] : [.slid(id, next)]
        case (.scroll(let distance), .scroll(let axis)):
            let start = Self.pixels(hold.start, layout)
            let way = (x: place.x - start.x, y: place.y - start.y)
            let (next, across) = axis == .horizontal ? (way.x, way.y) : (way.y, way.x)
            if distance == nil, max(abs(next), abs(across)) < layout.restRadius * Self.slip { return [] }
            // The finger moves across the axis, so it does not mean this widget.
            if distance == nil, abs(across) > abs(next) {
                hold.motion = .nothing
                return [.released(id)]
            }
            hold.motion = .scroll(distance: next)
            guard distance != next else { return [] }
            return distance == nil ? [.released(id), .scrolled(id, by: next)] : [.scrolled(id, by: next)]
        default: return []
        }
    }
}

extension Widget {
    /// The value 0...1 of a point along the widget's frame.
    func value(at place: (x: Double, y: Double), along axis: Axis) -> Double {
        let part =
            switch axis {
            case .horizontal: (place.x - Double(frame.x)) / Double(max(frame.width, 1))
            case .vertical: (Double(frame.y + frame.height) - place.y) / Double(max(frame.height, 1))
            }
        return part > 0 ? min(part, 1) : 0
    }
}

extension OSDLayout.Rectangle {
    /// Whether a point is inside, or within this distance.
    func contains(x pointX: Double, y pointY: Double, within distance: Double) -> Bool {
        let across = max(Double(x) - pointX, pointX - Double(x + width), 0)
        let down = max(Double(y) - pointY, pointY - Double(y + height), 0)
        return (across * across + down * down).squareRoot() <= distance
    }
}
