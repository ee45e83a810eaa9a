internal import Logging
internal import Media
internal import PlayerCore

/// Checks whether the player shows what it should.
extension PlayerLoop {
    /// Reports that the first frame is on the screen, or the first sound can be heard.
    func reportShown() {
        guard !session.run.isShown else { return }
        session.run.isShown = true
        input.visit.filmIsShown(session)
        report { .shown($0) }
        settle()
        prepareSheet()
    }

    /// Starts the rest, after the first frame or message is on the screen. May be called repeatedly.
    func settle() { startTouch() }

    /// The expected display.
    private var situation: Liveness.Situation {
        if session.film == nil || session.run.laterConnection != nil || !stage.isLit {
            return .still
        }
        if session.run.loadDeadline != nil || (session.pipeline == nil && !stage.isMoving) { return .opening }
        guard let mediaInfo = session.mediaInfo, mediaInfo.hasVideo else { return .still }
        if session.scrubber.isDragging { return .still }
        if session.scrubber.isSeeking { return .seeking }
        let frames = session.pipeline?.frames
        guard session.scrubber.isPlaying, mayPlay, mediaInfo.hasAudio || frames?.hasEnded != true else { return .still }
        // The sender may pause, too: the player waits, and then opens the film anew.
        if mediaInfo.isLive { return .opening }
        if mediaInfo.hasAudio, frames?.isLast == true {
            return .soundAlone(asked: (options.watchdog ?? .zero) / 2)
        }
        // For slides, the duration that the frame has, or the time until the next one that has arrived.
        let frame = [mediaInfo.frameDuration, frames?.shownDuration].compactMap { $0 }.max()
        let longest = frame.flatMap { session.rate.clockTime(for: session.rate.isReverse ? -$0 : $0) }
        return session.rate.isReverse ? .backwards(frame: longest) : .playing(frame: longest)
    }

    /// Notes the situation. Called after everything that may have changed it.
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
