/// The scrub state machine: the requested state, the drag, and the seek queue with one seek in flight and the newest
/// waiting.
///
/// A value without a clock: `handle` takes an input and its time, and returns actions. It never waits; `deadline` says
/// when to wake it.
public struct Scrubber: Sendable {
    enum Phase: Hashable, Sendable {
        case idle
        /// A finger holds the thumb. `before` is the position before the drag.
        case dragging(before: MediaTime)
        /// The finger was lifted; the frame that it asked for is on its way, or the sound after it.
        case settling
    }

    private var phase = Phase.idle
    /// The position before the drag that a lift ended, until another request: the panel may take the lift back.
    private var beforeRelease: MediaTime?
    private var inFlight: InFlightSeek?
    /// Whether the viewer wants the film to play. The pipeline follows, except during a drag.
    public private(set) var wantsPlaying: Bool
    /// Whether pictures of the film's scrub sheet are shown under a running finger. Seeks are then sent only when the
    /// finger is slow enough for the exact frame to arrive in time.
    public var hasSheet = false
    private var mediaInfo: MediaInfo?
    /// Whether the pipeline accepts commands. While it is being built, seeks are remembered.
    private var isOpen = false
    private var planner = SeekPlanner()
    /// The decoding time per frame on the way to the last one shown.
    private var decodingTime: Duration?
    /// As the last frame reports.
    private var canPlayOn = false
    private var ticket = SeekRequest.Ticket(number: 0)
    /// The newest requested time that is not yet shown.
    private var target: MediaTime?
    /// The tolerance for the frame at `target`.
    private var tolerance = SeekTolerance.exact
    /// Frames to step on, or back if below 0, once the seek in flight has shown its frame.
    private var steps = 0
    /// Whether one of the steps that were last requested has reached its frame.
    public private(set) var hasStepped = false
    /// Whether the seek in flight is followed by another, wherever it leads.
    private var isAgain = false
    /// The same for a drag: its last seek differs from those that kept the sound out.
    private var owesSeek = false
    private var position: MediaTime = .zero
    private var speed = FingerSpeed()
    private var didSeek = false
    /// The state that the pipeline was last sent, and that a new one starts with.
    public private(set) var isPlaying: Bool
    private var isScrubMuted = false
    private var gesture = Gesture()
    /// Whether the exact frame under the finger is shown, and the finger has not left it.
    public private(set) var isThere = false

    /// What a drag, a jump or a step has found out. The next gesture starts without it.
    private struct Gesture {
        var end = FilmEnd()
        /// A drag's target that cannot be reached; the finger must request another one.
        var abandoned: MediaTime?
        /// The seek that led to the frame on the screen: another one with the same plan would lead to the same frame.
        var shown: InFlightSeek?
    }

    public init(wantsPlaying: Bool) {
        self.wantsPlaying = wantsPlaying
        isPlaying = wantsPlaying
    }

    /// Whether a finger holds the thumb.
    public var isDragging: Bool {
        if case .dragging = phase { return true }
        return false
    }

    /// The first frame's start, once the key frames are known.
    public var firstKeyframe: MediaTime? { planner.keyframes.first }

    /// Whether a seek is under way or waiting.
    public var isSeeking: Bool { phase != .idle || inFlight != nil || target != nil }

    /// The time for thumb and text: the finger's while it holds the thumb, the target until the last seek is done, then
    /// the film's position.
    public var displayedTime: MediaTime { target ?? position }

    /// Whether this is the seek whose frame is awaited: others were made void, or nobody requested them.
    public func awaits(_ ticket: SeekRequest.Ticket) -> Bool { inFlight?.request.ticket == ticket }

    /// Whether this is the seek in flight, and an exact one.
    public func awaitsExactly(_ ticket: SeekRequest.Ticket) -> Bool {
        awaits(ticket) && inFlight?.request.method == .exact
    }

    /// Whether the frame answers the seek in flight, and, for a step, differs from the frame before.
    public func isReached(by frame: SeekFrame) -> Bool {
        guard let inFlight, awaits(frame.ticket), let start = frame.start ?? frame.time else { return false }
        return inFlight.reaches(start)
    }

    /// Whether this is the seek in flight, and nothing follows it if it fails.
    public func endsWith(_ ticket: SeekRequest.Ticket) -> Bool {
        guard let inFlight, awaits(ticket), inFlight.plan.method != .advance else { return false }
        return !isAnother(than: inFlight)
    }

