/// The scrub state machine: the wanted state, the drag, and the seek queue with one seek in flight and the newest waiting.
///
/// A value without a clock: `handle` takes what happened and when, and returns what to do. It never waits; `deadline`
/// says when it wants to be woken.
public struct Scrubber: Sendable {
    /// A finger that has not moved for so long rests.
    private static let rest: Duration = .milliseconds(60)

    enum Phase: Hashable, Sendable {
        case idle
        /// A finger holds the thumb. `before` is where the film was.
        case dragging(before: MediaTime)
        /// The finger has left; the frame it asked for is on its way, or the sound behind it.
        case settling
    }

    struct InFlightSeek: Hashable, Sendable {
        var request: SeekRequest
        var plan: SeekPlanner.Plan
        /// The target that it is for.
        var asked: MediaTime
        var sentAt: MonotonicTime
        /// When it was sent, or was last seen to be on its way.
        var aliveAt: MonotonicTime
        /// From then on nothing will be seen of it until its frame.
        var isDecodingGroup = false
        /// When the first of the seeks was sent that this one and those before it made void, unanswered and without progress.
        var silentSince: MonotonicTime
        /// Sent while the film played: others may follow the frame that answers it.
        var wasPlaying: Bool
        /// What was asked for lies behind the last frame, which is on the screen: none is to answer.
        var isBehind: Bool

        var isStep: Bool { plan.method == .next || plan.method == .previous }

        /// Whether this is another frame than the one that a step was sent from: behind the last one that is shown again.
        func reaches(_ start: MediaTime) -> Bool {
            switch plan.method {
            case .next: start > plan.target
            case .previous: start < plan.target
            default: true
            }
        }

        /// Whether it decodes its way to a frame at the target or before it, from where the decoder then goes on to that.
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

        /// No frame that ends before this one answers it.
        var plannedTarget: MediaTime {
            if case .keyframe(let showing?) = plan.method { return showing }
            return plan.target
        }
    }

    private var phase = Phase.idle
    /// Where the film was before the drag that a lift ended, until something else is asked for: the lift may be taken back.
    private var beforeRelease: MediaTime?
    private var inFlight: InFlightSeek?
    /// What the viewer wants; the pipeline follows when no drag is in the way.
    public private(set) var wantsPlaying: Bool
    /// Pictures of the film's scrub sheet are shown under a finger that runs: seeks of its own are sent where it is slow enough for the very
    /// frame to come in time.
    public var hasSheet = false
    private var mediaInfo: MediaInfo?
    /// Not while a pipeline is built: then seeks are remembered.
    private var isOpen = false
    private var planner = SeekPlanner()
    /// What one frame took to decode on the way to the last one shown.
    private var decodingTime: Duration?
    /// As the last frame says.
    private var canPlayOn = false
    private var ticket = SeekRequest.Ticket(number: 0)
    /// The newest time asked for and not yet shown.
    private var target: MediaTime?
    /// How far from there its frame may be.
    private var tolerance = SeekTolerance.exact
    /// Frames to go on by, or back where that is below 0, once the seek in flight has shown its own.
    private var steps = 0
    /// Since steps were asked for last, one of them has led to its frame.
    public private(set) var hasStepped = false
    /// The seek in flight is to be followed by another, wherever it leads.
    private var isAgain = false
    /// The same of a drag: its last seek is another than those that kept the sound out.
    private var owesSeek = false
    private var position: MediaTime = .zero
    private var speed = FingerSpeed()
    private var didSeek = false
    /// What the pipeline was told last, and what a new one is to do.
    public private(set) var isPlaying: Bool
    private var isScrubMuted = false
    /// As this gesture has found it out.
    private var end = FilmEnd()
    /// A target of a drag that cannot be had; the finger has to ask for another one.
    private var abandoned: MediaTime?
    /// The very frame under the finger has come, and the finger has not left it.
    public private(set) var isThere = false
    /// The plan of a drag that the frame on the screen came from: asked again it would only come again.
    private var shownPlan: SeekPlanner.Plan?

