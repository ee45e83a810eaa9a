/// What getting to a frame costs on this board with this film, learned from those that were reached.
///
/// `cost = base + frames x perFrame`. The base of a seek (flushing, demuxing, the way to the screen) is another than
/// that of going on, which flushes nothing.
public struct SeekCost: Hashable, Sendable {
    /// Nanoseconds. The first guesses are those of a 720p film in software on a slow board; the first seeks correct them.
    public private(set) var seekBase: Double = 40e6
    /// Nanoseconds, as the others.
    public private(set) var advanceBase: Double = 20e6
    public private(set) var perFrame: Double = 3e6
    /// A preview seek's, all in.
    public private(set) var preview: Double = 50e6

    public init() {}

    /// - Parameters:
    ///   - frames: how many frames were decoded to get there.
    ///   - decodingTime: what one of them took, where it was measured.
    public mutating func learn(_ method: SeekRequest.Method, frames: Int, took: Duration, decodingTime: Duration?) {
        if case .preview = method {
            preview += (min(Double(took.inNanoseconds), 4 * preview) - preview) * 0.3
            return
        }
        if let decodingTime {
            perFrame += (Double(decodingTime.inNanoseconds) - perFrame) * 0.5
            perFrame = max(perFrame, 50e3)
        }
        let base = max(Double(took.inNanoseconds) - Double(frames) * perFrame, 1e6)
        if method == .advance {
            advanceBase += (min(base, 4 * advanceBase) - advanceBase) * 0.3
        } else {
            seekBase += (min(base, 4 * seekBase) - seekBase) * 0.3
        }
    }

    /// - Parameter frames: how many are to be decoded; of a preview seek, it does not matter.
    public func expected(_ method: SeekRequest.Method, frames: Int) -> Duration {
        if case .preview = method { return .nanoseconds(Int64(preview)) }
        let base = method == .advance ? advanceBase : seekBase
        return .nanoseconds(Int64(base + Double(max(frames, 0)) * perFrame))
    }

    /// How many frames can be decoded in a time, without any base; at least one.
    public func frames(in time: Duration) -> Int {
        max(1, Int(Double(time.inNanoseconds) / perFrame))
    }
}
