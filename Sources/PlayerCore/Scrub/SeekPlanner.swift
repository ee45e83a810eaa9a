/// Chooses how to get from the frame on the screen to the one under the finger.
///
/// Key-frame seeks alone show no more frames than there are key frames under the finger, and most of them lead to the
/// group already shown. So: inside a group the decoder goes on from where it is; a key-frame seek is for another group;
/// a seek to the very frame is for a finger slow enough to see it.
public struct SeekPlanner: Hashable, Sendable {
    public var keyframes = KeyframeMap()
    /// Above 0; 40 ms, 25 frames a second, where the film does not say.
    public var frameDuration = MediaTime.milliseconds(40)
    public var duration: MediaTime?
    public private(set) var cost = SeekCost()
    /// The frame on the screen, while the decoder stands right behind it.
    public private(set) var head: MediaTime?
    /// How many more frames the decoder has from there; `nil`: all that follow. A preview seek leaves it few.
    private var ahead: Int?
    private var isContinuous: Bool { ahead == nil }
    /// The target that the frame on the screen was asked for: shown, even where the film's frames stand longer or
    /// shorter than `frameDuration` says.
    private var answered: MediaTime?
    /// Until when the frame on the screen stands, where it is known to stand longer than frames do.
    private var stands: MediaTime?
    /// The same, whatever it is.
    private var end: MediaTime?

    /// What the decoder may spend on one frame of a moving finger: more than one flip of a 60 Hz display, and with the way
    /// to the screen some twenty frames a second remain.
    static let decodingBudget: Duration = .milliseconds(20)
    /// What a key-frame seek may decode on before its first frame.
    static let keyframeBudget: Duration = .milliseconds(8)
    /// How far, as a part of the film, a frame may lie behind a moving finger and still be "under" it.
    public static let tolerance = 0.01
    /// The same where a sheet's pictures follow the finger, about two pixels of a bar: what comes later costs the processor and is never
    /// seen.
    static let sheetTolerance = 0.002
    /// A key-frame seek is aimed this far behind its key frame: demuxers that seek all streams to the earliest one's
    /// sync point (qtdemux) would else land in the group before, by the length of an audio frame (at most 93 ms,
    /// AAC at 11025 Hz).
    static let aim = MediaTime.milliseconds(100)

    public init() {}

    public struct Plan: Hashable, Sendable {
        public var target: MediaTime
        public var method: SeekRequest.Method
        /// Frames to decode; what it should cost.
        public var frames: Int
    }

    // MARK: What is known

    /// A frame answered a seek.
    /// - Parameter end: until when it stands, if that is known.
    public mutating func shown(
        _ time: MediaTime, until end: MediaTime? = nil, plan: Plan, took: Duration, decodingTime: Duration? = nil
    ) {
        head = time
        self.end = end
        stands = end.flatMap { $0 >= time + frameDuration + frameDuration ? $0 : nil }
        let wasContinuous = isContinuous
        switch plan.method {
        case .preview(let frames): ahead = frames - 1
        case .last: ahead = 0
        case .advance: ahead = ahead.map { max($0 - 1, 0) }
        case .keyframe, .exact, .next, .previous: ahead = nil
        }
        switch plan.method {
        case .keyframe(let showing): answered = showing
        case .preview, .last, .next, .previous: answered = nil
        // Going on may lead behind the target, which the frame before stands at.
        case .advance: answered = time > plan.target ? nil : plan.target
        case .exact: answered = plan.target
        }
        if wasContinuous || plan.method != .advance {
            cost.learn(plan.method, frames: plan.frames, took: took, decodingTime: decodingTime)
        }
    }

    /// The decoder is elsewhere: a flush is on its way, or the film plays.
    public mutating func loseHead() {
        head = nil
        answered = nil
    }

    /// Whether the frame on the screen answers a target, so that no seek is needed.
    public func isShown(_ target: MediaTime) -> Bool {
        guard let head else { return false }
        return target == answered || head <= target && target < (stands ?? head + frameDuration)
    }

    /// Whether it is that one beyond doubt, whatever the film says of its frames' usual length. Of a frame that stands for long,
    /// the film is to play on from the target, and not from where the frame begins.
    private func isExactlyShown(_ target: MediaTime) -> Bool {
        guard isShown(target), let head else { return false }
        return target == answered || end.map { target < min($0, head + frameDuration) } ?? false
    }

    // MARK: Plans

