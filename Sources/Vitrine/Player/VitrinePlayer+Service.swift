internal import Control
internal import Logging
internal import Media
internal import PlayerCore

extension VitrinePlayer {
    // MARK: Service manager

    /// The first picture is on the screen, or the first sound to be heard, or the words that stand in for them.
    func tellReady() {
        guard !supervision.isReady else { return }
        supervision.isReady = true
        log.trace("ready")
        options.service?.ready()
        settle()
    }

    /// People see what they came for, or what they wait for: now comes what the start did not need. Any number of times.
    func settle() {
        startTouch()
        options.whenSettled?()
    }

    /// What is owed to whoever looks at the screen.
    private var situation: Liveness.Situation {
        if session.film == nil || queue.machine.waitingItem != nil || session.run.laterConnection != nil || !stage.isLit
        {
            return .still
        }
        if session.run.openingDeadline != nil || (session.pipeline == nil && !stage.isMoving) { return .opening }
        guard let facts = session.facts, facts.hasVideo else { return .still }
        if session.scrubber.isDragging { return .still }
        if session.scrubber.isSeeking { return .seeking }
        let pictures = session.pipeline?.pictures
        guard session.scrubber.isPlaying, mayPlay, facts.hasAudio || pictures?.hasEnded != true else { return .still }
        // Its sender may pause, too: that is waited for, and then it is opened anew.
        if facts.isLive { return .opening }
        if facts.hasAudio, pictures?.isLast == true {
            return .soundAlone(asked: (options.service?.watchdog ?? .zero) / 2)
        }
        // Of slides, each stands as long as it says itself, or until the next one that has come.
        let frame = [facts.frameDuration, pictures?.standingTime].compactMap { $0 }.max()
        let standing = frame.flatMap { session.rate.clockTime(for: session.rate.isReverse ? -$0 : $0) }
        return session.rate.isReverse ? .backwards(frame: standing) : .playing(frame: standing)
    }

    /// What is to be read in `systemctl status`, while a display shows it.
    func tellStatus(_ words: String) {
        supervision.status = words
        showStatus()
    }

    /// Whoever updates a card asks whether there is a display (`slot`).
    func showStatus() {
        guard let words = supervision.status else { return }
        options.service?.status(stage.isUnplugged ? "no display is connected; \(words)" : words)
    }

    /// Called after everything that may have changed something.
    func observeLiveness(at now: MonotonicTime) {
        guard options.service != nil else { return }
        supervision.liveness.observe(situation, lastPicture: session.pipeline.map { $0.pictures.shownAt }, at: now)
    }

    /// Tells the service manager that all is well, if it is: silence is what it acts on.
    func answerWatchdog(at now: MonotonicTime) {
        guard let service = options.service, let watchdog = service.watchdog else { return }
        supervision.watchdogDeadline = now + watchdog / 2
        observeLiveness(at: now)
        if case .soundAlone = situation { session.pipeline?.reportPosition(ofSound: true) }
        guard supervision.liveness.isAlive(at: now) else {
            // Asked again before the manager acts: a picture may still come.
            supervision.watchdogDeadline = now + watchdog / 20
            if !supervision.isStallLogged {
                log.error("no picture reaches the screen: the service manager is to start anew")
            }
            supervision.isStallLogged = true
            return
        }
        supervision.isStallLogged = false
        service.keepWatchdogQuiet()
    }

    /// When the film's place is next to be noted; while a finger holds it there is nothing to note.
    var recordDeadline: MonotonicTime? {
        session.facts == nil || session.scrubber.isSeeking ? nil : supervision.journal?.deadline
    }

    // MARK: Films

    /// How often films are looked for where there are none.
    private static let supplyPause = Duration.seconds(5)

    /// Nothing of the playlist can be played: the screen says so, until there is something.
    func waitForFilms(_ message: String) {
        let (films, failures) = (queue.films, queue.list.failures)
        stand(message, keepsPlaylist: false)
        rearrange { $0.failures = failures }
        supervision.wait(for: Set(films), failures.pause(of: films.count), at: clock.now)
        supervision.supplyDeadline = clock.now + Self.supplyPause
        reschedule()
    }

    func lookForFilms() {
        supervision.supplyDeadline = nil
        guard queue.isIdle, isRunning, let supply = options.supply else { return }
        Task {
            let films = await offLoop { supply.films() }
            guard queue.isIdle, isRunning else { return }
            guard supervision.mayTry(films, at: clock.now) else {
                supervision.supplyDeadline = clock.now + Self.supplyPause
                return reschedule()
            }
            // The message stays until there is a picture.
            _ = fillPlaylist(with: films, keepsFailures: supervision.areSame(films))
        }
    }

    // MARK: Record

    /// Notes where the film is; written where that is worth it.
    func note(isUrgent: Bool = false) {
        let now = clock.now
        guard supervision.journal != nil else { return }
        if let facts = session.facts, !session.scrubber.isSeeking {
            updatePosition()
            supervision.journal?.observe(
                session.scrubber.displayedTime, of: facts.duration, isPlaying: session.run.state == .playing, at: now)
        }
        keep(isUrgent: isUrgent)
    }

    func keep(isUrgent: Bool = false) {
        if let record = supervision.journal?.take(isUrgent: isUrgent, at: clock.now) { options.keeper?.keep(record) }
    }
}
