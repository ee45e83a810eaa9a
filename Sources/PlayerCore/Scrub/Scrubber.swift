/// The scrub state machine: the wanted state, the drag, and the seek queue with one seek in flight and the newest waiting.
///
/// A value without a clock: `handle` takes what happened and when, and returns what to do. It never waits; `deadline`
/// says when it wants to be woken. Rows M3 to M8, A7, N1.
public struct Scrubber: Sendable {
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
        /// When it was sent, or was last seen to be on its way.
        var aliveAt: MonotonicTime
        /// From then on nothing will be seen of it until its picture.
        var isDecodingGroup = false
        /// When the first of the seeks was sent that this one and those before it made void, unanswered and without progress.
        var silentSince: MonotonicTime
        /// Sent while the film played: others may follow the picture that answers it.
        var wasPlaying: Bool
        /// What was asked for lies behind the last picture, which is on the screen: none is to answer.
        var isBehind: Bool

        var isStep: Bool { plan.method == .next || plan.method == .previous }

        /// Whether this is another picture than the one that a step was sent from: behind the last one that is shown again.
        func leads(to start: MediaTime) -> Bool {
            switch plan.method {
            case .next: start > plan.target
            case .previous: start < plan.target
            default: true
            }
        }

        /// Whether it decodes its way to a picture at the target or before it, from where the decoder then goes on to that.
        func leads(to target: MediaTime, in keyframes: KeyframeMap) -> Bool {
            switch plan.method {
            case .advance, .keyframe(showing: .some): break
            default: return false
            }
            guard goal <= target, let group = keyframes.group(at: goal) else { return goal == target }
            return target < group.end ?? .unlimited
        }

        /// No picture that ends before this one answers it.
        var goal: MediaTime {
            if case .keyframe(let showing?) = plan.method { return showing }
            return plan.target
        }
    }

    var phase = Phase.idle
    /// Where the film was before the drag that a lift ended, until something else is asked for: the lift may be taken back.
    var beforeRelease: MediaTime?
    var inFlight: Flight?
    /// What the viewer wants; the pipeline follows when no drag is in the way.
    public internal(set) var wantsPlaying: Bool
    var facts: MediaFacts?
    /// Not while a pipeline is built: then seeks are remembered.
    var isOpen = false
    var planner = SeekPlanner()
    /// What one picture took to decode on the way to the last one shown.
    var decodingTime: Duration?
    /// As the last picture says.
    var canPlayOn = false
    var ticket = SeekRequest.Ticket(number: 0)
    /// The newest time asked for and not yet shown.
    var target: MediaTime?
    /// How far from there its picture may be.
    var tolerance = SeekTolerance.exact
    /// Pictures to go on by, or back where that is below 0, once the seek in flight has shown its own.
    var steps = 0
    /// Since steps were asked for last, one of them has led to its picture.
    public internal(set) var hasStepped = false
    /// The seek in flight is to be followed by another, wherever it leads.
    var isAgain = false
    /// The same of a drag: its last seek is another than those that kept the sound out.
    var owesSeek = false
    var position: MediaTime = .zero
    var speed = FingerSpeed()
    var didSeek = false
    /// What the pipeline was told last, and what a new one is to do.
    public internal(set) var isPlaying: Bool
    var isHushed = false
    /// As this gesture has found it out.
    var end = FilmEnd()
    /// A target of a drag that cannot be had; the finger has to ask for another one.
    var abandoned: MediaTime?
    /// The plan of a drag that the picture on the screen came from: asked again it would only come again.
    var shownPlan: SeekPlanner.Plan?

    public init(wantsPlaying: Bool) {
        self.wantsPlaying = wantsPlaying
        isPlaying = wantsPlaying
    }

    /// Whether a finger holds the thumb.
    public var isDragging: Bool {
        if case .dragging = phase { return true }
        return false
    }

    /// Where the film's first picture begins, once its key frames are known.
    public var firstKeyframe: MediaTime? { planner.keyframes.first }

    /// Whether a seek is under way or waiting.
    public var isSeeking: Bool { phase != .idle || inFlight != nil || target != nil }

    /// What thumb and text show: the finger's time while it holds the thumb, the target until the last seek is done,
    /// then the film's own (M3, M5).
    public var displayedTime: MediaTime { target ?? position }

    /// Whether this is the seek whose picture is waited for: others were made void, or nobody asked for them.
    public func awaits(_ ticket: SeekRequest.Ticket) -> Bool { inFlight?.request.ticket == ticket }

    /// Whether it is its answer, and, of a step, another picture than before.
    public func isLed(by picture: Picture) -> Bool {
        guard let inFlight, awaits(picture.ticket), let start = picture.start ?? picture.time else { return false }
        return inFlight.leads(to: start)
    }

    /// Whether it is that one, and nothing follows it where it fails.
    public func endsWith(_ ticket: SeekRequest.Ticket) -> Bool {
        guard let inFlight, awaits(ticket), inFlight.plan.method != .advance else { return false }
        return !isAnother(than: inFlight)
    }

    /// Whether the film can play on from where a drag has led, without one more seek.
    var playsOn: Bool { canPlayOn && !owesSeek }

    /// Whether the picture follows the finger: remote media are sought at touch-up, and sound alone shows nothing (M4).
    var isFollowing: Bool {
        guard let facts else { return false }
        return facts.isLocal && facts.hasVideo
    }

    /// Where the film's last picture is looked for, because the target lies behind it; `nil` where it does not.
    var search: MediaTime? { end.search(for: target, in: planner.keyframes) }

    func isShown(_ target: MediaTime) -> Bool {
        search == nil ? planner.isShown(target) : isLastShown
    }

    /// The last picture is on the screen, and nothing else is on its way there.
    var isLastShown: Bool { end.last != nil && planner.head == end.last }

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
        case .progress(let isGroup):
            inFlight?.isDecodingGroup = isGroup && !isHushed
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
        beforeRelease = nil
        phase = .idle
        losePipeline()
    }

    mutating func losePipeline() {
        isOpen = false
        isAgain = false
        owesSeek = false
        steps = 0
        hasStepped = false
        inFlight = nil
        planner = SeekPlanner()
        decodingTime = nil
        canPlayOn = false
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

    /// The last picture stands from one picture's length before the end.
    func clamp(_ time: MediaTime) -> MediaTime {
        guard let duration = facts?.duration else { return time.clamped(to: .zero ... .farthest) }
        return time.clamped(to: .zero...max(duration - planner.frameDuration, .zero))
    }
}
