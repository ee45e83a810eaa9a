internal import PlayerCore

/// Predicts the display's next flip from the last one.
struct VblankClock {
    /// The time before a vblank at which a commit is sent: late, to get the newest picture, and early enough for a busy
    /// kernel. At 3 ms nothing was late in the rig; at 1.5 ms commits were, beside other work.
    static let lead: Int64 = 3_000_000

    /// In ns.
    let period: Int64
    /// `CLOCK_MONOTONIC`, ns; `nil` while it is unknown.
    private(set) var last: Int64?
    /// With less time than this before a vblank, a picture is shown at the one after it. A commit that came too late
    /// raises it: late commits cost the following picture, whose vblank they take.
    private var least: Int64 = 1_000_000
    /// When the pending commit was sent, and the vblank that it was meant for.
    private var pending: (sent: Int64, vblank: Int64)?

    /// - Parameter refresh: millihertz.
    init(refresh: Int, last: Int64? = nil) {
        period = 1_000_000_000_000 / Int64(max(refresh, 1000))
        self.last = last
    }

    /// The first vblank after this time.
    private func vblank(after time: Int64) -> Int64? {
        last.flatMap { last in last <= time ? last + ((time - last) / period + 1) * period : nil }
    }

    /// When to send a commit for a picture that is drawn now.
    func due(at now: Int64) -> Int64 {
        guard let next = vblank(after: now) else { return now }
        if now <= next - Self.lead { return next - Self.lead }
        return now <= next - least ? now : next + period - Self.lead
    }

    /// Notes a commit that the kernel has accepted.
    /// - Parameter now: before the call, which may take its time.
    mutating func sent(at now: Int64) { pending = vblank(after: now).map { (now, $0) } }

    /// Notes the flip that answers it.
    mutating func flipped(at time: Int64) {
        // With more time than `lead`, only a stall of the kernel makes a commit late.
        if let pending, time > pending.vblank + period / 2, pending.vblank - pending.sent < Self.lead {
            least = min(max(least, pending.vblank - pending.sent + 250_000), Self.lead)
        }
        pending = nil
        last = time
    }
}
