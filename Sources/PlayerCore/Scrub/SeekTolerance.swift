/// How far from a seek's target its frame may start. A tolerance allows a key frame, which is the quickest.
public struct SeekTolerance: Hashable, Sendable {
    /// From 0; `.unlimited` allows the key frame before, wherever it is.
    public var before: MediaTime
    /// From 0. Ignored if `before` is unlimited.
    public var after: MediaTime

    public init(before: MediaTime = .zero, after: MediaTime = .zero) {
        self.before = max(before, .zero)
        self.after = max(after, .zero)
    }

    /// The exact frame at the target.
    public static let exact = SeekTolerance()
    /// The key frame at or before the target.
    public static let keyFrameBefore = SeekTolerance(before: .unlimited)

    /// The error of times that a container rounds.
    static let rounding = MediaTime.milliseconds(1)

    /// Whether a frame that starts at `time` is allowed.
    func allows(_ time: MediaTime, for target: MediaTime, slack: MediaTime = .zero) -> Bool {
        // No sum, because a tolerance may be as large as times get.
        before == .unlimited || time.distance(to: target) - slack <= (time < target ? before : after)
    }
}
