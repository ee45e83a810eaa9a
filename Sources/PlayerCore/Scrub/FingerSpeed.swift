/// The speed of the finger in film time, over its last few moves.
struct FingerSpeed: Hashable, Sendable {
    private(set) var lastMove: MonotonicTime?
    private var lastTarget: MediaTime?
    private(set) var isBackward = false
    /// Film seconds per second, smoothed. A finger that has only just touched may be about to run: the first frame is a
    /// quick one, and the exact one follows if the finger rests.
    private(set) var filmTimePerSecond = Double.infinity

    mutating func moved(to target: MediaTime, at now: MonotonicTime) {
        defer {
            lastMove = now
            lastTarget = target
        }
        guard let lastMove, let lastTarget else { return }
        let passed = Double((now - lastMove).inNanoseconds)
        guard passed > 0 else { return }
        if target != lastTarget { isBackward = target < lastTarget }
        let current = Double(lastTarget.distance(to: target).nanoseconds) / passed
        // Half a dozen moves of a 60 Hz panel: long enough for jitter, short enough for a stop.
        filmTimePerSecond =
            filmTimePerSecond.isFinite ? filmTimePerSecond + (current - filmTimePerSecond) * 0.3 : current
    }
}
