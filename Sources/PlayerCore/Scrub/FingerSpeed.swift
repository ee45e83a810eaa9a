/// The speed of the finger in film time, over its last few moves.
struct FingerSpeed: Hashable, Sendable {
    private struct Move: Hashable, Sendable {
        var target: MediaTime
        var time: MonotonicTime
    }

    /// A tenth of a second is as long as a tremble to and fro takes.
    private static let window: Duration = .milliseconds(100)
    /// Moves that a busy machine reads late have times that are too close together.
    private static let shortest: Duration = .milliseconds(30)

    /// The number of moves that are kept: a panel's thousand reports a second are as good as a hundred.
    private static let most = 64
    /// A finger that has not moved for so long rests.
    static let rest: Duration = .milliseconds(60)
    /// One that has not moved for so long may have stopped: a panel reports each 8 to 17 ms.
    private static let pause: Duration = .milliseconds(20)

    /// Those of the last `window`, and the one before them; none from before a rest.
    private var moves: [Move] = []
    var lastMove: MonotonicTime? { moves.last?.time }
    private(set) var isBackward = false
    /// Film seconds per second, smoothed. A finger that has only just touched may be about to run: the first frame is a
    /// quick one, and the exact one follows if the finger rests.
    private(set) var filmTimePerSecond = Double.infinity

    /// Film seconds per second over the last `window`, below 0 towards the film's start. It is 0 where it says little of
    /// what comes next: at the beginning, right after a turn, and, by and by, while the finger does not move. A finger
    /// that trembles has a speed, and hardly a velocity.
    func velocity(at now: MonotonicTime) -> Double {
        guard let first = moves.first, let last = moves.last else { return 0 }
        let passed = last.time - first.time
        guard passed >= Self.shortest else { return 0 }
        let mean = Double(last.target.nanoseconds - first.target.nanoseconds) / Double(passed.inNanoseconds)
        guard (mean < 0) == isBackward else { return 0 }
        let still = Double((now - last.time - Self.pause).inNanoseconds)
        return mean * min(max(1 - still / Double((Self.rest - Self.pause).inNanoseconds), 0), 1)
    }

    mutating func moved(to target: MediaTime, at now: MonotonicTime) {
        let before = moves.last
        if let before, now - before.time >= Self.rest { moves = [] }
        moves.append(Move(target: target, time: now))
        while moves.count > 2, moves.count > Self.most || now - moves[1].time >= Self.window { moves.removeFirst() }
        guard let before else { return }
        let passed = Double((now - before.time).inNanoseconds)
        guard passed > 0 else { return }
        if target != before.target { isBackward = target < before.target }
        let current = Double(before.target.distance(to: target).nanoseconds) / passed
        // Half a dozen moves of a 60 Hz panel: long enough for jitter, short enough for a stop.
        filmTimePerSecond =
            filmTimePerSecond.isFinite ? filmTimePerSecond + (current - filmTimePerSecond) * 0.3 : current
    }
}
