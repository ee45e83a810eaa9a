/// Chooses the way from the frame on the screen to the one under the finger.
///
/// Key-frame seeks alone show at most one frame for each group under the finger, and most of them lead to the group
/// already shown. Therefore the decoder goes on from where it is inside a group, a key-frame seek leads to another
/// group, and an exact seek is for a finger slow enough to see its frame.
public struct SeekPlanner: Hashable, Sendable {
    public var keyframes = KeyframeMap()
    /// Above 0; 40 ms, 25 frames a second, if the film does not say.
    public var frameDuration = MediaTime.milliseconds(40)
    public var duration: MediaTime?
    public private(set) var cost = SeekCost()
    /// The frame on the screen, while the decoder is right behind it.
    public private(set) var head: MediaTime?
    /// The number of frames that the decoder can still produce from there; `nil` for all that follow. A preview seek
    /// leaves it few.
    private var ahead: Int?
    private var isContinuous: Bool { ahead == nil }
    /// The target that the frame on the screen answers, even if the film's frames are longer or shorter than
    /// `frameDuration` says.
    private var answered: MediaTime?
    /// The end of the frame on the screen, if it is known to be longer than usual.
    private var stands: MediaTime?
    /// The end of the frame on the screen, if known.
    private var end: MediaTime?

    /// The decoding time for one frame of a moving finger: more than one flip of a 60 Hz display, so that with the way
    /// to the screen some twenty frames a second remain.
    static let decodingBudget: Duration = .milliseconds(20)
    /// The decoding time that a key-frame seek may use before its first frame.
    static let keyframeBudget: Duration = .milliseconds(8)
    /// The greatest distance, as a fraction of the film, of a frame that is still "under" a moving finger.
    public static let tolerance = 0.01
    /// The same when a sheet's pictures follow the finger, about two pixels of a bar: a later frame costs processor
    /// time and is never seen.
    static let sheetTolerance = 0.002
    /// A key-frame seek is aimed this far behind its key frame. Demuxers that seek all streams to the earliest one's
    /// sync point (qtdemux) would otherwise land in the group before, by the length of an audio frame (at most 93 ms,
    /// AAC at 11025 Hz).
    static let aim = MediaTime.milliseconds(100)

    public init() {}

    public struct Plan: Hashable, Sendable {
        public var target: MediaTime
        public var method: SeekRequest.Method
        /// The number of frames to decode, and the expected cost.
        public var frames: Int
    }

    // MARK: Learning