    /// Whether the film can play on from the drag's frame without one more seek.
    private var playsOn: Bool { canPlayOn && !owesSeek }

    /// Whether the frame follows the finger: remote media are sought at touch-up, and sound alone shows nothing.
    private var isFollowing: Bool {
        guard let mediaInfo else { return false }
        return mediaInfo.isLocal && mediaInfo.hasVideo
    }

    /// The place to search for the film's last frame if the target is behind it; else `nil`.
    private var search: MediaTime? { gesture.end.search(for: target, in: planner.keyframes) }

    private func isShown(_ target: MediaTime) -> Bool {
        search == nil ? planner.isShown(target) : isLastShown
    }

    /// Whether the last frame is on the screen, and no other one is on its way.
    private var isLastShown: Bool { gesture.end.last != nil && planner.head == gesture.end.last }

    public mutating func handle(_ input: Input, at now: MonotonicTime) -> [Action] {
        switch input {
        case .slider(let event): return slide(event, now)
        case .ready(let mediaInfo): return becomeReady(mediaInfo, now)
        case .mediaInfo(let mediaInfo):
            learn(mediaInfo)
            return []
        case .keyframes(let map):
            planner.keyframes = map
            return []
        case .frame(let frame): return show(frame, now)
        case .settled:
            guard let mediaInfo, !mediaInfo.hasVideo, let inFlight else { return [] }
            return complete(inFlight, at: ShownFrame(start: inFlight.plannedTarget, place: inFlight.plannedTarget), now)
        case .seekFailed(let failed):
            guard let inFlight, inFlight.request.ticket == failed else { return [] }
            return fail(inFlight, now)
        case .progress(let isGroup):
            inFlight?.isDecodingGroup = isGroup && !isScrubMuted
            inFlight?.aliveAt = now
            inFlight?.silentSince = now
            return []
        case .setPlaying(let playing): return setPlaying(playing)
        case .jump(let time, let tolerance): return jump(to: time, tolerance, now)
        case .step(let count, let shown): return step(count, from: shown, now)
        case .again:
            if isDragging {
                // With the drag's last seek, which is sent also when the drag is cancelled.
                didSeek = true
                owesSeek = true
                return []
            }
            // The seek in flight was sent before the request.
            isAgain = inFlight != nil
            owesSeek = isAgain
            // Steps that are still pending start from there.
            let left = steps
            let actions = jump(to: displayedTime, .exact, now)
            steps = left
            return actions
        case .position(let time):
            position = time
            return []
        case .wake: return wake(now)
        case .lost: return rebuild()
        case .closed:
            close()
            return []
        }
    }

    // MARK: The film

    private mutating func becomeReady(_ mediaInfo: MediaInfo, _ now: MonotonicTime) -> [Action] {
        learn(mediaInfo)
        isOpen = true
        if isDragging {
            // A rebuild during a drag: the new pipeline has no seek of the finger yet.
            guard isFollowing else { return [] }
            isScrubMuted = true
            return [.setScrubMuted(true)] + chase(now)
        }
        // Requested before there was a film to seek in, or by a finger that was lifted meanwhile.
        guard let remembered = target else { return phase == .settling ? finish() : [] }
        target = clamp(remembered)
        phase = .settling
        return settle(now)
    }

    /// Resets the requests: those to this film do not apply to the next one.
    private mutating func close() {
        position = .zero
        mediaInfo = nil
        target = nil
        beforeRelease = nil
        phase = .idle
        losePipeline()
    }

    private mutating func losePipeline() {
        isOpen = false
        isAgain = false
        owesSeek = false
        steps = 0
        hasStepped = false
        inFlight = nil
        planner = SeekPlanner()
        hasSheet = false
        decodingTime = nil
        canPlayOn = false
        gesture = Gesture()
        isPlaying = wantsPlaying && !isDragging
        isScrubMuted = false
    }

    private mutating func learn(_ mediaInfo: MediaInfo) {
        self.mediaInfo = mediaInfo
        planner.duration = mediaInfo.duration
        if let length = mediaInfo.frameDuration, length > .zero { planner.frameDuration = length }
    }

