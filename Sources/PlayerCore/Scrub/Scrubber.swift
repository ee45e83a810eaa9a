/// The scrub state machine: the wanted state, the drag, and the seek queue with one seek in flight and the newest waiting.
///
/// A value without a clock: `handle` takes what happened and when, and returns what to do. It never waits; `deadline`
/// says when it wants to be woken. Rows M3 to M8, A7, N1.
public struct Scrubber: Sendable {
    public enum Input: Hashable, Sendable {
        case slider(SliderEvent)
        /// The film is open: commands are accepted.
        case ready(MediaFacts)
        case facts(MediaFacts)
        case keyframes(KeyframeMap)
        /// The picture that answers a seek is on the screen.
        case picture(Picture)
        /// Every stream has followed the last seek: the answer where a film has no pictures.
        case settled
        case seekFailed(SeekRequest.Ticket)
        case setPlaying(Bool)
        /// A jump from outside the slider; a drag has precedence over it.
        case jump(to: MediaTime, exact: Bool)
        /// To the picture that follows the one on the screen, or the one before; while something is sought, from there.
        case step(forward: Bool, from: Standing)
        /// One more exact seek to where the film is, or is going: it is to go on in another way, which comes with a seek.
        case again
        case position(MediaTime)
        /// `deadline` has come, and there is no unread news of the finger.
        case wake
        /// The pipeline is gone, and the film is to go on where it is, or was going.
        case lost
        /// Another film, or the same one anew: what is in flight will never be answered.
        case closed
    }

    /// A picture on the screen.
    public struct Standing: Hashable, Sendable {
        /// Where it begins, and where the film is: maybe further on, in its middle.
        public var start: MediaTime
        public var place: MediaTime
        /// Until when it stands; `nil` while unknown.
        public var end: MediaTime?

        public init(start: MediaTime, place: MediaTime, end: MediaTime? = nil) {
            self.start = start
            self.place = place
            self.end = end
        }
    }

    public enum Action: Hashable, Sendable {
        case setPlaying(Bool)
        /// Keep sound out of the seeks that follow, or let it in again.
        case setHushed(Bool)
        case seek(SeekRequest)
        /// A seek never came back: build the pipeline of the same film anew at this time (M7). A drag goes on meanwhile;
        /// `ready` is to follow, without `closed`.
        case rebuild(at: MediaTime)
    }

    /// A seek that is not answered by then never will be.
    public static let patience: Duration = .seconds(2)
    /// Over a network, what is sought has to come first.
    static let remotePatience: Duration = .seconds(20)
    /// Nor are those that one another made void for so long: each touch-up sends one without waiting for the one before.
    static let longPatience: Duration = .seconds(6)
    /// A finger that has not moved for so long rests.
    static let rest: Duration = .milliseconds(60)

    enum Phase: Hashable, Sendable {
        case idle
        /// A finger holds the thumb. `before` is where the film was.
        case dragging(before: MediaTime)
        /// The finger has left; the picture it asked for is on its way, or the sound behind it.
        case settling
    }

    struct Flight: Hashable, Sendable {
        var request: SeekRequest
        var plan: SeekPlanner.Plan
        /// The target that it is for.
        var asked: MediaTime
        var sentAt: MonotonicTime
        /// When the first of the seeks was sent that this one and those before it made void, unanswered.
        var silentSince: MonotonicTime
        /// Sent while the film played: others may follow the picture that answers it.
        var wasPlaying: Bool
        /// What was asked for lies behind the last picture, which is on the screen: none is to answer.
        var isBehind: Bool

        /// No picture that ends before this one answers it.
        var goal: MediaTime {
            if case .keyframe(let showing?) = plan.method { return showing }
            return plan.target
        }
    }

