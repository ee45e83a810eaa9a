/// How far from a target the frame may begin that answers a seek to it. What may be elsewhere may be a key frame, which is the
/// quickest.
public struct SeekTolerance: Hashable, Sendable {
    /// From 0; `.unlimited`: the key frame before, wherever it is.
    public var before: MediaTime
    /// From 0. Where `before` is unlimited it changes nothing.
    public var after: MediaTime

    public init(before: MediaTime = .zero, after: MediaTime = .zero) {
        self.before = max(before, .zero)
        self.after = max(after, .zero)
    }

    /// The very frame that stands at the target.
    public static let exact = SeekTolerance()
    /// The key frame at or before the target.
    public static let keyFrameBefore = SeekTolerance(before: .unlimited)

    /// What containers may round a time by.
    static let rounding = MediaTime.milliseconds(1)

    /// Whether a frame that begins there will do.
    func allows(_ time: MediaTime, for target: MediaTime, slack: MediaTime = .zero) -> Bool {
        // Not added to: a tolerance may be as long as times get.
        before == .unlimited || time.distance(to: target) - slack <= (time < target ? before : after)
    }
}