    private mutating func setPlaying(_ playing: Bool) -> [Action] {
        wantsPlaying = playing
        // During a drag and until its last seek is done the pipeline stays paused; then the newest request applies. A
        // jump in a playing film leaves it playing: if it paused after the jump's frame, the film would lag, and again
        // after the next jump.
        guard phase == .idle || isPlaying && !playing else { return [] }
        isPlaying = playing
        if playing { planner.loseHead() }
        return [.setPlaying(playing)]
    }

    /// Clamps a time. The last frame starts one frame's duration before the end.
    private func clamp(_ time: MediaTime) -> MediaTime {
        guard let duration = mediaInfo?.duration else { return time.clamped(to: .zero ... .farthest) }
        return time.clamped(to: .zero...max(duration - planner.frameDuration, .zero))
    }
}

/// A finger on the bar, and the frame that follows it.
extension Scrubber {
    private mutating func slide(_ event: SliderEvent, _ now: MonotonicTime) -> [Action] {
        switch event {
        case .touchDown(let fraction, let time):
            beforeRelease = nil
            guard let mediaInfo, mediaInfo.isSeekable, let target = filmTime(at: fraction) else { return [] }
            return grab(target, time, now)
        case .valueChanged(let fraction, let time):
            guard isDragging, let target = filmTime(at: fraction) else { return [] }
            return move(to: target, time, now)
        // These end a drag in any state of the film.
        case .touchUp(let fraction, _):
            guard case .dragging(let before) = phase else { return [] }
            beforeRelease = before
            return release(at: filmTime(at: fraction) ?? target, now)
        case .cancel:
            if case .dragging(let before) = phase { return release(at: didSeek ? clamp(before) : nil, now) }
            guard let before = beforeRelease else { return [] }
            beforeRelease = nil
            return release(at: clamp(before), now)
        }
    }

    private func filmTime(at fraction: Double) -> MediaTime? {
        mediaInfo?.duration.map { clamp($0.scaled(by: fraction)) }
    }

    private mutating func grab(_ time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        phase = .dragging(before: displayedTime)
        steps = 0
        didSeek = inFlight != nil
        speed = FingerSpeed()
        isThere = true
        gesture = Gesture()
        var actions: [Action] = []
        if isPlaying {
            isPlaying = false
            planner.loseHead()
            actions.append(.setPlaying(false))
        }
        if isFollowing {
            isScrubMuted = true
            actions.append(.setScrubMuted(true))
        }
        return actions + move(to: time, moved, now)
    }

    private mutating func release(at time: MediaTime?, _ now: MonotonicTime) -> [Action] {
        target = time
        tolerance = .exact
        phase = .settling
        return settle(now)
    }

    private mutating func move(to time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        speed.moved(to: time, at: moved)
        target = time
        if !isShown(time) {
            isThere = false
        } else if !hasSheet {
            // No frame will follow at which a sheet's picture could go.
            isThere = true
        }
        return leave(now) ?? chase(now)
    }

    /// Handles a decoder that works inside a group that the finger has left: its frames are not to be shown any more.
    /// Only advances, which need no seek of their own, are made void, so that a finger that crosses group after group
    /// still gets a frame of each.
    private mutating func leave(_ now: MonotonicTime) -> [Action]? {
        guard let seek = inFlight, case .advance = seek.plan.method, let target,
            let group = planner.keyframes.group(at: seek.plan.target),
            let other = planner.keyframes.group(at: place(of: target, now)),
            group.start != other.start
        else { return nil }
        var left = self
        left.inFlight = nil
        left.planner.loseHead()
        let actions = left.chase(now)
        guard !actions.isEmpty else { return nil }
        self = left
        return actions
    }

    /// The place that a moving finger's next frame is for: without a sheet, the one where a fast finger will be.
    private func place(of target: MediaTime, _ now: MonotonicTime) -> MediaTime {
        guard !hasSheet else { return target }
        let place = planner.expectedPlace(of: target, velocity: speed.velocity(at: now))
        // Behind the last frame there is none to show.
        return gesture.end.search(for: place, in: planner.keyframes) == nil ? place : target
    }

    /// Whether the frame on the screen was shown for a place that the moving finger has not reached, and `place` is no
    /// farther. It stays: the film never goes back under a finger that goes on.
    private func isAhead(of target: MediaTime, beyond place: MediaTime) -> Bool {
        guard gesture.shown?.isAhead == true else { return false }
        return speed.isBackward ? place >= position && position < target : place <= position && position > target
    }

