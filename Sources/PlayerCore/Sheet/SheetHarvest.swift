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
    private var segmentStart = MediaTime.zero
    /// Whether the film has played from near its start, and no wanted frame was dropped.
    private var isCleanSegment = false
    /// Whether such a clean segment has reached the film's end, from its first frame.
    private var isPlayedThrough = false
    /// The segment before, until the next one shows whether that was the film's end, and what the first frame is:
    /// frames that passed before the sheet was open were not offered, and a visitor jumps away from the end, too.
    private var ended: EndedSegment?

    private struct EndedSegment: Hashable, Sendable {
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
            if let before { endSegment(at: before) }
            beginSegment(at: time)
        }
        earliest = min(earliest ?? time, time)
        coverage.extend(to: time)
        if coverage.isComplete && hasEnded || isPlayedThrough, !isBusy {
            isDone = true
            return .complete
        }
        guard coverage.wants(time) else { return .pass }
        // A taken frame, too: the segment that completes the sheet finds none to take.
        isCleanSegment = false
        guard !isBusy, now >= due else { return .pass }
        isBusy = true
        return .take
    }

    private mutating func beginSegment(at time: MediaTime) {
        isCleanSegment = isNearStart(time)
        if isCleanSegment, let ended {
            if ended.isAtLastPlace { hasEnded = true }
            if ended.isClean, time >= ended.start { isPlayedThrough = true }
        }
        (segmentStart, ended) = (time, nil)
    }

    private mutating func endSegment(at time: MediaTime) {
        ended = EndedSegment(
            start: segmentStart, isClean: isCleanSegment && isNearEnd(time),
            isAtLastPlace: coverage.plan.place(of: time) == coverage.plan.count - 1)
        isCleanSegment = false
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
        if let previous { endSegment(at: previous) }
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
