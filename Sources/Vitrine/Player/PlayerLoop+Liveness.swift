internal import Logging
internal import Media
internal import PlayerCore

/// Whether the player does what it is there for.
extension PlayerLoop {
    /// The first picture is on the screen, or the first sound to be heard.
    func tellShown() {
        guard !session.run.isShown else { return }
        session.run.isShown = true
        tell { .shown($0) }
        settle()
    }

    /// People see what they came for, or what they wait for: now comes what the start did not need. Any number of times.
    func settle() { startTouch() }

    /// What is owed to whoever looks at the screen.
    private var situation: Liveness.Situation {
        if session.film == nil || session.run.laterConnection != nil || !stage.isLit {
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
            return .soundAlone(asked: (options.watchdog ?? .zero) / 2)
        }
        // Of slides, each stands as long as it says itself, or until the next one that has come.
        let frame = [facts.frameDuration, pictures?.standingTime].compactMap { $0 }.max()
        let standing = frame.flatMap { session.rate.clockTime(for: session.rate.isReverse ? -$0 : $0) }
        return session.rate.isReverse ? .backwards(frame: standing) : .playing(frame: standing)
    }

    /// Called after everything that may have changed something.
    func observeLiveness(at now: MonotonicTime) {
        guard options.watchdog != nil else { return }
        liveness.observe(situation, lastPicture: session.pipeline.map { $0.pictures.shownAt }, at: now)
    }

    func isAlive() async -> Bool {
        let now = clock.now
        observeLiveness(at: now)
        if case .soundAlone = situation { session.pipeline?.reportPosition(ofSound: true) }
        return liveness.isAlive(at: now)
    }
}
