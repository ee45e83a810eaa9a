/// Which frames of a film that plays are kept for its scrub sheet, and when: no faster than a part of one processor allows.
public struct SheetHarvest: Hashable, Sendable {
    /// What happens to a frame.
    public enum Decision: Hashable, Sendable {
        case pass
        /// It becomes a picture; `finish` follows.
        case take
        /// Nothing is missing any more: the film has been played through, and had no frame for what is left.
        case complete
    }

    public private(set) var coverage: SheetCoverage
    /// How much of a processor the harvest may take, in thousandths.
    public static let share: Int64 = 60
    private var isBusy = false
    private var isDone = false
    /// When the next frame may be taken.
    private var due = MonotonicTime(nanoseconds: .min)
    /// The frame before, while the film plays on without a seek.
    private var previous: MediaTime?
    /// Whether the film has been played from its start, and no frame was left out that was wanted.
    private var isCleanPass = false
    /// Such a pass has reached the film's end.
    private var isPassedThrough = false

    public init(_ coverage: SheetCoverage) {
        self.coverage = coverage
    }

    /// A frame comes out of the decoder.
    public mutating func offer(_ time: MediaTime, at now: MonotonicTime) -> Decision {
        guard !isDone else { return .pass }
        let before = previous
        previous = time
        if before.map({ time < $0 }) ?? true {
            if let before { endPass(at: before) }
            isCleanPass = isNearStart(time)
        }
        if coverage.isComplete || isPassedThrough, !isBusy {
            isDone = true
            return .complete
        }
        guard coverage.wants(time) else { return .pass }
        // Also one that is taken: the pass that completes the sheet finds nothing.
        isCleanPass = false
        guard !isBusy, now >= due else { return .pass }
        isBusy = true
        return .take
    }

    private mutating func endPass(at time: MediaTime) {
        if isCleanPass, isNearEnd(time) { isPassedThrough = true }
        isCleanPass = false
    }

    /// The frame that was taken is a picture, or none.
    /// - Parameter cost: what it took of a processor.
    public mutating func finish(_ time: MediaTime, cost: Duration, isFilled: Bool, at now: MonotonicTime) {
        isBusy = false
        if isFilled { coverage.fill(time) }
        due = now + .nanoseconds(cost.inNanoseconds * (1000 - Self.share) / Self.share)
    }

    /// After a seek the next frame does not follow the one before. Behind the film's last frames the seek is a loop's.
    public mutating func interrupt() {
        if let previous { endPass(at: previous) }
        previous = nil
    }

    private func isNearStart(_ time: MediaTime) -> Bool { coverage.plan.place(of: time) == 0 }

    /// A film's sound may go on for longer than its frames.
    private func isNearEnd(_ time: MediaTime) -> Bool {
        let duration = coverage.plan.duration
        return duration - time <= max(.seconds(2), MediaTime(nanoseconds: duration.nanoseconds / 50))
    }
}
