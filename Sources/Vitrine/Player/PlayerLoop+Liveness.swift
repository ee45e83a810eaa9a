internal import Logging
internal import Media
internal import PlayerCore

/// Whether the player does what it is there for.
extension PlayerLoop {
    /// The first frame is on the screen, or the first sound to be heard.
    func reportShown() {
        guard !session.run.isShown else { return }
        session.run.isShown = true
        report { .shown($0) }
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
        guard let mediaInfo = session.mediaInfo, mediaInfo.hasVideo else { return .still }
        if session.scrubber.isDragging { return .still }
        if session.scrubber.isSeeking { return .seeking }
        let frames = session.pipeline?.frames
        guard session.scrubber.isPlaying, mayPlay, mediaInfo.hasAudio || frames?.hasEnded != true else { return .still }
        // Its sender may pause, too: that is waited for, and then it is opened anew.
        if mediaInfo.isLive { return .opening }
        if mediaInfo.hasAudio, frames?.isLast == true {
            return .soundAlone(asked: (options.watchdog ?? .zero) / 2)
        }
        // Of slides, each stands as long as it says itself, or until the next one that has come.
        let frame = [mediaInfo.frameDuration, frames?.standingTime].compactMap { $0 }.max()
        let longest = frame.flatMap { session.rate.clockTime(for: session.rate.isReverse ? -$0 : $0) }
        return session.rate.isReverse ? .backwards(frame: longest) : .playing(frame: longest)
    }

    /// Called after everything that may have changed something.
    func observeLiveness(at now: MonotonicTime) {
        guard options.watchdog != nil else { return }
        liveness.observe(situation, lastFrame: session.pipeline.map { $0.frames.shownAt }, at: now)
    }

    func isAlive() async -> Bool {
        let now = clock.now
        observeLiveness(at: now)
        if case .soundAlone = situation { session.pipeline?.reportPosition(ofSound: true) }
        return liveness.isAlive(at: now)
    }
}
