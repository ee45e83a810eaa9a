internal import Logging
internal import Media
internal import PlayerCore

/// The end of a film, and what follows.
extension PlayerLoop {
    /// How long a frame without a duration stands, like a film of that length.
    static let stillTime = Duration.seconds(10)

    func reachedEnd() {
        // A drag to the end does not end the film; lifting the finger there and playing on does. A pipeline that plays
        // on at its end reports that end again.
        guard !session.scrubber.isSeeking else { return session.run.hasDrained = true }
        if session.isStill { letStillStand() } else { finish() }
    }

    /// Shows a still image for its time.
    func letStillStand() { session.run.stillDeadline = clock.now + Self.stillTime }

    /// Notes that a seek has moved the film elsewhere.
    func moved() {
        session.run.hasDrained = false
        noteMove()
    }

    /// Ends the film after a seek that has not moved it away from the end.
    func settleEnd() {
        guard !session.scrubber.isSeeking, session.run.hasDrained else { return }
        session.run.hasDrained = false
        reachedEnd()
    }

    /// Handles a still that has been shown for its time. A paused one stays: the pipeline reports its end again when it
    /// plays on.
    func stillEnded() {
        session.run.stillDeadline = nil
        if session.scrubber.isPlaying, mayPlay { finish() }
    }

    private func finish() {
        if session.isRewindFruitless(at: clock.now) { return notifyMachineOfMissedRestart() }
        // A still that repeats stays on the screen.
        if link.isLooping, session.isStill { letStillStand() }
        notifyMachineOfEnd(isLooping: link.isLooping && session.isStill)
    }

    /// Shows the very last frame if a busy machine's decoder or sink has dropped it. The film stays at its end.
    func showLast() {
        guard let frames = session.pipeline?.frames, let newest = frames.newest, let start = frames.start,
            let duration = session.duration,
            start < newest
        else { return }
        log.debug("the last frame arrived too late: it is shown now")
        seekLast(at: duration)
    }

    /// Shows the very first frame in the same case, after backward playback.
    func showFirst() {
        let first = session.scrubber.firstKeyframe ?? .zero
        guard let start = session.pipeline?.frames.start, start > first else { return }
        log.debug("the first frame arrived too late: it is shown now")
        seekLast(at: first)
    }

    /// Seeks to the frame at whose end the film stands, which does not leave the end.
    func seekLast(at time: MediaTime) {
        session.run.seekLast()
        scrub(.jump(to: time, within: .exact), at: clock.now)
    }

    // MARK: Standstill

    /// Whether the film should progress: it plays, as far as the player knows, and nothing with a time limit of its own
    /// is under way.
    private var isToGoOn: Bool {
        guard session.pipeline != nil, let mediaInfo = session.mediaInfo, !mediaInfo.isLive, !stage.isMoving,
            stage.hasPower,
            !stage.isUnplugged
        else { return false }
        guard session.run.loadDeadline == nil, session.run.stillDeadline == nil,
            session.run.laterConnection == nil
        else {
            return false
        }
        return session.scrubber.isPlaying && mayPlay && !session.scrubber.isSeeking && !session.isStill
    }

    /// Checks for a standstill. Called after everything that may have changed the situation.
    func observeStandstill(at now: MonotonicTime) {
        guard isToGoOn, let film = session.pipeline, let mediaInfo = session.mediaInfo else {
            return session.standstill.rest()
        }
        let frames = film.frames
        session.standstill.observe(
            shown: frames.shown, frames: frames.arrived, sound: film.soundInput, isHeld: film.isHeldByDecoder,
            isLocal: mediaInfo.isLocal, at: now)
    }

    func stoodStill(at now: MonotonicTime) {
        observeStandstill(at: now)
        updatePosition()
        // Behind the last frame the player's own clock runs on without the sound, whose sink has the position.
        let frames = session.pipeline?.frames
        let place = frames.flatMap { $0.isLast ? $0.time : nil } ?? session.scrubber.displayedTime
        let stuck = stuckDecoder.flatMap { session.pipeline?.isAvoided($0) == true ? nil : $0 }
        var remedy = session.standstill.isDue(
            at: place, of: session.duration, isReverse: session.rate.isReverse, mayHaveOtherDecoder: stuck != nil,
            at: now)
        // Opened anew, the film would start at its start, and stop at the same place again.
        if case .reopen? = remedy, session.mediaInfo?.isSeekable != true || session.location?.isRepeatable != true {
            remedy = .end
        }
        switch remedy {
        case .ask: session.pipeline?.reportPosition(ofSound: frames?.isLast == true)
        case .end:
            log.error(
                "\(session.name) stands at \(session.scrubber.displayedTime): that is taken as its end"
            )
            reachedEnd()
        case .reopen(let time):
            counters.pipelineIsRebuilt()
            log.error("\(session.name) stands at \(time): it is opened anew there")
            _ = avoid(stuck, because: "it stood still")
            for case .rebuild in session.scrubber.handle(.lost, at: now) {
                open(at: time, isStuck: true)
            }
        case nil: break
        }
    }

    // MARK: Failures

    /// The start of a warning about the sound card.
    static let noSound = "no sound"

    /// Handles a film that cannot be played, or not any further. Reports the reason; the machine decides what follows.
    func failed(_ failure: MediaFailure) {
        // A sink may refuse to show frames on a missing display.
        if stage.isUnplugged, session.pipeline != nil,
            failure.reason == .other || failure.reason == .network && !mayPlay
        {
            log.warning("\(failure.message): the film goes on when the display is back")
            stage.resumeLater(DeferredLoad(time: losePipeline()))
            if let before = retire(isRebuild: true) { close(before) }
            return
        }
        if let details = failure.details { log.debug("\(failure.message)", metadata: ["details": "\(details)"]) }
        if failure.reason == .audioLost, logged.silent != session.location {
            goOnWithoutCard(at: clock.now)
            return
        }
        if opensAlone(after: failure) || opensWithAnotherDecoder(after: failure) || reconnects(after: failure) {
            return
        }
        // The film reported its failure, so the program is alive.
        if failure.reason != .stuck { liveness.progress(at: clock.now) }
        let wasSeen = counters.diagnostics(with: session.pipeline).framesShown > 0
        if options.saysFailures || wasSeen && !isLocal {
            say(userMessage(of: failure))
        } else if wasSeen {
            setMessage(userMessage(of: failure))
        }
        notifyMachine(of: failure)
    }

    /// Opens the film in another pipeline, with another sound card, or without sound. Its choices, a seek and a finger
    /// stay.
    private func goOnWithoutCard(at now: MonotonicTime) {
        if !leaveSoundRoute(at: now) {
            logged.goOnSilently(session.location)
            _ = logged.warnings.isNew(Self.noSound, of: nil)
            let text = "\(Self.noSound): the sound card went away or refuses the film's sound; the film goes on without"
            log.warning("\(text)")
            notifyMachine(ofWarning: text)
        }
        open(at: losePipeline())
    }
}
