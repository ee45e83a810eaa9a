/// Says when to commit: predicts the display's next flip from the last one, and learns how late a commit may be.
struct VblankClock {
    enum Commit: Equatable {
        case none
        /// It will be sent at a time that is fixed. A picture that is drawn until then goes along.
        case due
        /// It waits for its flip. The vblank that it was meant for is `nil` if unknown.
        case sent(at: Int64, vblank: Int64?)
    }

    /// The time before a vblank at which a commit is sent: late, to get the newest picture, and early enough for a busy
    /// kernel. At 3 ms nothing was late in the rig; at 1.5 ms commits were, beside other work.
    static let lead: Int64 = 3_000_000
    /// The pause after a commit that the kernel has refused.
    private static let pause: Int64 = 2_000_000
    private static let initialLeast: Int64 = 1_000_000

    /// In ns.
    let period: Int64
    private(set) var commit = Commit.none
    /// `CLOCK_MONOTONIC`, ns; `nil` while it is unknown.
    private var last: Int64?
    /// With less time than this before a vblank, a picture is shown at the one after it. A commit that was too late
    /// raises it: late commits cost the following picture, whose vblank they take.
    private var least = Self.initialLeast

    /// - Parameter refresh: millihertz.
    init(refresh: Int, last: Int64? = nil) {
        period = 1_000_000_000_000 / Int64(max(refresh, 1000))
        self.last = last
    }

    /// Begins a drag.
    /// - Parameter last: the last vblank.
    mutating func begin(last: Int64?) {
        self.last = last
        least = Self.initialLeast
    }

    /// When to send a commit for a picture that is drawn now; `nil` if another commit is due or waits for its flip.
    mutating func drawn(at now: Int64) -> Int64? {
        guard commit == .none else { return nil }
        commit = .due
        guard let next = vblank(after: now) else { return now }
        if now <= next - Self.lead { return next - Self.lead }
        return now <= next - least ? now : next + period - Self.lead
    }

    /// Notes a commit that the kernel has accepted.
    /// - Parameter now: before the call, which may take its time.
    mutating func sent(at now: Int64) { commit = .sent(at: now, vblank: vblank(after: now)) }

    /// Notes a commit that the kernel has refused.
    /// - Returns: when to send it again.
    mutating func refused(at now: Int64) -> Int64 {
        commit = .due
        return now + Self.pause
    }

    /// Drops the commit: there is nothing to send, or its flip was lost.
    mutating func drop() { commit = .none }

    /// Notes the flip that answers the commit.
    mutating func flipped(at time: Int64) {
        // With more time than `lead`, only a stall of the kernel makes a commit late.
        if case .sent(let sent, let vblank?) = commit, time > vblank + period / 2, vblank - sent < Self.lead {
            least = min(max(least, vblank - sent + 250_000), Self.lead)
        }
        commit = .none
        last = time
    }

    /// The first vblank after this time.
    private func vblank(after time: Int64) -> Int64? {
        last.flatMap { last in last <= time ? last + ((time - last) / period + 1) * period : nil }
    }
}