    public init(wantsPlaying: Bool) {
        self.wantsPlaying = wantsPlaying
        isPlaying = wantsPlaying
    }

    /// Whether a finger holds the thumb.
    public var isDragging: Bool {
        if case .dragging = phase { return true }
        return false
    }

    /// Where the film's first frame begins, once its key frames are known.
    public var firstKeyframe: MediaTime? { planner.keyframes.first }

    /// Whether a seek is under way or waiting.
    public var isSeeking: Bool { phase != .idle || inFlight != nil || target != nil }

    /// What thumb and text show: the finger's time while it holds the thumb, the target until the last seek is done,
    /// then the film's own.
    public var displayedTime: MediaTime { target ?? position }

    /// Whether this is the seek whose frame is waited for: others were made void, or nobody asked for them.
    public func awaits(_ ticket: SeekRequest.Ticket) -> Bool { inFlight?.request.ticket == ticket }

    /// Whether it is its answer, and, of a step, another frame than before.
    public func isReached(by frame: SeekFrame) -> Bool {
        guard let inFlight, awaits(frame.ticket), let start = frame.start ?? frame.time else { return false }
        return inFlight.reaches(start)
    }

    /// Whether it is that one, and nothing follows it where it fails.
    public func endsWith(_ ticket: SeekRequest.Ticket) -> Bool {
        guard let inFlight, awaits(ticket), inFlight.plan.method != .advance else { return false }
        return !isAnother(than: inFlight)
    }

    /// Whether the film can play on from where a drag has led, without one more seek.
    private var playsOn: Bool { canPlayOn && !owesSeek }

    /// Whether the frame follows the finger: remote media are sought at touch-up, and sound alone shows nothing.
    private var isFollowing: Bool {
        guard let mediaInfo else { return false }
        return mediaInfo.isLocal && mediaInfo.hasVideo
    }

    /// Where the film's last frame is looked for, because the target lies behind it; `nil` where it does not.
    private var search: MediaTime? { end.search(for: target, in: planner.keyframes) }

    private func isShown(_ target: MediaTime) -> Bool {
        search == nil ? planner.isShown(target) : isLastShown
    }

    /// The last frame is on the screen, and nothing else is on its way there.
    private var isLastShown: Bool { end.last != nil && planner.head == end.last }

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
                // With its last seek, which there is then also where it is cancelled.
                didSeek = true
                owesSeek = true
                return []
            }
            // The one in flight was sent before.
            isAgain = inFlight != nil
            owesSeek = isAgain
            // Steps that are still to be taken are, from there.
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
            // Through a rebuild: the new pipeline knows nothing of the finger.
            guard isFollowing else { return [] }
            isScrubMuted = true
            return [.setScrubMuted(true)] + chase(now)
        }
        // Asked for before there was a film to seek in, or a finger that left meanwhile.
        guard let remembered = target else { return phase == .settling ? finish() : [] }
        target = clamp(remembered)
        phase = .settling
        return settle(now)
    }

    /// Nothing that was asked of this film is asked of the next one.
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
        forgetEnd()
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
        // During a drag and until its last seek is done the pipeline stays paused; then the newest request counts. A jump in a film that
        // plays leaves it playing: paused after the jump's frame, the film would stand behind it, and so after the next jump's.
        guard phase == .idle || isPlaying && !playing else { return [] }
        isPlaying = playing
        if playing { planner.loseHead() }
        return [.setPlaying(playing)]
    }

    /// The last frame stands from one frame's length before the end.
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
        // These end a drag whatever has become of the film.
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
        forgetEnd()
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

    /// What one gesture has found out is nothing to the next.
    private mutating func forgetEnd() {
        end = FilmEnd()
        abandoned = nil
        shownPlan = nil
    }

    private mutating func move(to time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        speed.moved(to: time, at: moved)
        target = time
        if !isShown(time) { isThere = false }
        return leave(now) ?? chase(now)
    }

    /// The decoder goes on inside a group that the finger has left: no frame of it is to be shown any more. Only what needs no
    /// seek of its own is made void, so that a finger that crosses group after group still gets a frame of each.
    private mutating func leave(_ now: MonotonicTime) -> [Action]? {
        guard let seek = inFlight, case .advance = seek.plan.method, let target,
            let group = planner.keyframes.group(at: seek.plan.target),
            let other = planner.keyframes.group(at: target),
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

    /// Sends the next seek of a drag, if none is in flight; `exactly` to the very frame, however fast the finger is.
    private mutating func chase(_ now: MonotonicTime, exactly: Bool = false, isWake: Bool = false) -> [Action] {
        guard isOpen, isDragging, isFollowing, inFlight == nil, let target, target != abandoned else { return [] }
        let rests = exactly || speed.lastMove.map { now - $0 >= Self.rest } ?? true
        // Only the wake, which is due now, can tell a finger that rests from one whose moves have not been read yet.
        if rests, !exactly, !isWake, deadline != nil { return [] }
        if let search {
            if isLastShown, rests { isThere = true }
            return isLastShown ? [] : [send(lastPlan(from: search), now)]
        }
        let isFast = hasSheet && !planner.isWorthwhileBesidesSheet(target, speed: speed.filmTimePerSecond)
        if isFast, !rests { return [] }
        let plan = planner.drag(
            to: target, speed: rests || hasSheet ? 0 : speed.filmTimePerSecond, isBackward: speed.isBackward)
        if plan == nil, rests { isThere = true }
        guard let plan, rests || plan != shownPlan else { return [] }
        didSeek = true
        return [send(plan, now)]
    }
}

