/// Holds a film's frame back until a frame of another time follows: of frames with one time, as a DVD may have, the
/// last one is shown.
public struct LastOfTime<Frame: Sendable>: Sendable {
    /// A frame and its presentation time.
    public struct Held: Sendable {
        public var time: MediaTime
        public var frame: Frame
    }

    /// The frame that is held.
    public private(set) var held: Held?

    public init() {}

    /// Holds a frame, in place of one of the same time.
    public mutating func hold(_ frame: Frame, at time: MediaTime) { held = Held(time: time, frame: frame) }

    /// Notes the time of the next frame, before `hold`.
    /// - Returns: the frame that was held, if it was the last one of its time.
    public mutating func release(before time: MediaTime) -> Held? { held?.time == time ? nil : release() }

    /// Holds no frame any more: no other one follows, or a flush has dropped it.
    /// - Returns: the frame that was held.
    public mutating func release() -> Held? {
        defer { held = nil }
        return held
    }
}
