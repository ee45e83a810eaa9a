import PlayerCore

/// A random finger, a random viewer and a random film, with the scrub state machine between them.
///
/// Invariants are checked after every event; `faults` lists the violated ones.
struct ScrubSimulation {
    private enum Event: Int {
        case finger, film, viewer, playing, wake, mediaInfo, opened, closed, lost
    }

    /// The frame that must be on the screen in the end.
    private struct Wanted {
        var time: MediaTime
        var tolerance: SeekTolerance
    }

    private(set) var faults: [String] = []
    private(set) var seeks = 0
    private(set) var drags = 0
    private(set) var rebuilds = 0
    private(set) var misses = 0
    private(set) var story: [String] = []
    /// Whether to record `story`, which is slow.
    var isReported = false

    private var random: ScrubRandom
    private var scrubber: Scrubber
    private var film: ScrubFilm
    private var now = MonotonicTime.milliseconds(1000)
    private var due: [Event: MonotonicTime] = [:]

    // The film's behaviour.
    private let delays: [Int64]
    private let loses: Bool
    private let fails: Bool
    private let isFrameRight: Bool
    private let knowsKeyframes: Bool

    // The finger.
    private var isDown = false
    private var isOpen = false
    private var knowsMediaInfo = false
    private var value = 0.0
    private var speed = 0.0
    private var moves: Int64 = 0
    private var hasSent = false
    private var hasFailed = false
    /// Another rate is not possible then, either.
    private var wasUnseekable = false
    private var before: (time: MediaTime, wanted: Wanted?) = (.zero, nil)

    // The expected result.
    private var wanted: Wanted?
    private var isPlayingWanted: Bool
    private var unasked = 0

    init(seed: UInt64) {
        random = ScrubRandom(seed: seed)
        isPlayingWanted = random.oneIn(2)
        scrubber = Scrubber(wantsPlaying: isPlayingWanted)
        film = ScrubFilm(isPlaying: isPlayingWanted)
        delays = random.pick([[1], [1, 20], [15, 30, 60], [40, 200], [1, 700, 1900], [1, 30, 300]])
        loses = random.oneIn(8)
        fails = random.oneIn(6)
        let frame = random.pick([40, 40, 40, 40, nil, 1, 20, 41, 80] as [Int64?])
        isFrameRight = frame ?? 40 == 40
        knowsKeyframes = !random.oneIn(4)
        film.hasSound = !random.oneIn(2)
        film.group = .milliseconds(random.pick([400, 2000, 10_000]))
        film.end = .milliseconds(20_000 + random.below(2000) * 40)
        film.mediaInfo = MediaInfo(
            duration: film.end + .milliseconds(random.pick([0, 0, 60, 2000])), isSeekable: !random.oneIn(50),
            isLocal: !random.oneIn(6), hasVideo: !random.oneIn(12), frameDuration: frame.map(MediaTime.milliseconds))
        schedule(.opened, 0...300)
        schedule(.viewer, 0...2000)
        schedule(.finger, 0...500)
        if random.oneIn(4) { schedule(.mediaInfo, 0...3000) }
        if random.oneIn(10) { schedule(.closed, 0...3000) }
        if random.oneIn(8) { schedule(.lost, 0...3000) }
        schedule(.playing, 200...200)
    }

    /// Runs for some seconds, comes to rest, and checks the final state.
    mutating func run() {
        let stop = now + .milliseconds(1000 + random.below(3000))
        var steps = 0
        while let (event, time) = next(), steps < 3000 {
            steps += 1
            now = max(now, time)
            let isOver = now >= stop
            if isOver, due[.mediaInfo] != nil { due[.mediaInfo] = nil }
            due[event] = nil
            switch event {
            case .finger: if isDown || !isOver { finger() }
            case .viewer: if !isOver { viewer() }
            case .playing: if !isOver { playOn() }
            case .film: answer()
            case .wake: wake()
            case .mediaInfo: changeMediaInfo()
            case .opened: open()
            case .closed: if !isOver { close(at: .zero) }
            case .lost: if !isOver { feed(.lost) }
            }
            look()
        }
        if steps == 3000 { fault("it never comes to rest") }
        lookAtRest()
    }