    /// Sends the next seek of a drag, if none is in flight; with `exactly` to the exact frame, however fast the finger
    /// is.
    private mutating func chase(_ now: MonotonicTime, exactly: Bool = false, isWake: Bool = false) -> [Action] {
        guard isOpen, isDragging, isFollowing, inFlight == nil, let target, target != gesture.abandoned else {
            return []
        }
        let rests = exactly || speed.lastMove.map { now - $0 >= FingerSpeed.rest } ?? true
        // Only the wake, which is due now, can distinguish a resting finger from one whose moves have not been read
        // yet.
        if rests, !exactly, !isWake, deadline != nil { return [] }
        if let search {
            if isLastShown, rests { isThere = true }
            return isLastShown ? [] : [send(lastPlan(from: search), now)]
        }
        let isFast = hasSheet && !planner.isWorthwhileBesidesSheet(target, speed: speed.filmTimePerSecond)
        if isFast, !rests { return [] }
        let place = rests ? target : place(of: target, now)
        if !rests, isAhead(of: target, beyond: place) { return [] }
        let plan = planner.drag(
            to: place, speed: rests || hasSheet ? 0 : speed.filmTimePerSecond, isBackward: speed.isBackward)
        if plan == nil, rests { isThere = true }
        guard let plan, rests || plan != gesture.shown?.plan else { return [] }
        didSeek = true
        let seek = send(plan, now)
        inFlight?.isAhead = place != target
        return [seek]
    }
}

/// The final seeks: after a lift, a jump, or a step.
extension Scrubber {
    /// Sends the last seek after a lift or a jump. It does not wait for a seek in flight, which it flushes, unless that
    /// one leads to the same frame.
    private mutating func settle(_ now: MonotonicTime) -> [Action] {
        guard isOpen else { return [] }
        guard let mediaInfo, mediaInfo.isSeekable, let target else {
            target = nil
            return finish()
        }
        if search == nil, let plan = planner.jump(to: target, within: tolerance) {
            let loud: [Action] = isScrubMuted ? [.setScrubMuted(false)] : []
            isScrubMuted = false
            return loud + [send(plan, now)]
        }
        if let seek = inFlight {
            if playsOn, isScrubMuted, seek.reaches(target, in: planner.keyframes) {
                // If the target is further ahead, the decoder only has to go on: at once, or once its frame is there.
                guard case .advance = seek.plan.method, seek.plannedTarget + planner.frameDuration <= target,
                    let plan = planner.release(at: target, playsOn: true), case .advance = plan.method
                else { return [] }
                return [send(plan, now)]
            }
            planner.loseHead()
        }
        // If there is sound to wait for, the decoder cannot go on.
        if !isScrubMuted { planner.loseHead() }
        if let search {
            if isLastShown { return align(now) }
            isScrubMuted = true
            return [.setScrubMuted(true), send(lastPlan(from: search), now)]
        }
        guard let plan = planner.release(at: target, playsOn: playsOn) else { return finish() }
        if case .advance = plan.method { return [send(plan, now)] }
        isScrubMuted = false
        return [.setScrubMuted(false), send(plan, now)]
    }

    private func lastPlan(from time: MediaTime) -> SeekPlanner.Plan {
        SeekPlanner.Plan(target: time, method: .last, frames: 25)
    }

    /// Aligns the streams with the frame on the screen: one more seek brings sound and clock to it, or, behind the last
    /// frame, to the requested time.
    private mutating func align(_ now: MonotonicTime) -> [Action] {
        guard let target else { return finish() }
        let plan = SeekPlanner.Plan(target: target, method: .exact, frames: 25)
        let isBehind = search != nil
        isScrubMuted = false
        let seek = send(plan, now)
        inFlight?.isBehind = isBehind
        return [.setScrubMuted(false), seek]
    }

    private mutating func jump(to time: MediaTime, _ tolerance: SeekTolerance, _ now: MonotonicTime) -> [Action] {
        guard !isDragging else { return [] }
        beforeRelease = nil
        guard isOpen, let mediaInfo else {
            target = time.clamped(to: .zero ... .farthest)
            self.tolerance = tolerance
            return []
        }
        guard mediaInfo.isSeekable else { return [] }
        target = clamp(time)
        self.tolerance = tolerance
        steps = 0
        gesture = Gesture()
        phase = .settling
        // With a seek in flight, this one is sent once that has put its frame on the screen.
        return inFlight == nil ? settle(now) : []
    }