    /// The next frame while the finger is down; `nil` when it is on the screen already.
    /// - Parameters:
    ///   - speed: the finger's, in film time for each second; 0 when it rests.
    ///   - isBackward: it moves towards the film's start.
    public func drag(to target: MediaTime, speed: Double, isBackward: Bool = false) -> Plan? {
        if isShown(target) { return nil }
        if let head, isContinuous, target > head, canGoOn(from: head, to: target) {
            let whole = frames(from: head, to: target)
            let affordable =
                isWorthwhile(.advance, whole, speed) ? whole : min(whole, cost.frames(in: Self.decodingBudget))
            let affordableTarget = affordable == whole ? target : head + times(frameDuration, affordable)
            return Plan(target: affordableTarget, method: .advance, frames: affordable)
        }
        guard let group = keyframes.group(at: target) else {
            return Plan(target: target, method: .keyframe(showing: speed == 0 ? target : nil), frames: 1)
        }
        let whole = frames(from: group.start, to: target) + 1
        let isSameGroup = head.map { $0 >= group.start && $0 < (group.end ?? .init(nanoseconds: .max)) } ?? false
        let end = (group.end ?? duration).map { $0 - frameDuration } ?? target
        let aimed = max(target, min(group.start + Self.aim, max(end, target)))
        if isGone(group, before: whole, speed), !isSameGroup || !isContinuous {
            // Decoded already and one flip away: shown even where the finger has just reached the next group.
            if let head, let ahead, ahead > 0, !isBackward, target >= head + frameDuration,
                isSameGroup || keyframes.group(at: head)?.end == group.start
            {
                return Plan(target: head + frameDuration, method: .advance, frames: 1)
            }
            // Another seek into a group that had a preview seek would come too late; the next group's is the better one.
            if isSameGroup { return nil }
            let frames =
                isBackward || isGone(group, speed, in: cost.expected(.preview(frames: 1), frames: 1)) ? 1 : 2
            return Plan(target: aimed, method: .preview(frames: frames), frames: frames)
        }
        // Back inside the group shown: its key frame would be a step too far, and the wrong way next time.
        let isBack = isSameGroup && isContinuous || isSameGroup && target < (head ?? .zero)
        // Onwards from a preview seek, whose second frame is the second in the stream's order: past its B-frames.
        let shown = head.map { isSameGroup ? self.frames(from: group.start, to: $0 + frameDuration) : 0 } ?? 0
        let frames =
            isBack || isWorthwhile(.exact, whole, speed)
            ? whole : min(whole, max(shown + 1, cost.frames(in: Self.keyframeBudget)))
        let showing = frames == whole ? target : group.start + times(frameDuration, frames - 1)
        return Plan(target: aimed, method: .keyframe(showing: showing), frames: frames)
    }

    /// Whether the very frame of a place would still be under the finger when it comes, where a sheet's pictures are seen meanwhile.
    public func isWorthwhileBesidesSheet(_ target: MediaTime, speed: Double) -> Bool {
        let frames = keyframes.group(at: target).map { self.frames(from: $0.start, to: target) + 1 } ?? 25
        return isWorthwhile(.exact, frames, speed, within: Self.sheetTolerance)
    }

    /// The frame that the finger asked for when it lifted; `nil` when the film can play on from the one on the screen.
    /// - Parameter playsOn: whether it can play on from where a drag has led. Else only an exact seek brings the sound there:
    ///   any other way to the frame would be followed by that seek, which decodes everything once more.
    public func release(at target: MediaTime, playsOn: Bool) -> Plan? {
        if playsOn, isContinuous, isExactlyShown(target) { return nil }
        let exact = keyframes.group(at: target).map { frames(from: $0.start, to: target) + 1 } ?? 25
        if playsOn, let head, isContinuous, target > head, !isShown(target), canGoOn(from: head, to: target) {
            let ahead = frames(from: head, to: target)
            if cost.expected(.advance, frames: ahead) <= cost.expected(.exact, frames: exact) {
                return Plan(target: target, method: .advance, frames: ahead)
            }
        }
        return Plan(target: target, method: .exact, frames: exact)
    }

    /// The key frame that answers a jump; `nil` where none is known that may.
    public func jump(to target: MediaTime, within tolerance: SeekTolerance) -> Plan? {
        guard tolerance != .exact else { return nil }
        var aimed = target
        if tolerance.before < .unlimited {
            guard let group = keyframes.nearest(to: target, within: tolerance) else { return nil }
            let end = (group.end ?? duration).map { $0 - frameDuration } ?? group.start
            aimed = max(group.start, min(group.start + Self.aim, end))
        }
        return Plan(target: aimed, method: .keyframe(showing: nil), frames: 1)
    }

    /// Whether the decoder is to go on from where it is: always inside a group, and into the next where a seek is dearer.
    private func canGoOn(from head: MediaTime, to target: MediaTime) -> Bool {
        let ahead = cost.expected(.advance, frames: frames(from: head, to: target))
        guard let group = keyframes.group(at: target) else {
            return ahead <= cost.expected(.advance, frames: cost.frames(in: Self.decodingBudget))
        }
        return group.start <= head || ahead <= cost.expected(.exact, frames: 1)
    }

    /// Whether the finger will have crossed the whole group before a second frame of it could be shown.
    private func isGone(_ group: (start: MediaTime, end: MediaTime?), before frames: Int, _ speed: Double) -> Bool {
        guard !isWorthwhile(.exact, frames, speed) else { return false }
        return isGone(group, speed, in: cost.expected(.exact, frames: 1) + cost.expected(.advance, frames: 3))
    }

    /// Whether the finger crosses the whole group within this time.
    private func isGone(_ group: (start: MediaTime, end: MediaTime?), _ speed: Double, in time: Duration) -> Bool {
        guard speed > 0, speed.isFinite, let end = group.end ?? duration else { return false }
        return Double((end - group.start).nanoseconds) < speed * Double(time.inNanoseconds)
    }

    /// Whether a frame that takes this long is still under the finger when it comes.
    private func isWorthwhile(
        _ method: SeekRequest.Method, _ frames: Int, _ speed: Double, within tolerance: Double = Self.tolerance
    ) -> Bool {
        let length = duration.map { Double($0.nanoseconds) } ?? 60e9
        let moved = speed * Double(cost.expected(method, frames: frames).inNanoseconds)
        return moved <= length * tolerance
    }

    private func frames(from: MediaTime, to: MediaTime) -> Int {
        max(1, Int((to.nanoseconds - from.nanoseconds) / max(frameDuration.nanoseconds, 1)))
    }

    private func times(_ duration: MediaTime, _ count: Int) -> MediaTime {
        MediaTime(nanoseconds: duration.nanoseconds * Int64(count))
    }
}