    private(set) var phase = Phase.idle
    private(set) var inFlight: Flight?
    /// What the viewer wants; the pipeline follows when no drag is in the way.
    public private(set) var wantsPlaying: Bool
    private var facts: MediaFacts?
    /// Not while a pipeline is built: then seeks are remembered.
    private var isOpen = false
    private var planner = SeekPlanner()
    /// What one picture took to decode on the way to the last one shown.
    private var decodingTime: Duration?
    private var ticket = SeekRequest.Ticket(number: 0)
    /// The newest time asked for and not yet shown.
    private var target: MediaTime?
    private var isTargetExact = true
    /// Pictures to go on by, or back where that is below 0, once the seek in flight has shown its own.
    private var steps = 0
    /// More than a second's worth nobody counts.
    private static let mostSteps = 25
    /// The seek in flight is to be followed by another, wherever it leads.
    private var isAgain = false
    private var position: MediaTime = .zero
    private var speed = FingerSpeed()
    private var didSeek = false
    /// What the pipeline was told last, and what a new one is to do.
    public private(set) var isPlaying: Bool
    private var isHushed = false
    /// No picture comes at or behind this time: found out by a seek of this gesture. A duration is that of the longest
    /// stream, and often the sound's.
    private var end: MediaTime?
    /// The last picture, once this gesture has found it.
    private var last: MediaTime?
    /// How far before `end` to look for the last picture, at least; doubled with each miss.
    private var retreat = Self.overhang
    /// The sound of a film commonly outlasts its pictures by an audio frame, at most 93 ms (AAC at 11025 Hz).
    static let overhang = MediaTime.milliseconds(100)
    /// A target of a drag that cannot be had; the finger has to ask for another one.
    private var abandoned: MediaTime?
    /// The plan of a drag that the picture on the screen came from: asked again it would only come again.
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

    /// Whether a seek is under way or waiting.
    public var isSeeking: Bool { phase != .idle || inFlight != nil || target != nil }

    /// What thumb and text show: the finger's time while it holds the thumb, the target until the last seek is done,
    /// then the film's own (M3, M5).
    public var displayedTime: MediaTime { target ?? position }

    /// Whether this is the seek whose picture is waited for: others were made void, or nobody asked for them.
    public func awaits(_ ticket: SeekRequest.Ticket) -> Bool { inFlight?.request.ticket == ticket }

    /// How long this film's seeks may take.
    public var patience: Duration { facts?.isLocal == false ? Self.remotePatience : Self.patience }

    /// When `handle(.wake)` is due; may have passed already.
    public var deadline: MonotonicTime? {
        if let inFlight {
            if facts?.isLocal == false { return inFlight.sentAt + patience }
            return min(inFlight.sentAt + patience, inFlight.silentSince + Self.longPatience)
        }
        // Only a finger that has just stopped is waited for.
        guard isOpen, isDragging, isFollowing, let target, let moved = speed.lastMove, target != abandoned,
            !isShown(target)
        else { return nil }
        return moved + Self.rest
    }

    /// Whether the picture follows the finger: remote media are sought at touch-up, and sound alone shows nothing (M4).
    private var isFollowing: Bool {
        guard let facts else { return false }
        return facts.isLocal && facts.hasVideo
    }

    /// Where the film's last picture is looked for, because the target lies behind it; `nil` where it does not.
    private var search: MediaTime? {
        guard let target, let end, target >= end else { return nil }
        if let last { return last }
        let before = end - retreat
        return max(planner.keyframes.group(at: before)?.start ?? before, .zero)
    }

    private func isShown(_ target: MediaTime) -> Bool {
        search == nil ? planner.isShown(target) : isLastShown
    }

    /// The last picture is on the screen, and nothing else is on its way there.
    private var isLastShown: Bool { last != nil && planner.head == last }