    /// Nobody counts more than a second's worth of frames.
    public static let mostSteps = 25

    private mutating func step(_ count: Int, from shown: ShownFrame, _ now: MonotonicTime) -> [Action] {
        hasStepped = false
        guard isOpen, !isDragging, mediaInfo?.isSeekable == true else { return [] }
        beforeRelease = nil
        let count = min(max(count, -Self.mostSteps), Self.mostSteps)
        steps = min(max(steps + count, -Self.mostSteps), Self.mostSteps)
        return isSeeking || steps == 0 ? [] : takeStep(from: shown, now)
    }

    private mutating func takeStep(from shown: ShownFrame, _ now: MonotonicTime) -> [Action] {
        let isForward = steps > 0
        steps -= isForward ? 1 : -1
        guard isForward || shown.start > .zero else { return finish() }
        // An estimate, until the frame is there.
        target = max(isForward ? shown.place + planner.frameDuration : shown.start - planner.frameDuration, .zero)
        tolerance = .exact
        gesture = Gesture()
        phase = .settling
        planner.loseHead()
        isScrubMuted = false
        let plan = SeekPlanner.Plan(
            target: isForward ? shown.place : shown.start, method: isForward ? .next : .previous, frames: 25)
        return [.setScrubMuted(false), send(plan, now)]
    }
}

/// The seek in flight: sending, answer and follow-up.
extension Scrubber {
    private mutating func send(_ plan: SeekPlanner.Plan, _ now: MonotonicTime) -> Action {
        ticket = ticket.next
        isAgain = false
        if !isScrubMuted { owesSeek = false }
        let request = SeekRequest(ticket: ticket, target: plan.target, method: plan.method)
        inFlight = InFlightSeek(
            request: request, plan: plan, asked: target ?? plan.target, sentAt: now, aliveAt: now,
            silentSince: inFlight?.silentSince ?? now, wasPlaying: isPlaying, isBehind: false)
        if case .advance = plan.method {} else { planner.loseHead() }
        return .seek(request)
    }

    private mutating func show(_ frame: SeekFrame, _ now: MonotonicTime) -> [Action] {
        // Only the newest seek's frame counts: older seeks are void.
        guard let seek = inFlight, seek.request.ticket == frame.ticket else { return [] }
        guard let time = frame.time else { return miss(seek, now) }
        decodingTime = frame.decodingTime
        canPlayOn = frame.canPlayOn
        if case .last = seek.plan.method {
            gesture.end.found(time, until: time + (frame.duration ?? planner.frameDuration))
        }
        let start = frame.start ?? time
        return complete(
            seek, at: ShownFrame(start: start, place: time, end: frame.duration.map { start + $0 }), now)
    }

    private mutating func complete(_ seek: InFlightSeek, at shown: ShownFrame, _ now: MonotonicTime) -> [Action] {
        let time = shown.place
        inFlight = nil
        position = time
        gesture.shown = seek
        planner.shown(
            time, until: shown.end, plan: seek.plan, took: now - seek.sentAt, decodingTime: decodingTime)
        if seek.wasPlaying || isPlaying { planner.loseHead() }
        let isAnother = isAnother(than: seek)
        if seek.isStep {
            if seek.reaches(shown.start) { hasStepped = true } else { steps = 0 }
            // The time that it was sent for was an estimate.
            if target == seek.asked { target = time }
        }
        switch phase {
        case .dragging:
            isThere = target.map(isShown) ?? false
            return chase(now)
        case .settling:
            if isAnother { return settle(now) }
            switch seek.plan.method {
            case .last: return align(now)
            case .advance where !playsOn || !isUsual(shown, at: seek.asked): return align(now)
            case .keyframe where !tolerance.allows(shown.start, for: seek.asked, slack: SeekTolerance.rounding):
                // The demuxer knows fewer key frames, and took another one.
                tolerance = .exact
                return settle(now)
            default: return steps == 0 ? finish() : takeStep(from: shown, now)
            }
        case .idle: return []
        }
    }

    /// Whether a frame of the film's usual duration at the requested time would start where this one does. Other frames
    /// started well before or after, and only a seek makes the requested time the film's position.
    private func isUsual(_ shown: ShownFrame, at asked: MediaTime) -> Bool {
        shown.start - SeekTolerance.rounding <= asked
            && asked <= shown.start + planner.frameDuration + SeekTolerance.rounding
    }