    /// A frame answered a seek.
    /// - Parameter end: the frame's end, if known.
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
        // An advance may lead behind the target, which is in the frame before.
        case .advance: answered = time > plan.target ? nil : plan.target
        case .exact: answered = plan.target
        }
        if wasContinuous || plan.method != .advance {
            cost.learn(plan.method, frames: plan.frames, took: took, decodingTime: decodingTime)
        }
    }

    /// Forgets the head: a flush is on its way, or the film plays.
    public mutating func loseHead() {
        head = nil
        answered = nil
    }

    /// Whether the frame on the screen answers a target, so that no seek is needed.
    public func isShown(_ target: MediaTime) -> Bool {
        guard let head else { return false }
        return target == answered || head <= target && target < (stands ?? head + frameDuration)
    }

    /// Whether the frame on the screen certainly contains the target, whatever the usual frame duration is. If a frame
    /// is long, the film is to play on from the target, not from the frame's start.
    private func isExactlyShown(_ target: MediaTime) -> Bool {
        guard isShown(target), let head else { return false }
        return target == answered || end.map { target < min($0, head + frameDuration) } ?? false
    }

    // MARK: Plans

    /// The farthest that a finger is expected to go meanwhile, as a fraction of the film: a finger that flicks stops soon.
    static let farthestLead = 0.05

    /// The place of a fast finger in the middle of the time for which the next frame is on the screen: that frame takes
    /// as long as a seek, and stays until the next one, which takes as long. A slow finger's place is its own, because
    /// a frame of that still is near enough when it comes.
    /// - Parameter velocity: film time per second, below 0 towards the film's start.
    public func expectedPlace(of finger: MediaTime, velocity: Double) -> MediaTime {
        guard let duration, velocity.isFinite else { return finger }
        let length = Double(duration.nanoseconds)
        let cost = Double(cost.expectedOfMoving.inNanoseconds)
        // The speed at which a frame is no longer under the finger when it comes. From there to twice that speed the
        // lead grows from none, so that the frames of a finger that slows down do not go back.
        let slow = length * Self.tolerance / cost
        let part = min(max(abs(velocity) / slow - 1, 0), 1)
        let farthest = length * Self.farthestLead
        let lead = velocity * part * cost * 1.5
        let place = finger + MediaTime(nanoseconds: Int64(min(max(lead, -farthest), farthest)))
        return place.clamped(to: .zero...max(duration - frameDuration, .zero))
    }

    /// The way to the next frame while the finger is down; `nil` if it is on the screen already.
    /// - Parameters:
    ///   - speed: the finger's speed, in film time per second; 0 when it rests.
    ///   - isBackward: whether the finger moves towards the film's start.
    public func drag(to target: MediaTime, speed: Double, isBackward: Bool = false) -> Plan? {
        if isShown(target) { return nil }
        if let next = nearerKeyframe(behind: target, speed) {
            // The key frame is on the screen, and stays until the finger has reached it.
            if let head, head >= next.start, head < next.end ?? .init(nanoseconds: .max) { return nil }
            let isBrief = isGone(next, before: 1, speed)
            return Plan(
                target: aim(at: next), method: isBrief ? .preview(frames: 1) : .keyframe(showing: next.start),
                frames: 1)
        }
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
            // Decoded already and one flip away: shown even if the finger has just reached the next group.
            if let head, let ahead, ahead > 0, !isBackward, target >= head + frameDuration,
                isSameGroup || keyframes.group(at: head)?.end == group.start
            {
                return Plan(target: head + frameDuration, method: .advance, frames: 1)
            }
            // Another seek into a group that had a preview seek would be too late; the next group's seek is better.
            if isSameGroup { return nil }
            let frames =
                isBackward || isGone(group, speed, in: cost.expected(.preview(frames: 1), frames: 1)) ? 1 : 2
            return Plan(target: aimed, method: .preview(frames: frames), frames: frames)
        }
        // Back inside the group shown: its key frame would be too far back, and in the wrong direction next time.
        let isBack = isSameGroup && isContinuous || isSameGroup && target < (head ?? .zero)
        // Onwards from a preview seek, whose second frame is the second in decoding order: past its B-frames.
        let shown = head.map { isSameGroup ? self.frames(from: group.start, to: $0 + frameDuration) : 0 } ?? 0
        let frames =
            isBack || isWorthwhile(.exact, whole, speed)
            ? whole : min(whole, max(shown + 1, cost.frames(in: Self.keyframeBudget)))
        let showing = frames == whole ? target : group.start + times(frameDuration, frames - 1)
        return Plan(target: aimed, method: .keyframe(showing: showing), frames: frames)
    }

    /// Whether the exact frame would still be under the finger when it arrives, while a sheet's pictures are shown.
    public func isWorthwhileBesidesSheet(_ target: MediaTime, speed: Double) -> Bool {
        let frames = keyframes.group(at: target).map { self.frames(from: $0.start, to: target) + 1 } ?? 25
        return isWorthwhile(.exact, frames, speed, within: Self.sheetTolerance)
    }

    /// The way to the frame at which the finger lifted; `nil` if the film can play on from the one on the screen.
    /// - Parameter playsOn: whether the film can play on from the drag's frame. If not, only an exact seek brings the
    ///   sound there: any other way would be followed by that seek, which decodes everything once more.
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

    /// The key-frame seek that answers a jump; `nil` if no suitable key frame is known.
    public func jump(to target: MediaTime, within tolerance: SeekTolerance) -> Plan? {
        guard tolerance != .exact else { return nil }
        var aimed = target
        if tolerance.before < .unlimited {
            guard let group = keyframes.nearest(to: target, within: tolerance) else { return nil }
            aimed = aim(at: group)
        }
        return Plan(target: aimed, method: .keyframe(showing: nil), frames: 1)
    }

    /// The target of a seek to a group's key frame, which never lies in the next group.
    private func aim(at group: (start: MediaTime, end: MediaTime?)) -> MediaTime {
        let end = (group.end ?? duration).map { $0 - frameDuration } ?? group.start
        return max(group.start, min(group.start + Self.aim, end))
    }

    /// The group after the target's, if a moving finger leaves the target before its own frame can come, and the group's key
    /// frame is nearer to the target than the frames that can come in time.
    private func nearerKeyframe(behind target: MediaTime, _ speed: Double) -> (start: MediaTime, end: MediaTime?)? {
        guard speed > 0, let group = keyframes.group(at: target), let end = group.end else { return nil }
        let head = head.flatMap { isContinuous && target > $0 && $0 >= group.start ? $0 : nil }
        let from = head ?? group.start
        let frames = self.frames(from: from, to: target) + 1
        guard !isWorthwhile(head == nil ? .exact : .advance, frames, speed) else { return nil }
        let reached = from + times(frameDuration, cost.frames(in: Self.decodingBudget))
        return end - target < target - reached ? keyframes.group(at: end) : nil
    }

    /// Whether the decoder goes on from where it is: always inside a group, and into the next one if a seek is dearer.
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

    /// Whether a frame with this cost is still under the finger when it arrives.
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
