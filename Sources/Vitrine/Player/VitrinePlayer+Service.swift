internal import Control
internal import Logging
internal import Media
internal import PlayerCore

extension VitrinePlayer {
    // MARK: Service manager

    /// The first picture is on the screen, or the first sound to be heard, or the words that stand in for them.
    func tellReady() {
        guard !isReadyTold else { return }
        isReadyTold = true
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
        if isIdle || nextFilm != nil || laterConnection != nil || !hasScreenOn { return .still }
        if openingDeadline != nil || (film == nil && !isMoving) { return .opening }
        guard let facts, facts.hasVideo else { return .still }
        if scrubber.isDragging { return .still }
        if scrubber.isSeeking { return .seeking }
        let pictures = film?.pictures
        guard scrubber.isPlaying, mayPlay, facts.hasAudio || pictures?.hasEnded != true else { return .still }
        // Its sender may pause, too: that is waited for, and then it is opened anew.
        if facts.isLive { return .opening }
        if facts.hasAudio, pictures?.isLast == true {
            return .soundAlone(asked: (options.service?.watchdog ?? .zero) / 2)
        }
        // Of slides, each stands as long as it says itself, or until the next one that has come.
        let frame = [facts.frameDuration, pictures?.standingTime].compactMap { $0 }.max()
        let standing = frame.flatMap { filmRate.clockTime(for: filmRate.isReverse ? -$0 : $0) }
        return filmRate.isReverse ? .backwards(frame: standing) : .playing(frame: standing)
    }

    private var hasScreenOn: Bool { screen != nil && hasPower && !isDisplayGone && !isMoving }

    /// What is to be read in `systemctl status`, while a display shows it.
    func tellStatus(_ words: String) {
        statusWords = words
        showStatus()
    }

    /// Whoever updates a card asks whether there is a display (`slot`).
    func showStatus() {
        guard let words = statusWords else { return }
        options.service?.status(isDisplayGone ? "no display is connected; \(words)" : words)
    }

    /// Called after everything that may have changed something.
    func observeLiveness(at now: MonotonicTime) {
        guard options.service != nil else { return }
        liveness.observe(situation, lastPicture: film.map { $0.pictures.shownAt }, at: now)
    }

    /// Tells the service manager that all is well, if it is: silence is what it acts on.
    func answerWatchdog(at now: MonotonicTime) {
        guard let service = options.service, let watchdog = service.watchdog else { return }
        watchdogDeadline = now + watchdog / 2
        observeLiveness(at: now)
        if case .soundAlone = situation { film?.reportPosition(ofSound: true) }
        guard liveness.isAlive(at: now) else {
            // Asked again before the manager acts: a picture may still come.
            watchdogDeadline = now + watchdog / 20
            if !isStallTold { log.error("no picture reaches the screen: the service manager is to start anew") }
            isStallTold = true
            return
        }
        isStallTold = false
        service.keepWatchdogQuiet()
    }

    /// When the film's place is next to be noted; while a finger holds it there is nothing to note.
    var recordDeadline: MonotonicTime? { facts == nil || isIdle || scrubber.isSeeking ? nil : journal?.deadline }

    // MARK: Films

    /// How often films are looked for where there are none.
    private static let supplyPause = Duration.seconds(5)

    /// Nothing of the playlist can be played: the screen says so, until there is something.
    func waitForFilms(_ message: String) {
        let (films, failures) = (playlist, failures)
        stand(message, keepsPlaylist: false)
        self.failures = failures
        failedFilms = (Set(films), .now + failures.pause(of: films.count))
        supplyDeadline = .now + Self.supplyPause
        reschedule()
    }

    func lookForFilms() {
        supplyDeadline = nil
        guard isIdle, isRunning, let supply = options.supply else { return }
        Task {
            let films = await offLoop { supply.films() }
            guard isIdle, isRunning else { return }
            let areSame = failedFilms.map { $0.films == Set(films) } ?? false
            guard !films.isEmpty, !areSame || failedFilms.map({ $0.until <= .now }) ?? true else {
                supplyDeadline = .now + Self.supplyPause
                return reschedule()
            }
            isIdle = false
            if !areSame { failures = FailedFilms() }
            playlist.replace(with: films)
            (index, start, fileOptions) = (0, nil, [:])
            // The message stays until there is a picture.
            open()
            hub.changed(RemoteProperty.ofFilm)
        }
    }

    // MARK: Record

    /// Notes where the film is; written where that is worth it.
    func note(isUrgent: Bool = false, at now: MonotonicTime = .now) {
        guard journal != nil else { return }
        if let facts, !isIdle, !scrubber.isSeeking {
            updatePosition()
            journal?.observe(
                scrubber.displayedTime, of: facts.duration, isPlaying: pipelineState == .playing, at: now)
        }
        keep(isUrgent: isUrgent, at: now)
    }

    func keep(isUrgent: Bool = false, at now: MonotonicTime = .now) {
        if let record = journal?.take(isUrgent: isUrgent, at: now) { options.keeper?.keep(record) }
    }
}
