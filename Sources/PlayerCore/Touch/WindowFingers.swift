/// Turns a window's mouse and touches into fingers: the mouse is a finger while its left button is down.
public struct WindowFingers: Hashable, Sendable {
    /// The fingers that are down, by slot.
    private var fingers: [Int32: Finger] = [:]

    /// A window's touch numbers are not negative.
    private static let mouse: Int32 = -1

    public init() {}

    /// Handles an event. Only the mouse's left button is a finger. A place beside the frame is moved to its edge.
    public mutating func handle(_ pointer: WindowPointer, at time: MonotonicTime) -> [TouchEvent] {
        switch pointer {
        case .buttonPressed(1, let place): down(Self.mouse, place, time)
        case .buttonReleased(1, let place): up(Self.mouse, place, time)
        case .buttonPressed, .buttonReleased: []
        case .mouseMoved(let place): move(Self.mouse, place, time)
        case .touchDown(let id, let place): down(Self.slot(of: id), place, time)
        case .touchMoved(let id, let place): move(Self.slot(of: id), place, time)
        case .touchUp(let id, let place): up(Self.slot(of: id), place, time)
        case .touchCancelled: cancel(at: time)
        }
    }

    /// Cancels all fingers, because the window is gone and will not report their lift.
    public mutating func cancel(at time: MonotonicTime) -> [TouchEvent] {
        defer { fingers = [:] }
        return fingers.values.sorted { $0.slot < $1.slot }.map { finger in
            var finger = finger
            finger.time = time
            return .cancel(finger)
        }
    }

    private mutating func down(_ slot: Int32, _ place: WindowPointer.Place, _ time: MonotonicTime) -> [TouchEvent] {
        let finger = Finger(slot: slot, panel: .window, x: Self.part(place.x), y: Self.part(place.y), time: time)
        fingers[slot] = finger
        return [.down(finger), .frame(.window, time)]
    }

    private mutating func move(_ slot: Int32, _ place: WindowPointer.Place, _ time: MonotonicTime) -> [TouchEvent] {
        guard var finger = fingers[slot] else { return [] }
        (finger.x, finger.y, finger.time) = (Self.part(place.x), Self.part(place.y), time)
        fingers[slot] = finger
        return [.motion(finger), .frame(.window, time)]
    }

    /// The place of the lift counts: the motion to there may not have been reported.
    private mutating func up(_ slot: Int32, _ place: WindowPointer.Place, _ time: MonotonicTime) -> [TouchEvent] {
        guard let before = fingers[slot] else { return [] }
        let (x, y) = (Self.part(place.x), Self.part(place.y))
        var events = (x, y) == (before.x, before.y) ? [] : move(slot, place, time)
        fingers[slot] = nil
        events += [
            .up(Finger(slot: slot, panel: .window, x: x, y: y, time: time)), .frame(.window, time),
        ]
        return events
    }

    private static func slot(of id: UInt32) -> Int32 { Int32(bitPattern: id & 0x7FFF_FFFF) }

    private static func part(_ value: Double) -> Double { min(max(value, 0), 1) }
}
