internal import PlayerCore

/// Predicts the display's next flip from the last one.
struct VblankClock {
    /// The time before a vblank at which a commit is sent: late, to get the newest picture, and early enough for a busy
    /// kernel. At 3 ms nothing was late in the rig; at 1.5 ms commits were, beside other work.
    static let lead: Int64 = 3_000_000
    /// With less time than this before a vblank, a picture is shown at the one after it.
    private static let least: Int64 = 1_000_000

    /// In ns.
    let period: Int64
    /// `CLOCK_MONOTONIC`, ns; `nil` while it is unknown.
    var last: Int64?

    /// - Parameter refresh: millihertz.
    init(refresh: Int) { period = 1_000_000_000_000 / Int64(max(refresh, 1000)) }

    /// When to send a commit for a picture that is drawn now.
    func due(at now: Int64) -> Int64 {
        guard let last, last <= now else { return now }
        let next = last + ((now - last) / period + 1) * period
        if now <= next - Self.lead { return next - Self.lead }
        return now <= next - Self.least ? now : next + period - Self.lead
    }
}