/// Where the film is to be once a finger has left it, or somebody else asked: at a time, or some frames on.
extension Scrubber {
    /// The finger has left, or a jump was asked for: the last seek. It does not wait for one in flight, which it makes
    /// void by flushing it away, unless that one leads there, too.
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
                // Further ahead, it only has to go on: at once, or once its frame is there.
                guard case .advance = seek.plan.method, seek.plannedTarget + planner.frameDuration <= target,
                    let plan = planner.release(at: target, playsOn: true), case .advance = plan.method
                else { return [] }
                return [send(plan, now)]
            }
            planner.loseHead()
        }
        // Where there is sound to wait for it stands in the decoder's way.
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

    /// The frame is on the screen, but the streams are not where it is: one more seek brings sound and clock to it, or, behind
    /// the last frame, to what was asked for.
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
        forgetEnd()
        phase = .settling
        // One in flight: this one goes out when the one before has put its frame on the screen.
        return inFlight == nil ? settle(now) : []
    }

    /// More than a second's worth nobody counts.
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
        // Until it is there, for all that one knows.
        target = max(isForward ? shown.place + planner.frameDuration : shown.start - planner.frameDuration, .zero)
        tolerance = .exact
        forgetEnd()
        phase = .settling
        planner.loseHead()
        isScrubMuted = false
        let plan = SeekPlanner.Plan(
            target: isForward ? shown.place : shown.start, method: isForward ? .next : .previous, frames: 25)
        return [.setScrubMuted(false), send(plan, now)]
    }
}