    // MARK: Time

    private func next() -> (Event, MonotonicTime)? {
        var all = due
        if let deadline = scrubber.deadline { all[.wake] = deadline }
        guard let first = all.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }) else { return nil }
        return (first.key, first.value)
    }

    private mutating func schedule(_ event: Event, _ wait: ClosedRange<Int64>) {
        due[event] = now + .milliseconds(wait.lowerBound + random.below(wait.upperBound - wait.lowerBound + 1))
    }

    private mutating func fault(_ text: String) {
        if isReported, faults.isEmpty { story.append(text) }
        faults.append("\(now.nanoseconds / 1_000_000): \(text)")
    }

    // MARK: Events

    private mutating func feed(_ input: Scrubber.Input) {
        var mayVoid = false
        switch input {
        case .slider(.touchUp), .slider(.cancel): mayVoid = true
        case .slider: mayVoid = film.pending?.method == .advance
        default: break
        }
        let actions = scrubber.handle(input, at: now)
        film.perform(actions, mayVoid: mayVoid)
        if isReported, faults.isEmpty { story.append("\(now.nanoseconds / 1_000_000) \(input) -> \(actions)") }
        for case .seek in actions {
            seeks += 1
            unasked += 1
            if scrubber.isDragging {
                hasSent = true
                if !film.mediaInfo.isLocal || !film.mediaInfo.hasVideo { fault("a seek under the finger") }
            }
            due[.film] = nil
            if !loses || !random.oneIn(12) {
                let delay = random.pick(delays)
                schedule(.film, delay...delay + delay / 3)
            }
        }
        if unasked > 100 {
            fault("100 seeks for one request")
            unasked = 0
        }
        if let time = film.rebuiltAt {
            rebuilds += 1
            isOpen = false
            due[.film] = nil
            film.reopen(at: time, playing: scrubber.isPlaying)
            schedule(.opened, 0...300)
            if !scrubber.isDragging { wanted = Wanted(time: time, tolerance: .exact) }
        }
    }

    private mutating func finger() {
        unasked = 0
        guard isDown else { return touchDown() }
        if moves > 0 {
            moves -= 1
            if random.oneIn(10) { speed = newSpeed() }
            value = min(max(value + speed * 0.016, 0), 1)
            let rests = random.oneIn(15)
            schedule(.finger, rests ? 50...400 : 16...16)
            feed(.slider(.valueChanged(value, at: now)))
            return
        }
        isDown = false
        schedule(.finger, 0...1200)
        let wasDragging = scrubber.isDragging
        if random.oneIn(6) {
            cancel()
        } else {
            feed(.slider(.touchUp(value, at: now)))
            if wasDragging { ask(film.mediaInfo.duration?.scaled(by: value)) }
        }
    }

    private mutating func touchDown() {
        isDown = true
        value = Double(random.below(1001)) / 1000
        speed = newSpeed()
        moves = random.below(30)
        hasSent = film.pending != nil
        hasFailed = false
        schedule(.finger, 16...16)
        guard !scrubber.isDragging else { return fault("a drag without a finger") }
        if isOpen, !scrubber.isSeeking { feed(.position(film.shown)) }
        before = (scrubber.displayedTime, wanted)
        feed(.slider(.touchDown(value, at: now)))
        if scrubber.isDragging { drags += 1 }
    }

    private mutating func newSpeed() -> Double {
        random.pick([0, 0.001, 0.01, 0.1, 0.5, 2]) * (random.oneIn(2) ? 1 : -1)
    }

    private mutating func cancel() {
        let wasDragging = scrubber.isDragging
        feed(.slider(.cancel(at: now)))
        guard wasDragging else { return }
        if hasSent { ask(before.time) } else { wanted = before.wanted }
    }

    private mutating func viewer() {
        unasked = 0
        schedule(.viewer, 0...1500)
        if random.oneIn(6) {
            changeRate()
        } else if random.oneIn(2) {
            isPlayingWanted = random.oneIn(2)
            feed(.setPlaying(isPlayingWanted))
        } else {
            let near = SeekTolerance(
                before: .milliseconds(random.below(4000)), after: .milliseconds(random.below(4000)))
            let tolerance = random.pick([.exact, .exact, .keyFrameBefore, near])
            let time = MediaTime.milliseconds(random.below(110_000))
            feed(.jump(to: time, within: tolerance))
            if !scrubber.isDragging { ask(time, within: tolerance) }
        }
    }

    /// With a seek to the film's position, or with the drag's last one.
    private mutating func changeRate() {
        guard isOpen, film.mediaInfo.isSeekable else { return }
        film.rate = random.pick([1, 2, -1])
        if !scrubber.isSeeking { feed(.position(film.shown)) }
        feed(.again)
        if scrubber.isDragging {
            hasSent = true
        } else {
            wanted = Wanted(time: scrubber.displayedTime, tolerance: .exact)
        }
    }

    /// Notes the last request, clamped to the film.
    private mutating func ask(_ time: MediaTime?, within tolerance: SeekTolerance = .exact) {
        guard let time, !knowsMediaInfo || film.mediaInfo.isSeekable else { return wanted = nil }
        // A frame may be assumed to last 80 ms.
        let limit = knowsMediaInfo ? (film.mediaInfo.duration ?? film.end) - .milliseconds(80) : time
        // A frame that is on the screen already is not sought.
        let target = scrubber.isSeeking ? scrubber.displayedTime : time
        if target != time, target < limit || target > time { fault("asked for \(time), taken for \(target)") }
        wanted = Wanted(time: target, tolerance: tolerance)
    }

    private mutating func playOn() {
        schedule(.playing, 200...200)
        guard isOpen, film.isPlaying, !scrubber.isSeeking else { return }
        film.play(to: film.shown + .milliseconds(200))
        wanted = nil
        feed(.position(film.shown))
    }

    private mutating func answer() {
        if fails, random.oneIn(6), let failure = film.fail() {
            hasFailed = true
            feed(failure)
            if !scrubber.isSeeking { wanted = nil }
            return
        }
        guard let answer = film.answer(shownAt: now) else { return }
        feed(answer)
        guard case .frame(let frame) = answer else { return }
        if let time = frame.time { feed(.position(time)) } else { misses += 1 }
        // Late answers of older seeks must be ignored.
        if random.oneIn(4), let number = film.pending?.ticket.number, number > 1 {
            let old = SeekRequest.Ticket(number: number - 1)
            feed(.frame(SeekFrame(ticket: old, time: .zero, duration: nil, shownAt: now)))
            feed(.seekFailed(old))
        }
    }

    private mutating func wake() {
        feed(.wake)
        if let deadline = scrubber.deadline, deadline <= now { fault("a busy loop") }
    }

    private mutating func changeMediaInfo() {
        guard isOpen else { return }
        schedule(.mediaInfo, 100...1000)
        switch random.below(4) {
        case 0: film.mediaInfo.title = "Another title"
        case 1: film.mediaInfo.duration = film.end + .milliseconds(random.pick([0, 60]))
        case 2: film.mediaInfo.duration = random.oneIn(3) ? nil : film.end
        default:
            film.mediaInfo.isSeekable = !random.oneIn(3)
            if !film.mediaInfo.isSeekable { (wanted, wasUnseekable) = (nil, true) }
        }
        feed(.mediaInfo(film.mediaInfo))
        // The bar disappears under the finger.
        if isDown, !film.mediaInfo.isSeekable || film.mediaInfo.duration == nil {
            isDown = false
            cancel()
            if !film.mediaInfo.isSeekable { wanted = nil }
        }
    }

    private mutating func open() {
        isOpen = true
        knowsMediaInfo = true
        let remembered = scrubber.isDragging ? nil : wanted
        feed(.position(film.shown))
        feed(.ready(film.mediaInfo))
        if knowsKeyframes, film.mediaInfo.hasVideo { feed(.keyframes(film.keyframes)) }
        if let remembered, scrubber.isSeeking { ask(remembered.time, within: remembered.tolerance) }
        if !film.mediaInfo.isSeekable { wanted = nil }
    }

    private mutating func close(at time: MediaTime) {
        isOpen = false
        knowsMediaInfo = false
        due[.film] = nil
        // The film is gone: the actions are not performed.
        if isDown {
            isDown = false
            _ = scrubber.handle(.slider(.cancel(at: now)), at: now)
        }
        _ = scrubber.handle(.closed, at: now)
        film.reopen(at: time, playing: isPlayingWanted)
        wanted = nil
        schedule(.opened, 0...300)
        schedule(.finger, 0...500)
    }

    // MARK: Invariants

    private mutating func look() {
        for fault in film.faults.prefix(1) where faults.count < 5 { self.fault(fault) }
        if scrubber.isDragging {
            if film.isPlaying { fault("it plays under the finger") }
            if !isDown { fault("a drag without a finger") }
        } else if scrubber.isSeeking, let wanted, scrubber.displayedTime != wanted.time {
            fault("\(scrubber.displayedTime) is displayed while \(wanted.time) is sought")
        }
        if film.pending != nil, !scrubber.isSeeking, film.mediaInfo.isSeekable { fault("a seek that nobody waits for") }
        if film.pending != nil, scrubber.deadline == nil { fault("a seek without a deadline") }
        if film.pending == nil, !scrubber.isDragging, scrubber.deadline != nil { fault("a deadline for nothing") }
        let isFollowing = film.mediaInfo.isLocal && film.mediaInfo.hasVideo
        if isOpen, scrubber.isDragging, isFollowing, scrubber.deadline == nil, isFrameRight, !hasFailed {
            let time = scrubber.displayedTime
            if time < film.end, film.shown != film.frameStart(at: time) { fault("a finger at rest on another frame") }
        }
    }

    private mutating func lookAtRest() {
        if scrubber.isSeeking || scrubber.deadline != nil { fault("not at rest") }
        if film.isScrubMuted { fault("muted for ever") }
        if scrubber.wantsPlaying != isPlayingWanted || film.isPlaying != isPlayingWanted {
            fault("not the state wanted")
        }
        if film.mediaInfo.isSeekable, !wasUnseekable, !fails, film.playedRate != film.rate {
            fault("played at \(film.playedRate), not at \(film.rate)")
        }
        let displayed = scrubber.displayedTime
        let isBehind = displayed >= film.end && film.shown == film.lastFrame
        if displayed != film.shown, !isBehind { fault("\(displayed) is displayed, \(film.shown) shown") }
        guard let wanted else { return }
        if !film.mediaInfo.hasVideo {
            if film.shown != wanted.time { fault("\(film.shown) sounds, \(wanted.time) was asked for") }
        } else if wanted.time >= film.end {
            if wanted.tolerance == .exact, film.shown != film.lastFrame {
                fault("\(film.shown) is not the last picture")
            }
        } else if film.shown != film.frameStart(at: wanted.time), !isAllowed(film.shown, for: wanted) {
            fault("\(film.shown.nanoseconds) is shown, \(wanted.time.nanoseconds) was asked for")
        }
    }

    /// Whether a frame other than the exact one is allowed.
    private func isAllowed(_ shown: MediaTime, for wanted: Wanted) -> Bool {
        guard shown == film.keyframe(at: shown) else { return false }
        if wanted.tolerance == .keyFrameBefore { return shown == film.keyframe(at: wanted.time) }
        return shown + wanted.tolerance.before >= wanted.time && shown <= wanted.time + wanted.tolerance.after
    }
}