    /// Handles a seek behind the film's last frame: searches for that frame.
    private mutating func miss(_ seek: InFlightSeek, _ now: MonotonicTime) -> [Action] {
        // Behind the last frame there is no frame to step to.
        guard seek.plannedTarget > .zero, seek.plan.method != .next else { return fail(seek, now) }
        inFlight = nil
        planner.loseHead()
        if seek.isBehind, phase == .settling {
            position = seek.plan.target
            if isAnother(than: seek) { return settle(now) }
            guard steps < 0, let last = gesture.end.last else { return finish() }
            return takeStep(from: ShownFrame(start: last, place: last), now)
        }
        // An advance may find none because the frame on the screen was the last: a seek will show it.
        let wentOn = seek.plan.method == .advance
        if !wentOn { gesture.end.missed(seek.plannedTarget, isSearch: seek.plan.method == .last) }
        switch phase {
        case .dragging: return chase(now, exactly: wentOn)
        case .settling:
            // The known key frame is not there. The exact frame may be nearer than the end.
            if case .keyframe = seek.plan.method, !isAnother(than: seek) { tolerance = .exact }
            return settle(now)
        case .idle: return []
        }
    }

    private mutating func fail(_ seek: InFlightSeek, _ now: MonotonicTime) -> [Action] {
        inFlight = nil
        planner.loseHead()
        switch phase {
        case .dragging:
            let isSame = seek.asked == target
            if isSame, !seek.isAhead { gesture.abandoned = target }
            return chase(now, exactly: isSame && seek.isAhead)
        case .settling:
            if isAnother(than: seek) || seek.plan.method == .advance { return settle(now) }
            target = nil
            steps = 0
            return finish()
        case .idle: return []
        }
    }

    /// Whether a newer request waits for this seek to be done.
    private func isAnother(than seek: InFlightSeek) -> Bool {
        if isAgain { return true }
        if tolerance == .exact, case .keyframe = seek.plan.method { return true }
        return target != seek.asked
    }

    private mutating func finish() -> [Action] {
        target = nil
        // The steps that were to follow lead nowhere.
        steps = 0
        phase = .idle
        isPlaying = wantsPlaying
        isScrubMuted = false
        if isPlaying { planner.loseHead() }
        return [.setScrubMuted(false), .setPlaying(wantsPlaying)]
    }
}

/// Time limits, and what happens when they pass.
extension Scrubber {
    /// A seek that is unanswered after so long, and made no progress, will never be answered.
    public static let patience: Duration = .seconds(2)
    /// The limit for a seek that makes progress: a small board may take seconds from a key frame to a distant frame.
    private static let slowPatience: Duration = .seconds(20)
    /// Over a network, the data must arrive first.
    private static let remotePatience: Duration = .seconds(20)
    /// The limit for seeks that make each other void: each touch-up sends one without waiting for the one before.
    private static let longPatience: Duration = .seconds(6)

    /// When `handle(.wake)` is due; may be in the past.
    public var deadline: MonotonicTime? {
        if let inFlight {
            if mediaInfo?.isLocal == false { return inFlight.sentAt + Self.remotePatience }
            let last = inFlight.sentAt + Self.slowPatience
            if inFlight.isDecodingGroup { return last }
            return min(inFlight.aliveAt + Self.patience, last, inFlight.silentSince + Self.longPatience)
        }
        // Only a finger that has just stopped is waited for.
        guard isOpen, isDragging, isFollowing, let target, let moved = speed.lastMove, target != gesture.abandoned,
            !isShown(target) || hasSheet && !isThere
        else { return nil }
        return moved + FingerSpeed.rest
    }

    private mutating func wake(_ now: MonotonicTime) -> [Action] {
        guard let seek = inFlight else { return chase(now, isWake: true) }
        guard let deadline, now >= deadline else { return [] }
        return rebuild(at: seek.asked)
    }

    private mutating func rebuild(at asked: MediaTime? = nil) -> [Action] {
        let lost = search ?? target ?? asked ?? position
        losePipeline()
        if !isDragging {
            phase = .idle
            target = nil
        }
        // The owner of the new pipeline opens it there.
        position = lost
        return [.rebuild(at: lost)]
    }
}