/// The seek in flight: what is sent, what comes back, and what then.
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
        // Only the newest seek's frame counts: an older one was made void.
        guard let seek = inFlight, seek.request.ticket == frame.ticket else { return [] }
        guard let time = frame.time else { return miss(seek, now) }
        decodingTime = frame.decodingTime
        canPlayOn = frame.canPlayOn
        if case .last = seek.plan.method {
            end.found(time, until: time + (frame.duration ?? planner.frameDuration))
        }
        let start = frame.start ?? time
        return complete(
            seek, at: ShownFrame(start: start, place: time, end: frame.duration.map { start + $0 }), now)
    }

    private mutating func complete(_ seek: InFlightSeek, at shown: ShownFrame, _ now: MonotonicTime) -> [Action] {
        let time = shown.place
        inFlight = nil
        position = time
        shownPlan = seek.plan
        planner.shown(
            time, until: shown.end, plan: seek.plan, took: now - seek.sentAt, decodingTime: decodingTime)
        if seek.wasPlaying || isPlaying { planner.loseHead() }
        let isAnother = isAnother(than: seek)
        if seek.isStep {
            if seek.reaches(shown.start) { hasStepped = true } else { steps = 0 }
            // What it was sent for was a guess.
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
                // Where the demuxer knows fewer key frames, it took another one.
                tolerance = .exact
                return settle(now)
            default: return steps == 0 ? finish() : takeStep(from: shown, now)
            }
        case .idle: return []
        }
    }

    /// Whether a frame of the film's usual length that stands at the time asked for would begin where this one does. Others have
    /// begun well before, or after, and only a seek makes the time asked for the film's own.
    private func isUsual(_ shown: ShownFrame, at asked: MediaTime) -> Bool {
        shown.start - SeekTolerance.rounding <= asked
            && asked <= shown.start + planner.frameDuration + SeekTolerance.rounding
    }

    /// The seek led behind the film's last frame: look for that one.
    private mutating func miss(_ seek: InFlightSeek, _ now: MonotonicTime) -> [Action] {
        // Behind the last frame there is none to step to.
        guard seek.plannedTarget > .zero, seek.plan.method != .next else { return fail(seek, now) }
        inFlight = nil
        planner.loseHead()
        if seek.isBehind, phase == .settling {
            position = seek.plan.target
            if isAnother(than: seek) { return settle(now) }
            guard steps < 0, let last = end.last else { return finish() }
            return takeStep(from: ShownFrame(start: last, place: last), now)
        }
        // Going on, there may be none because the frame on the screen was the last: a seek will tell.
        let wentOn = seek.plan.method == .advance
        if !wentOn { end.missed(seek.plannedTarget, isSearch: seek.plan.method == .last) }
        switch phase {
        case .dragging: return chase(now, exactly: wentOn)
        case .settling:
            // The key frame that was known is not there. Nearer than the end, the very frame may be.
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
            if seek.asked == target { abandoned = target }
            return chase(now)
        case .settling:
            if isAnother(than: seek) || seek.plan.method == .advance { return settle(now) }
            target = nil
            steps = 0
            return finish()
        case .idle: return []
        }
    }

    /// Whether something newer than this seek waits for it to be done.
    private func isAnother(than seek: InFlightSeek) -> Bool {
        if isAgain { return true }
        if tolerance == .exact, case .keyframe = seek.plan.method { return true }
        return target != seek.asked
    }

    private mutating func finish() -> [Action] {
        target = nil
        // Those that were to follow lead nowhere.
        steps = 0
        phase = .idle
        isPlaying = wantsPlaying
        isScrubMuted = false
        if isPlaying { planner.loseHead() }
        return [.setScrubMuted(false), .setPlaying(wantsPlaying)]
    }
}

/// How long things may take, and what becomes of those that take longer.
extension Scrubber {
    /// A seek that is not answered by then, nor has come further, never will be.
    public static let patience: Duration = .seconds(2)
    /// Nor is one that still goes on then: a small board may take seconds from a key frame to a frame far from it.
    private static let slowPatience: Duration = .seconds(20)
    /// Over a network, what is sought has to come first.
    private static let remotePatience: Duration = .seconds(20)
    /// Nor are those that one another made void for so long: each touch-up sends one without waiting for the one before.
    private static let longPatience: Duration = .seconds(6)

    /// When `handle(.wake)` is due; may have passed already.
    public var deadline: MonotonicTime? {
        if let inFlight {
            if mediaInfo?.isLocal == false { return inFlight.sentAt + Self.remotePatience }
            let last = inFlight.sentAt + Self.slowPatience
            if inFlight.isDecodingGroup { return last }
            return min(inFlight.aliveAt + Self.patience, last, inFlight.silentSince + Self.longPatience)
        }
        // Only a finger that has just stopped is waited for.
        guard isOpen, isDragging, isFollowing, let target, let moved = speed.lastMove, target != abandoned,
            !isShown(target) || hasSheet && !isThere
        else { return nil }
        return moved + Self.rest
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
        // Whoever builds the new pipeline opens it there.
        position = lost
        return [.rebuild(at: lost)]
    }
}
