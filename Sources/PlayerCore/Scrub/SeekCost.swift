/// The cost of reaching a frame on this board with this film, learned from earlier seeks.
///
/// `cost = base + frames x perFrame`. The base of a seek (flushing, demuxing, the way to the screen) differs from that
/// of an advance, which flushes nothing.
public struct SeekCost: Hashable, Sendable {
    /// Nanoseconds. The initial values are those of a 720p film in software on a slow board; the first seeks correct
    /// them.
    public private(set) var seekBase: Double = 40e6
    /// Nanoseconds, as the others.
    public private(set) var advanceBase: Double = 20e6
    public private(set) var perFrame: Double = 3e6
    /// The whole cost of a preview seek.
    public private(set) var preview: Double = 50e6
    private var hasPreviewed = false

    public init() {}

    /// - Parameters:
    ///   - frames: the number of frames on the way.
    ///   - decodingTime: the time for one of them, if measured.
    public mutating func learn(_ method: SeekRequest.Method, frames: Int, took: Duration, decodingTime: Duration?) {
        if case .preview = method {
            hasPreviewed = true
            preview += (min(Double(took.inNanoseconds), 4 * preview) - preview) * 0.3
            return
        }
        if let decodingTime {
            perFrame += (Double(decodingTime.inNanoseconds) - perFrame) * 0.5
            perFrame = max(perFrame, 50e3)
        }
        // Of the frames before an exact seek's, only those that others refer to are decoded.
        guard method != .exact else { return }
        let base = max(Double(took.inNanoseconds) - Double(frames) * perFrame, 1e6)
        if method == .advance {
            advanceBase += (min(base, 4 * advanceBase) - advanceBase) * 0.3
        } else {
            seekBase += (min(base, 4 * seekBase) - seekBase) * 0.3
        }
    }

    /// - Parameter frames: the number of frames to decode; ignored for a preview seek.
    public func expected(_ method: SeekRequest.Method, frames: Int) -> Duration {
        if case .preview = method { return .nanoseconds(Int64(preview)) }
        let base = method == .advance ? advanceBase : seekBase
        return .nanoseconds(Int64(base + Double(max(frames, 0)) * perFrame))
    }

    /// The cost of a fast finger's next frame: that of a preview seek, or, until there was one, at most that of a key
    /// frame.
    var expectedOfMoving: Duration {
        let preview = expected(.preview(frames: 1), frames: 1)
        return hasPreviewed ? preview : min(preview, expected(.keyframe(showing: nil), frames: 1))
    }

    /// The number of frames that can be decoded in a time, without any base; at least one.
    public func frames(in time: Duration) -> Int {
        max(1, Int(Double(time.inNanoseconds) / perFrame))
    }
}
