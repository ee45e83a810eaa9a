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
        case position(MediaTime)
        /// `deadline` has come.
        case wake
        /// Another film, or the same one anew: what is in flight will never be answered.
        case closed
    }

    public enum Action: Hashable, Sendable {
        case setPlaying(Bool)
        /// Keep sound out of the seeks that follow, or let it in again.
        case setHushed(Bool)
        case seek(SeekRequest)
        /// A seek never came back: build the pipeline anew at this time (M7).
        case rebuild(at: MediaTime)
    }

    /// A seek that is not answered by then never will be.
    public static let patience: Duration = .seconds(2)
    /// A finger that has not moved for so long rests.
    static let rest: Duration = .milliseconds(60)

    enum Phase: Hashable, Sendable {
        case idle
        /// A finger holds the thumb. `before` is where the film was.
        case dragging(before: MediaTime)
        /// The finger has left; the picture it asked for is on its way, or the sound behind it.
        case settling
    }

    enum Purpose: Hashable, Sendable {
        case drag
        case final
        /// The picture is right already; this one brings the sound to it.
        case align
    }

    struct Flight: Hashable, Sendable {
        var request: SeekRequest
        var plan: SeekPlanner.Plan
        var purpose: Purpose
        var sentAt: MonotonicTime
    }

    private(set) var phase = Phase.idle
    private(set) var inFlight: Flight?
    /// What the viewer wants; the pipeline follows when no drag is in the way.
    public private(set) var wantsPlaying: Bool
    private var facts: MediaFacts?
    private var planner = SeekPlanner()
    private var ticket = SeekRequest.Ticket(number: 0)
    /// The newest time asked for and not yet shown.
    private var target: MediaTime?
    private var isTargetExact = true
    private var position: MediaTime = .zero
    private var speed = FingerSpeed()
    private var didSeek = false

    public init(wantsPlaying: Bool) {
        self.wantsPlaying = wantsPlaying
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

    /// When `handle(.wake)` is due.
    public var deadline: MonotonicTime? {
        if let inFlight { return inFlight.sentAt + Self.patience }
        // Only a finger that has just stopped is waited for.
        if isDragging, let target, let moved = speed.lastMove, isLocal, !planner.isShown(target) { return moved + Self.rest }
        return nil
    }

    private var isLocal: Bool { facts?.isLocal ?? false }

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
            return complete(inFlight, at: inFlight.request.target, now)
        case .seekFailed(let failed):
            guard let inFlight, inFlight.request.ticket == failed else { return [] }
            self.inFlight = nil
            planner.loseHead()
            return inFlight.purpose == .drag ? [] : finish()
        case .setPlaying(let playing): return setPlaying(playing)
        case .jump(let time, let exact): return jump(to: time, exact, now)
        case .position(let time):
            position = time
            return []
        case .wake: return wake(now)
        case .closed:
            facts = nil
            inFlight = nil
            phase = .idle
            planner = SeekPlanner()
            return []
        }
    }

    // MARK: The film

    private mutating func becomeReady(_ facts: MediaFacts, _ now: MonotonicTime) -> [Action] {
        learn(facts)
        // Asked for before there was a film to seek in (M6).
        guard target != nil, !isDragging else { return [] }
        phase = .settling
        return settle(now)
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
        if playing { planner.loseHead() }
        return [.setPlaying(playing)]
    }

    // MARK: The slider

    private mutating func slide(_ event: SliderEvent, _ now: MonotonicTime) -> [Action] {
        guard let facts, facts.isSeekable, let duration = facts.duration else { return [] }
        switch event {
        case .touchDown(let fraction, let time):
            let before = displayedTime
            phase = .dragging(before: before)
            didSeek = inFlight != nil
            speed = FingerSpeed()
            let wasPlaying = wantsPlaying
            if wasPlaying, inFlight == nil { planner.loseHead() }
            var actions: [Action] = wasPlaying ? [.setPlaying(false)] : []
            if isLocal { actions.append(.setHushed(true)) }
            return actions + move(to: clamp(duration.scaled(by: fraction)), time, now)
        case .valueChanged(let fraction, let time):
            guard isDragging else { return [] }
            return move(to: clamp(duration.scaled(by: fraction)), time, now)
        case .touchUp(let fraction, _):
            guard isDragging else { return [] }
            target = clamp(duration.scaled(by: fraction))
            isTargetExact = true
            phase = .settling
            return settle(now)
        case .cancel:
            guard case .dragging(let before) = phase else { return [] }
            guard didSeek else {
                target = nil
                return finish()
            }
            target = before
            isTargetExact = true
            phase = .settling
            return settle(now)
        }
    }

    private mutating func move(to time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        speed.moved(to: time, at: moved)
        target = time
        return chase(now)
    }

    /// Sends the next seek of a drag, if none is in flight.
    private mutating func chase(_ now: MonotonicTime) -> [Action] {
        guard isDragging, isLocal, inFlight == nil, let target else { return [] }
        let rests = speed.lastMove.map { now - $0 >= Self.rest } ?? true
        guard let plan = planner.drag(to: target, speed: rests ? 0 : speed.filmTimePerSecond) else { return [] }
        didSeek = true
        return [send(plan, .drag, now)]
    }

    /// The finger has left, or a jump was asked for: the last seek. It does not wait for one in flight, which it makes
    /// void by flushing it away.
    private mutating func settle(_ now: MonotonicTime) -> [Action] {
        guard facts != nil, let target else { return finish() }
        if let flight = inFlight, flight.purpose == .drag {
            // On its way through the same group: it only has to go on further.
            if case .advance = flight.plan.method, let head = planner.head, flight.plan.target + planner.frameDuration <= target,
                let plan = planner.release(at: target), case .advance = plan.method, head < flight.plan.target
            {
                return [send(plan, .final, now)]
            }
            planner.loseHead()
        }
        guard let plan = isTargetExact ? planner.release(at: target) : jumpPlan(to: target) else {
            return align(now)
        }
        if case .advance = plan.method { return [send(plan, .final, now)] }
        return [.setHushed(false), send(plan, .final, now)]
    }

    private func jumpPlan(to target: MediaTime) -> SeekPlanner.Plan {
        SeekPlanner.Plan(target: target, method: .keyframe(showing: nil), pictures: 1)
    }

    /// The picture is on the screen, but the streams are not where it is: one more seek brings sound and clock to it.
    private mutating func align(_ now: MonotonicTime) -> [Action] {
        guard let target else { return finish() }
        let plan = SeekPlanner.Plan(target: target, method: .exact, pictures: 25)
        return [.setHushed(false), send(plan, .align, now)]
    }

    private mutating func jump(to time: MediaTime, _ exact: Bool, _ now: MonotonicTime) -> [Action] {
        guard !isDragging else { return [] }
        guard let facts else {
            target = time
            isTargetExact = exact
            return []
        }
        guard facts.isSeekable else { return [] }
        target = clamp(time)
        isTargetExact = exact
        phase = .settling
        // One in flight: this one goes out when the one before has put its picture on the screen (M7).
        return inFlight == nil ? settle(now) : []
    }

    // MARK: The seek queue

    private mutating func send(_ plan: SeekPlanner.Plan, _ purpose: Purpose, _ now: MonotonicTime) -> Action {
        ticket = ticket.next
        let request = SeekRequest(ticket: ticket, target: plan.target, method: plan.method)
        inFlight = Flight(request: request, plan: plan, purpose: purpose, sentAt: now)
        if case .advance = plan.method {} else { planner.loseHead() }
        return .seek(request)
    }

    private mutating func show(_ picture: Picture, _ now: MonotonicTime) -> [Action] {
        // Only the newest seek's picture counts: an older one was made void (M8).
        guard let flight = inFlight, flight.request.ticket == picture.ticket else { return [] }
        guard let time = picture.time else {
            // The target lies behind the last picture: show that one.
            planner.loseHead()
            guard flight.plan.method != .keyframe(showing: nil) else { return complete(flight, at: nil, now) }
            let last = SeekPlanner.Plan(target: flight.plan.target, method: .keyframe(showing: nil), pictures: 1)
            return [send(last, flight.purpose, now)]
        }
        return complete(flight, at: time, now)
    }

    private mutating func complete(_ flight: Flight, at time: MediaTime?, _ now: MonotonicTime) -> [Action] {
        inFlight = nil
        if let time { planner.shown(time, plan: flight.plan, took: now - flight.sentAt) }
        switch (phase, flight.purpose) {
        case (.dragging, _): return chase(now)
        case (.settling, .drag): return settle(now)
        case (.settling, .final), (.settling, .align):
            let isWaiting = target.map { $0 != flight.plan.target } ?? false
            if isWaiting, time != nil { return settle(now) }
            if case .advance = flight.plan.method { return align(now) }
            return finish()
        case (.idle, _): return []
        }
    }

    private mutating func finish() -> [Action] {
        if let target { position = target }
        target = nil
        phase = .idle
        if wantsPlaying { planner.loseHead() }
        return [.setHushed(false), .setPlaying(wantsPlaying)]
    }

    private mutating func wake(_ now: MonotonicTime) -> [Action] {
        guard let flight = inFlight else { return chase(now) }
        guard now - flight.sentAt >= Self.patience else { return [] }
        let goal = target ?? flight.request.target
        _ = handle(.closed, at: now)
        // Whoever builds the new pipeline opens it there.
        position = goal
        target = nil
        return [.rebuild(at: goal)]
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
    /// Film seconds for each second, smoothed.
    private(set) var filmTimePerSecond = 0.0

    mutating func moved(to target: MediaTime, at now: MonotonicTime) {
        defer {
            lastMove = now
            lastTarget = target
        }
        guard let lastMove, let lastTarget else { return }
        let passed = Double((now - lastMove).inNanoseconds)
        guard passed > 0 else { return }
        let current = Double(lastTarget.distance(to: target).nanoseconds) / passed
        // Half a dozen moves of a 60 Hz panel: long enough for jitter, short enough for a stop.
        filmTimePerSecond += (current - filmTimePerSecond) * 0.3
    }
}
