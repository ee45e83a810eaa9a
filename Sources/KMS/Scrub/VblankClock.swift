internal import PlayerCore

/// When the display takes its next picture over, from when it did so last.
struct VblankClock {
    /// How long before a vblank a commit is sent: late, so that it has the newest picture, and early enough for a kernel that is busy. At
    /// 3 ms nothing came too late in the rig; a millisecond and a half did beside other work.
    static let lead: Int64 = 3_000_000
    /// What is drawn later than that comes with the vblank after the next one.
    private static let least: Int64 = 1_000_000

    /// In ns.
    let period: Int64
    /// `CLOCK_MONOTONIC`, ns; `nil` while it is unknown.
    var last: Int64?

    /// - Parameter refresh: millihertz.
    init(refresh: Int) { period = 1_000_000_000_000 / Int64(max(refresh, 1000)) }

    /// When a commit of what is drawn now is to be sent.
    func due(at now: Int64) -> Int64 {
        guard let last, last <= now else { return now }
        let next = last + ((now - last) / period + 1) * period
        if now <= next - Self.lead { return next - Self.lead }
        return now <= next - Self.least ? now : next + period - Self.lead
    }
}