    public mutating func handle(_ input: Input, at now: MonotonicTime) -> [Action] {
        switch input {
        case .slider(let event): return slide(event, now)
        case .ready(let facts): return becomeReady(facts, now)
        case .facts(let facts):
            learn(facts)
            return []
        case .keyframes(let map):
            planner.keyframes = map
            return []
        case .picture(let picture): return show(picture, now)
        case .settled:
            guard let facts, !facts.hasVideo, let inFlight else { return [] }
            return complete(inFlight, at: Standing(start: inFlight.goal, place: inFlight.goal), now)
        case .seekFailed(let failed):
            guard let inFlight, inFlight.request.ticket == failed else { return [] }
            return fail(inFlight, now)
        case .setPlaying(let playing): return setPlaying(playing)
        case .jump(let time, let exact): return jump(to: time, exact, now)
        case .step(let forward, let shown): return step(forward, from: shown, now)
        case .again:
            // The one in flight was sent before.
            isAgain = inFlight != nil
            return jump(to: displayedTime, true, now)
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

    private mutating func becomeReady(_ facts: MediaFacts, _ now: MonotonicTime) -> [Action] {
        learn(facts)
        isOpen = true
        if isDragging {
            // Through a rebuild: the new pipeline knows nothing of the finger.
            guard isFollowing else { return [] }
            isHushed = true
            return [.setHushed(true)] + chase(now)
        }
        // Asked for before there was a film to seek in (M6), or a finger that left meanwhile.
        guard let remembered = target else { return phase == .settling ? finish() : [] }
        target = clamp(remembered)
        phase = .settling
        return settle(now)
    }

    /// Nothing that was asked of this film is asked of the next one (M8).
    private mutating func close() {
        position = .zero
        facts = nil
        target = nil
        phase = .idle
        losePipeline()
    }

    private mutating func losePipeline() {
        isOpen = false
        isAgain = false
        steps = 0
        inFlight = nil
        planner = SeekPlanner()
        decodingTime = nil
        forgetEnd()
        isPlaying = wantsPlaying && !isDragging
        isHushed = false
    }

    private mutating func learn(_ facts: MediaFacts) {
        self.facts = facts
        planner.duration = facts.duration
        if let length = facts.frameDuration, length > .zero { planner.frameDuration = length }
    }

    private mutating func setPlaying(_ playing: Bool) -> [Action] {
        wantsPlaying = playing
        // During a drag and until its last seek is done the pipeline stays paused; then the newest wish counts.
        guard phase == .idle else { return [] }
        isPlaying = playing
        if playing { planner.loseHead() }
        return [.setPlaying(playing)]
    }

    // MARK: The slider

    private mutating func slide(_ event: SliderEvent, _ now: MonotonicTime) -> [Action] {
        switch event {
        case .touchDown(let fraction, let time):
            guard let facts, facts.isSeekable, let target = filmTime(at: fraction) else { return [] }
            return grab(target, time, now)
        case .valueChanged(let fraction, let time):
            guard isDragging, let target = filmTime(at: fraction) else { return [] }
            return move(to: target, time, now)
        // These end a drag whatever has become of the film.
        case .touchUp(let fraction, _):
            guard isDragging else { return [] }
            return release(at: filmTime(at: fraction) ?? target, now)
        case .cancel:
            guard case .dragging(let before) = phase else { return [] }
            return release(at: didSeek ? clamp(before) : nil, now)
        }
    }

    private func filmTime(at fraction: Double) -> MediaTime? {
        facts?.duration.map { clamp($0.scaled(by: fraction)) }
    }

    private mutating func grab(_ time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        phase = .dragging(before: displayedTime)
        steps = 0
        didSeek = inFlight != nil
        speed = FingerSpeed()
        forgetEnd()
        var actions: [Action] = []
        if isPlaying {
            isPlaying = false
            planner.loseHead()
            actions.append(.setPlaying(false))
        }
        if isFollowing {
            isHushed = true
            actions.append(.setHushed(true))
        }
        return actions + move(to: time, moved, now)
    }

    private mutating func release(at time: MediaTime?, _ now: MonotonicTime) -> [Action] {
        target = time
        isTargetExact = true
        phase = .settling
        return settle(now)
    }

    /// Each gesture finds out anew, so that no error of the stream's cuts the film for good.
    private mutating func forgetEnd() {
        end = nil
        last = nil
        retreat = Self.overhang
        abandoned = nil
        shownPlan = nil
    }

    private mutating func move(to time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        speed.moved(to: time, at: moved)
        target = time
        return chase(now)
    }

    /// Sends the next seek of a drag, if none is in flight; `exactly` to the very picture, however fast the finger is.
    private mutating func chase(_ now: MonotonicTime, exactly: Bool = false, isWake: Bool = false) -> [Action] {
        guard isOpen, isDragging, isFollowing, inFlight == nil, let target, target != abandoned else { return [] }
        let rests = exactly || speed.lastMove.map { now - $0 >= Self.rest } ?? true
        // Only the wake, which is due now, can tell a finger that rests from one whose moves have not been read yet.
        if rests, !exactly, !isWake, deadline != nil { return [] }
        if let search { return isLastShown ? [] : [send(lastPlan(from: search), now)] }
        let plan = planner.drag(
            to: target, speed: rests ? 0 : speed.filmTimePerSecond, isBackward: speed.isBackward)
        guard let plan, rests || plan != shownPlan else { return [] }
        didSeek = true
        return [send(plan, now)]
    }

    /// The finger has left, or a jump was asked for: the last seek. It does not wait for one in flight, which it makes
    /// void by flushing it away.
    private mutating func settle(_ now: MonotonicTime) -> [Action] {
        guard isOpen else { return [] }
        guard let facts, facts.isSeekable, let target else {
            target = nil
            return finish()
        }
        guard isTargetExact || search != nil else { return [send(jumpPlan(to: target), now)] }
        if let flight = inFlight {
            // On its way through the same group: it only has to go on further.
            if isHushed, case .advance = flight.plan.method, flight.plan.target + planner.frameDuration <= target,
                let plan = planner.release(at: target), case .advance = plan.method
            {
                return [send(plan, now)]
            }
            planner.loseHead()
        }
        // Where there is sound to wait for it stands in the decoder's way.
        if !isHushed { planner.loseHead() }
        if let search {
            if isLastShown { return align(now) }
            isHushed = true
            return [.setHushed(true), send(lastPlan(from: search), now)]
        }
        guard let plan = planner.release(at: target) else { return align(now) }
        if case .advance = plan.method { return [send(plan, now)] }
        isHushed = false
        return [.setHushed(false), send(plan, now)]
    }

    private func jumpPlan(to target: MediaTime) -> SeekPlanner.Plan {
        SeekPlanner.Plan(target: target, method: .keyframe(showing: nil), pictures: 1)
    }

    private func lastPlan(from time: MediaTime) -> SeekPlanner.Plan {
        SeekPlanner.Plan(target: time, method: .last, pictures: 25)
    }

    /// The picture is on the screen, but the streams are not where it is: one more seek brings sound and clock to it, or, behind
    /// the last picture, to what was asked for.
    private mutating func align(_ now: MonotonicTime) -> [Action] {
        guard let target else { return finish() }
        let plan = SeekPlanner.Plan(target: target, method: .exact, pictures: 25)
        let isBehind = search != nil
        isHushed = false
        let seek = send(plan, now)
        inFlight?.isBehind = isBehind
        return [.setHushed(false), seek]
    }

    private mutating func jump(to time: MediaTime, _ exact: Bool, _ now: MonotonicTime) -> [Action] {
        guard !isDragging else { return [] }
        guard isOpen, let facts else {
            target = time
            isTargetExact = exact
            return []
        }
        guard facts.isSeekable else { return [] }
        target = clamp(time)
        isTargetExact = exact
        steps = 0
        forgetEnd()
        phase = .settling
        // One in flight: this one goes out when the one before has put its picture on the screen (M7).
        return inFlight == nil ? settle(now) : []
    }

    private mutating func step(_ forward: Bool, from shown: Standing, _ now: MonotonicTime) -> [Action] {
        guard isOpen, !isDragging, facts?.isSeekable == true else { return [] }
        steps = min(max(steps + (forward ? 1 : -1), -Self.mostSteps), Self.mostSteps)
        return isSeeking ? [] : takeStep(from: shown, now)
    }

    private mutating func takeStep(from shown: Standing, _ now: MonotonicTime) -> [Action] {
        let isForward = steps > 0
        steps -= isForward ? 1 : -1
        guard isForward || shown.start > .zero else { return finish() }
        // Until it is there, for all that one knows.
        target = max(isForward ? shown.place + planner.frameDuration : shown.start - planner.frameDuration, .zero)
        isTargetExact = true
        forgetEnd()
        phase = .settling
        planner.loseHead()
        isHushed = false
        let plan = SeekPlanner.Plan(
            target: isForward ? shown.place : shown.start, method: isForward ? .next : .previous, pictures: 25)
        return [.setHushed(false), send(plan, now)]
    }

    // MARK: The seek queue

    private mutating func send(_ plan: SeekPlanner.Plan, _ now: MonotonicTime) -> Action {
        ticket = ticket.next
        isAgain = false
        let request = SeekRequest(ticket: ticket, target: plan.target, method: plan.method)
        inFlight = Flight(
            request: request, plan: plan, asked: target ?? plan.target, sentAt: now,
            silentSince: inFlight?.silentSince ?? now, wasPlaying: isPlaying, isBehind: false)
        if case .advance = plan.method {} else { planner.loseHead() }
        return .seek(request)
    }

    private mutating func show(_ picture: Picture, _ now: MonotonicTime) -> [Action] {
        // Only the newest seek's picture counts: an older one was made void (M8).
        guard let flight = inFlight, flight.request.ticket == picture.ticket else { return [] }
        guard let time = picture.time else { return miss(flight, now) }
        decodingTime = picture.decodingTime
        if case .last = flight.plan.method {
            last = time
            end = min(end ?? .unlimited, time + (picture.duration ?? planner.frameDuration))
        }
        let start = picture.start ?? time
        return complete(
            flight, at: Standing(start: start, place: time, end: picture.duration.map { start + $0 }), now)
    }

    private mutating func complete(_ flight: Flight, at shown: Standing, _ now: MonotonicTime) -> [Action] {
        let time = shown.place
        inFlight = nil
        position = time
        shownPlan = flight.plan
        planner.shown(
            time, until: shown.end, plan: flight.plan, took: now - flight.sentAt, decodingTime: decodingTime)
        if flight.wasPlaying || isPlaying { planner.loseHead() }
        switch phase {
        case .dragging: return chase(now)
        case .settling:
            if isAnother(than: flight) { return settle(now) }
            switch flight.plan.method {
            case .advance, .last: return align(now)
            default: return steps == 0 ? finish() : takeStep(from: shown, now)
            }
        case .idle: return []
        }
    }

    /// The seek led behind the film's last picture: look for that one.
    private mutating func miss(_ flight: Flight, _ now: MonotonicTime) -> [Action] {
        // Behind the last picture there is none to step to.
        guard flight.goal > .zero, flight.plan.method != .next else { return fail(flight, now) }
        inFlight = nil
        planner.loseHead()
        if flight.isBehind, phase == .settling {
            position = flight.plan.target
            return isAnother(than: flight) ? settle(now) : finish()
        }
        // Going on, there may be none because the picture on the screen was the last: a seek will tell.
        let wentOn = flight.plan.method == .advance
        if !wentOn {
            if case .last = flight.plan.method { retreat = retreat + retreat }
            end = min(end ?? flight.goal, flight.goal)
        }
        switch phase {
        case .dragging: return chase(now, exactly: wentOn)
        case .settling: return settle(now)
        case .idle: return []
        }
    }

    private mutating func fail(_ flight: Flight, _ now: MonotonicTime) -> [Action] {
        inFlight = nil
        planner.loseHead()
        switch phase {
        case .dragging:
            if flight.asked == target { abandoned = target }
            return chase(now)
        case .settling:
            if isAnother(than: flight) || flight.plan.method == .advance { return settle(now) }
            target = nil
            steps = 0
            return finish()
        case .idle: return []
        }
    }

    /// Whether something newer than this seek waits for it to be done.
    private func isAnother(than flight: Flight) -> Bool {
        if isAgain { return true }
        if isTargetExact, case .keyframe = flight.plan.method { return true }
        return target != flight.asked
    }

    private mutating func finish() -> [Action] {
        target = nil
        phase = .idle
        isPlaying = wantsPlaying
        isHushed = false
        if isPlaying { planner.loseHead() }
        return [.setHushed(false), .setPlaying(wantsPlaying)]
    }

    private mutating func wake(_ now: MonotonicTime) -> [Action] {
        guard let flight = inFlight else { return chase(now, isWake: true) }
        guard let deadline, now >= deadline else { return [] }
        return rebuild(at: flight.asked)
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

    /// The last picture stands from one picture's length before the end.
    private func clamp(_ time: MediaTime) -> MediaTime {
        guard let duration = facts?.duration else { return max(time, .zero) }
        return time.clamped(to: .zero...max(duration - planner.frameDuration, .zero))
    }
}

/// How fast the finger runs through the film, over its last few moves.
struct FingerSpeed: Hashable, Sendable {
    private(set) var lastMove: MonotonicTime?
    private var lastTarget: MediaTime?
    private(set) var isBackward = false
    /// Film seconds for each second, smoothed. A finger that has only just come down may be about to run: the first
    /// picture is a quick one, and the exact one follows if it rests.
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
