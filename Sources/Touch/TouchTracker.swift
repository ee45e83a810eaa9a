import PlayerCore

/// Remembers the fingers' places, for events without a place, and their panels.
struct TouchTracker {
    private var fingers: [Int32: Finger] = [:]

    mutating func down(slot: Int32, panel: TouchPanel.ID, x: Double, y: Double, at time: MonotonicTime) -> TouchEvent {
        let finger = Finger(slot: slot, panel: panel, x: Self.clamped(x), y: Self.clamped(y), time: time)
        fingers[slot] = finger
        return .down(finger)
    }

    /// `nil` for a finger that is not down, as after a cancel.
    mutating func motion(slot: Int32, x: Double, y: Double, at time: MonotonicTime) -> TouchEvent? {
        guard var finger = fingers[slot] else { return nil }
        (finger.x, finger.y, finger.time) = (Self.clamped(x), Self.clamped(y), time)
        fingers[slot] = finger
        return .motion(finger)
    }

    /// The finger where it was lifted; `nil` for one that was not down.
    mutating func up(slot: Int32, at time: MonotonicTime) -> Finger? {
        lift(slot, at: time)
    }

    mutating func cancel(slot: Int32, at time: MonotonicTime) -> TouchEvent? {
        lift(slot, at: time).map(TouchEvent.cancel)
    }

    /// Cancels the fingers on a removed panel.
    mutating func remove(_ panel: TouchPanel.ID, at time: MonotonicTime) -> [TouchEvent] {
        let lost = fingers.values.filter { $0.panel == panel }.map(\.slot).sorted()
        return lost.compactMap { cancel(slot: $0, at: time) }
    }

    private mutating func lift(_ slot: Int32, at time: MonotonicTime) -> Finger? {
        guard var finger = fingers.removeValue(forKey: slot) else { return nil }
        finger.time = time
        return finger
    }

    /// Panels report places beyond their edge, and a calibration can move them there.
    private static func clamped(_ fraction: Double) -> Double {
        min(max(fraction, 0), 1)
    }
}
