extension Scrubber {
    /// The seek that was sent to the pipeline and has no answer yet.
    struct InFlightSeek: Hashable, Sendable {
        var request: SeekRequest
        var plan: SeekPlanner.Plan
        /// The target that the seek is for.
        var asked: MediaTime
        /// Whether it leads to where the finger will be, and not to the target.
        var isAhead = false
        var sentAt: MonotonicTime
        /// When the seek was sent, or last made progress.
        var aliveAt: MonotonicTime
        /// Whether a whole group is being decoded, so that no progress is visible until its frame.
        var isDecodingGroup = false
        /// When the first seek was sent of those that were made void one by another, unanswered and without progress,
        /// up to this one.
        var silentSince: MonotonicTime
        /// Whether the film played when the seek was sent: other frames may follow the one that answers it.
        var wasPlaying: Bool
        /// Whether the target is behind the last frame, which is on the screen: no frame is to answer.
        var isBehind: Bool

        var isStep: Bool { plan.method == .next || plan.method == .previous }

        /// Whether this is another frame than the one that a step started from. Behind the last frame, that one is
        /// shown again.
        func reaches(_ start: MediaTime) -> Bool {
            switch plan.method {
            case .next: start > plan.target
            case .previous: start < plan.target
            default: true
            }
        }

        /// Whether the seek decodes its way to a frame at the target or before it, so that the decoder can go on to
        /// that.
        func reaches(_ target: MediaTime, in keyframes: KeyframeMap) -> Bool {
            switch plan.method {
            case .advance, .keyframe(showing: .some): break
            default: return false
            }
            guard plannedTarget <= target, let group = keyframes.group(at: plannedTarget) else {
                return plannedTarget == target
            }
            return target < group.end ?? .unlimited
        }

        /// A frame that ends before this time does not answer the seek.
        var plannedTarget: MediaTime {
            if case .keyframe(let showing?) = plan.method { return showing }
            return plan.target
        }
    }
}
