/// What seeks cost on this board with this film, learned from those that were done.
///
/// `cost = base + pictures x perPicture`: the base is flushing, demuxing and the way to the screen, the rest decoding.
public struct SeekCost: Hashable, Sendable {
    /// Nanoseconds. The first guesses are those of a 720p film in software on a slow board; two seeks correct them.
    public private(set) var base: Double = 30e6
    public private(set) var perPicture: Double = 2e6

    public init() {}

    /// - Parameter pictures: how many pictures were decoded to get there.
    public mutating func learn(pictures: Int, took: Duration) {
        let elapsed = Double(took.inNanoseconds)
        if pictures <= 2 {
            base += (min(elapsed, 4 * base) - base) * 0.3
        } else if pictures >= 6 {
            let each = max(elapsed - base, 0) / Double(pictures)
            perPicture = max(perPicture + (min(each, 4 * perPicture) - perPicture) * 0.3, 50e3)
        }
    }

    public func expected(pictures: Int) -> Duration {
        .nanoseconds(Int64(base + Double(max(pictures, 0)) * perPicture))
    }

    /// How many pictures can be decoded in a time, without the base; at least one.
    public func pictures(in time: Duration) -> Int {
        max(1, Int(Double(time.inNanoseconds) / perPicture))
    }
}
