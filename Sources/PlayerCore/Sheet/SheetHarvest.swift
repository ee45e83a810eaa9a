/// Chooses the frames of a playing film that become pictures of its scrub sheet, within a share of one processor.
public struct SheetHarvest: Hashable, Sendable {
    /// The use of a frame.
    public enum Decision: Hashable, Sendable {
        case pass
        /// Make a picture of it, then call `finish`.
        case take
        /// The sheet is complete: the film has been played through, and has no frame for the remaining places.
        case complete
    }

    public private(set) var coverage: SheetCoverage
    /// The share of a processor that the harvest may use, in thousandths.
    public static let share: Int64 = 60
    private var isBusy = false
    private var isDone = false
    /// Whether the film has played to the last place, behind which it may go on.
    private var hasEnded: Bool
    /// When the next frame may be taken.
    private var due = MonotonicTime(nanoseconds: .min)
    /// The frame before, while the film plays on without a seek.
    private var previous: MediaTime?
    /// The earliest frame: a film's first one may be shown some time after the film's start.
    private var earliest: MediaTime?
    /// The first frame since the last jump or loop.
    private var passStart = MediaTime.zero
    /// Whether the film has played from near its start, and no wanted frame was dropped.
    private var isCleanPass = false
    /// Whether such a clean pass has reached the film's end, from its first frame.
    private var isPassedThrough = false
    /// The pass before, until the next one shows whether that was the film's end, and what the first frame is: frames
    /// that passed before the sheet was open were not offered, and a visitor jumps away from the end, too.
    private var ended: EndedPass?

    private struct EndedPass: Hashable, Sendable {
        var start: MediaTime
        var isClean: Bool
        var isAtLastPlace: Bool
    }

    public init(_ coverage: SheetCoverage) {
        self.coverage = coverage
        hasEnded = coverage.isComplete
    }

    /// Decides about a decoded frame.
    public mutating func offer(_ time: MediaTime, at now: MonotonicTime) -> Decision {
        guard !isDone else { return .pass }
        let before = previous
        previous = time
        if before.map({ time < $0 }) ?? true {
            if let before { endPass(at: before) }
            beginPass(at: time)
        }
        earliest = min(earliest ?? time, time)
        coverage.extend(to: time)
        if coverage.isComplete && hasEnded || isPassedThrough, !isBusy {
            isDone = true
            return .complete
        }
        guard coverage.wants(time) else { return .pass }
        // A taken frame, too: the pass that completes the sheet finds none to take.
        isCleanPass = false
        guard !isBusy, now >= due else { return .pass }
        isBusy = true
        return .take
    }

    private mutating func beginPass(at time: MediaTime) {
        isCleanPass = isNearStart(time)
        if isCleanPass, let ended {
            if ended.isAtLastPlace { hasEnded = true }
            if ended.isClean, time >= ended.start { isPassedThrough = true }
        }
        (passStart, ended) = (time, nil)
    }

    private mutating func endPass(at time: MediaTime) {
        ended = EndedPass(
            start: passStart, isClean: isCleanPass && isNearEnd(time),
            isAtLastPlace: coverage.plan.place(of: time) == coverage.plan.count - 1)
        isCleanPass = false
    }

    /// Notes the result for a taken frame.
    /// - Parameter cost: the processor time that it took.
    public mutating func finish(_ time: MediaTime, cost: Duration, isFilled: Bool, at now: MonotonicTime) {
        isBusy = false
        if isFilled { coverage.fill(time) }
        due = now + .nanoseconds(cost.inNanoseconds * (1000 - Self.share) / Self.share)
    }

    /// Notes that the next frame does not follow the one before, after a seek. Behind the film's last frames the seek
    /// is a loop's.
    public mutating func interrupt() {
        if let previous { endPass(at: previous) }
        previous = nil
    }

    private func isNearStart(_ time: MediaTime) -> Bool {
        coverage.plan.place(of: time) == 0
            || time <= min(earliest ?? time, margin, MediaTime(nanoseconds: coverage.plan.duration.nanoseconds / 2))
    }

    private func isNearEnd(_ time: MediaTime) -> Bool { coverage.plan.duration - time <= margin }

    /// The longest time for which a film's sound may begin before its frames, or outlast them.
    private var margin: MediaTime {
        max(.seconds(2), MediaTime(nanoseconds: coverage.plan.duration.nanoseconds / 50))
    }
}
