internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    // MARK: Load

    /// Opens a film, once all films before it are closed; without one, the session's film in another pipeline.
    /// - Parameters:
    ///   - time: where it starts; `nil` for its start, or the place in its entry's options.
    ///   - isStuck: whether the previous pipeline is stuck, or its display is gone: then nothing of it stays.
    func open(_ next: FilmSession.Film? = nil, at time: MediaTime? = nil, isStuck: Bool = false) {
        guard isRunning, let film = next ?? session.film else { return }
        let (location, isRebuild) = (film.location, next == nil)
        // A film that is not seekable starts anew, and a still would be skipped. A demuxer that loses a seek to the
        // start may lose the next one, too.
        let isSought = session.mediaInfo?.isSeekable != false && (time != .zero || session.rate != .normal)
        let place = isRebuild || time != nil ? nil : film.start
        let time = isRebuild ? (isSought ? time : nil) : time ?? place?.time(in: nil)
        let preloaded = takePreloaded(isRebuild || stage.isMoving ? nil : location)
        if let before = retire(isRebuild: isRebuild) {
            isStuck ? close(before) : leave(before, atOnce: preloaded != nil)
        }
        if !isRebuild {
            session.film = film
            session.setStartPlace(time == nil ? place : nil)
        }
        let run = session.run
        // It holds, too, if the film is opened in another way before its pipeline is built.
        run.startTime = time
        if stage.isMoving {
            stage.resumeLater(DeferredLoad(time: time))
            return
        }
        session.run.loadDeadline = clock.now + loadPatience
        logged.turn(to: location)
        let makePipeline = makePipeline
        let beforeFilm = options.beforeFilm
        let (output, filmDisplay) = (output(of: location), stage.filmDisplay)
        session.run.openedScreen = output.screen
        soundOutput.filmIsOpened()
        session.run.lostAt = isStuck ? clock.now : nil
        let before = filmWork
        filmWork = Task {
            await before?.value
            let ready = await readyFilm(preloaded)
            await soundOutput.listing?.value
            guard session.run === run else {
                _ = await ready?.close()
                return
            }
            do throws(MediaFailure) {
                let output = withSound(output)
                let made = try await runBlocking { () throws(MediaFailure) in
                    let film =
                        if let ready { ready } else {
                            try makePipeline(location, output, filmDisplay, false, nil)
                        }
                    // The owner is notified before the film can crash the program.
                    beforeFilm?(.opens(location, at: time, isRebuild: isRebuild))
                    return film
                }
                guard session.run === run else {
                    _ = await made.close()
                    return
                }
                run.deferredLoad = ready.map { _ in DeferredLoad(time: time) }
                begin(made, in: run, at: time)
                if ready != nil {
                    // Its frame has not waited for the sound.
                    _ = await stage.outgoing?.close(.staysAtOnce)
                    made.takeCard()
                }
            } catch {
                guard session.run === run else { return }
                failed(error)
            }
        }
    }

    func afterFilmWork(_ work: @escaping @Sendable (isolated PlayerLoop) async -> Void) {
        let before = filmWork
        filmWork = Task {
            await before?.value
            await work(self)
        }
    }

    /// Stops waiting for stuck work.
    func forgetFilmWork() { filmWork = nil }

    /// Closes a film that no longer belongs to the player.
    func close(_ film: any MediaPipeline, _ frame: FilmPipeline.LastFrame = .goes) {
        afterFilmWork { player in
            // Otherwise its threads are leaked, and only a new process helps (the service manager's part).
            if await !film.close(frame) { player.log.error("\(film.location.name): GStreamer did not let go of it") }
        }
    }

    /// Closes a film that another one follows. Its last frame stays on the plane until then, so that the plane is never
    /// black in between. Each film has its own window.
    /// - Parameter atOnce: whether the next one is ready for the plane.
    func leave(_ film: any MediaPipeline, atOnce: Bool = false) {
        guard stage.display != nil, !stage.isMoving, !stage.isUnplugged, film.frames.shown > 0 else {
            return close(film, stage.outgoing == nil ? .goes : .isCovered)
        }
        coverOutgoing()
        stage.outgoing = film
        close(film, atOnce ? .staysWithSound : .stays)
    }

    /// Handles the next film's frame on the plane.
    func coverOutgoing() {
        guard let film = stage.outgoing else { return }
        stage.outgoing = nil
        close(film, .isCovered)
    }

    /// Releases the outgoing film, once the next one is visible, and plays if it is to play, which takes precedence.
    private func coverSettled() {
        guard session.pipeline?.frames.shown ?? 0 > 0 else { return }
        if session.run.state == .playing || !session.scrubber.isPlaying || !mayPlay { coverOutgoing() }
    }

    /// Removes the outgoing film's frame, because no frame follows.
    func clearOutgoing() {
        guard let film = stage.outgoing else { return }
        stage.outgoing = nil
        close(film)
    }

    private func begin(_ made: any MediaPipeline, in run: PipelineRun, at time: MediaTime?) {
        run.pipeline = made
        made.setLooping(link.isLooping)
        made.setSound(preferences.sound)
        made.setSoundDevices(soundOutput.devices, forbidden: soundOutput.forbidden)
        made.setRate(session.rate)
        session.run.openedRate = session.rate
        if let number = session.tracks.chosen[.audible] ?? nil { made.selectAudio(number) }
        stage.compose(with: made as? FilmPipeline)
        log.trace("pipeline built")
        let events = made.events
        Task {
            for await event in events where session.run === run { handle(event) }
        }
        session.run.startTime = time
        session.run.loadDeadline = clock.now + loadPatience
        // A rate other than the film's own needs a seek.
        made.open(
            at: time ?? (session.rate == .normal ? nil : .zero),
            from: time ?? .zero == .zero ? session.startPlace : nil,
            playing: session.scrubber.isPlaying && mayPlay)
        reschedule()
    }

    /// The seek to the film's start place may decode its longest group of frames on the slowest of boards, as long as
    /// input arrives at the decoder.
    private static let seekingPatience = Duration.seconds(60)
    private static let silencePatience = Duration.seconds(10)

    /// A reopened film with at most so many frames, so short a time after, has not really played.
    private static let fewFrames: UInt64 = 25
    private static let lossesApart = Duration.seconds(30)

    /// A load that reports nothing for so long is given up. The pipeline itself gives up sooner, unless it is stuck;
    /// network sources have time limits of their own, with retries.
    var loadPatience: Duration { isLocal ? .seconds(10) : .seconds(60) }

    /// Whether the film is not played over a network.
    var isLocal: Bool { session.location?.isLocal != false }

    func failedToOpen() {
        session.run.loadDeadline = nil
        // The film is open, but the seek to its start place is not answered: it plays without that seek.
        if session.mediaInfo?.isSeekable == true, let time = session.run.startTime, session.pipeline != nil {
            if let end = session.run.seekingEnd, clock.now < end, session.run.makesProgress() {
                session.run.loadDeadline = min(clock.now + Self.silencePatience, end)
                return
            }
            counters.pipelineIsRebuilt()
            if avoid(stuckDecoder, because: "the seek to its start did not come back") {
                return open(at: losePipeline(), isStuck: true)
            }
            log.error("the seek to \(time), where the film is to start, does not come back: it starts at its beginning")
            forgetSeek()
            for case .rebuild in session.scrubber.handle(.lost, at: clock.now) { open(isStuck: true) }
            return
        }
        var failure =
            isLocal
            ? MediaFailure(reason: .stuck, message: "\(session.name): GStreamer is stuck opening it")
            : MediaFailure(reason: .network, message: "\(session.name): the server sends nothing")
        failure.decoder = stuckDecoder
        failed(failure)
    }

    /// Leaves the film's pipeline, and, unless it is rebuilt, the film. Their later reports are ignored.
    /// - Returns: the pipeline, which the caller closes.
    func retire(isRebuild: Bool = false) -> (any MediaPipeline)? {
        _ = takePreloaded(nil)
        leaveSheet()
        if isRebuild { keepSeek() }
        cancelWindowFingers()
        if let pipeline = session.pipeline { counters.keep(pipeline) }
        stage.compose(with: nil)
        // The same film keeps its bar, and a finger on it.
        if isRebuild {
            if session.run.state != .null { report { .state($0, .null) } }
            return session.leaveRun()
        }
        let left = session
        let before = turnToNext()
        guard session !== left else { return before }
        // The finger's film is gone, and with it the finger's request.
        _ = osd.controls.cancelDrag(at: clock.now)
        notifyMachine()
        return before
    }

    // MARK: Scrub

    /// Passes an input to the scrub state machine, and performs its actions.
    func scrub(_ input: Scrubber.Input, at now: MonotonicTime) {
        perform(session.scrubber.handle(input, at: now))
        followSheet()
        notifyMachine()
    }

    func perform(_ actions: [Scrubber.Action]) {
        for action in actions {
            switch action {
            case .setPlaying(let playing): session.pipeline?.setPlaying(playing && mayPlay)
            case .setScrubMuted(let scrubMuted): session.pipeline?.setScrubMuted(scrubMuted)
            case .seek(let request):
                session.run.stillDeadline = nil
                let touch = counters.seekIsSent()
                log.trace(
                    "seek \(request.ticket.number) to \(request.target.nanoseconds / 1_000_000) ms, \(request.method)")
                // The seek that this one makes void was making progress.
                if session.run.makesProgress() { _ = session.scrubber.handle(.progress(isGroup: false), at: clock.now) }
                session.run.seekIsSent(request.ticket, byTouch: touch)
                session.pipeline?.seek(request)
            case .rebuild(let time):
                counters.pipelineIsRebuilt()
                let isAvoided = avoid(stuckDecoder, because: "a seek did not come back")
                // Reopened there a moment ago, the film has hardly played, and is lost again.
                let isInVain =
                    !isAvoided && session.run.lostAt.map { clock.now - $0 < Self.lossesApart } == true
                    && session.pipeline?.frames.shown ?? 0 < Self.fewFrames
                log.error(
                    "a seek to \(time) does not come back; the film is opened anew \(isInVain ? "at its beginning" : "there")"
                )
                if isInVain { forgetSeek() }
                open(at: isInVain ? nil : time, isStuck: true)
            }
        }
    }

    /// Notes that another pipeline is to replace the film's.
    /// - Returns: the place where that one goes on: the target of a seek; the place where the film is to start, if no
    ///   frame has answered that yet; else the position.
    func losePipeline() -> MediaTime {
        let now = clock.now
        updatePosition()
        if !session.scrubber.isSeeking, let start = session.run.unansweredStart {
            _ = session.scrubber.handle(.position(start), at: now)
        }
        var place = session.scrubber.displayedTime
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: now) { place = time }
        return place
    }

    /// Updates the position from the last frame on the screen, without a query to the pipeline. Behind the very last
    /// frame the film runs on with its sound.
    func updatePosition() {
        guard let film = session.pipeline, !session.scrubber.isSeeking else { return }
        if session.mediaInfo?.isLocal == false, osd.isVisible || isFollowed {
            film.reportBuffered()
        }
        let (frames, now) = (film.frames, clock.now)
        if let mediaInfo = session.mediaInfo, mediaInfo.hasVideo, let time = frames.time {
            let end =
                frames.isLast && mediaInfo.hasAudio
                ? mediaInfo.duration ?? .unlimited : session.standsUntil(frames, at: now)
            scrub(.position(end.map { min(session.time(at: now), $0) } ?? time), at: now)
        } else {
            film.reportPosition(ofSound: frames.isLast)
        }
    }

    // MARK: Events

    func handle(_ event: MediaEvent) {
        let now = clock.now
        notifyMachine(of: event)
        switch event {
        case .ready(let mediaInfo):
            becomeReady(mediaInfo)
            harvestFrames(mediaInfo)
            if stage.screen != session.run.openedScreen { fitAnew() }
            openWithSound()
        case .cue(let track, let cue): learn(cue, of: track)
        case .caption(let change): learn(change)
        case .mediaInfo(let mediaInfo):
            let before = session.mediaInfo
            session.mediaInfo = mediaInfo
            if before != nil, let time = session.takeStartPlace(in: mediaInfo) {
                expectSeek()
                scrub(.jump(to: time, within: .exact), at: now)
            }
            // A report from before the last choice does not concern it.
            if mediaInfo.heardTrack != before?.heardTrack { session.tracks.heard = mediaInfo.heardTrack }
            if before != nil, !mediaInfo.isLocal { makeFilmstrip(mediaInfo) }
            if mediaInfo.tracks != before?.tracks || mediaInfo.heardTrack != before?.heardTrack { applyTracks() }
            scrub(.mediaInfo(mediaInfo), at: now)
        case .frame(let frame):
            if session.mediaInfo != nil { session.run.loadDeadline = nil }
            if opensWithAnotherDecoder(inPlaceOf: frame) { break }
            let isAnswer = session.scrubber.awaits(frame.ticket)
            if isAnswer, frame.time != nil {
                count(frame)
                if frame.ticket != session.run.sentSeek?.lastFrame, session.scrubber.isReached(by: frame) { moved() }
            }
            let (place, age) = (
                frame.time.map { "\($0.nanoseconds / 1_000_000) ms" } ?? "the end", now - frame.shownAt
            )
            log.trace("frame of seek \(frame.ticket.number) at \(place), \(age.inNanoseconds / 1000) us ago")
            let wasSeeking = session.scrubber.isSeeking
            scrub(.frame(frame), at: now)
            // An answer that nobody waits for does not show where the film is going.
            if let time = frame.time, isAnswer || !session.scrubber.isSeeking { scrub(.position(time), at: now) }
            // The film was to start behind its last frame.
            if frame.ticket == SeekRequest.initial, frame.time == nil, let startTime = session.run.startTime {
                scrub(.jump(to: startTime, within: .exact), at: now)
            }
            if wasSeeking, !session.scrubber.isSeeking { goOn(at: now) }
            if frame.time != nil {
                reportShown()
                coverSettled()
            }
        case .seekFailed(let ticket):
            session.run.loadDeadline = nil
            session.run.startTime = nil
            scrub(.seekFailed(ticket), at: now)
        case .rateRefused(let refused): if refused == session.rate { refuseRate() }
        case .settled:
            if session.mediaInfo?.hasVideo == false {
                session.run.startTime = nil
                moved()
            }
            scrub(.settled, at: now)
            session.setClockOfSound(at: now)
        case .state(let state):
            log.debug("State changed to \(state.rawValue)")
            session.run.state = state
            _ = session.time(at: now)
            if state == .playing { session.run.playingSince = now }
            coverSettled()
        case .position(let time):
            liveness.observe(time, at: now)
            // The duration of sound alone is known only at its end.
            session.standstill.observe(
                time, of: session.mediaInfo?.hasVideo == true ? session.duration : nil,
                isReverse: session.rate.isReverse,
                at: now)
            // Frames have the position, except for a cover; the service's watchdog asked for this one.
            guard session.mediaInfo?.hasVideo != true || session.pipeline?.frames.time == nil else { break }
            scrub(.position(time), at: now)
            // Clients are notified with the next tick, because one that reads the position at each change queries it,
            // too.
            session.setClockOfSound(at: now)
            notifyMachineOfPosition()
        case .dropped:
            counters.frameIsDropped()
            // Slow, not stuck: a new process would be no faster.
            liveness.progress(at: now)
        case .scalingRefused: scalingRefused()
        case .keyframes(let times): scrub(.keyframes(KeyframeMap(times)), at: now)
        case .buffering(let percent): buffer(percent)
        case .buffered(let part):
            session.run.loaded = part
        case .endOfStream: reachedEnd()
        case .passed:
            notifyMachineOfEnd(isLooping: true)
        case .failed(let failure): failed(failure)
        case .warning(let text):
            // All films share the sound card, whatever its problem is.
            let isSilence = text.hasPrefix(Self.noSound)
            if logged.warnings.isNew(
                isSilence ? Self.noSound : text, of: isSilence ? nil : session.pipeline?.location.name)
            {
                log.warning("\(text)")
                notifyMachine(ofWarning: text)
            }
        case .soundDevice(let device, let place): soundMoved(to: device, at: place)
        case .soundServerEnded: leaveServer()
        case .soundFailed(let device, let failure, let details): soundFailed(device, failure, details, at: now)
        case .pointer(let pointer): handle(pointer)
        case .windowClosed:
            log.info("the window was closed")
        }
        if !session.scrubber.isSeeking { session.run.endSeekIsOver() }
        notifyMachine()
        settleEnd()
        refreshOSD()
    }

    /// Continues the film from the frame on the screen, when no seek is left.
    func goOn(at now: MonotonicTime) {
        session.setClock(at: now)
    }

    /// Counts a seek's frame on the screen.
    private func count(_ frame: PlayerCore.SeekFrame) {
        counters.seekIsCompleted(forTouch: session.run.takeTouch(), at: frame.shownAt)
    }

    private func becomeReady(_ mediaInfo: MediaInfo) {
        session.mediaInfo = mediaInfo
        session.tracks.heard = mediaInfo.heardTrack
        if let time = session.takeStartPlace(in: mediaInfo) { session.run.startTime = time }
        if session.rate != .normal, !session.mayChangeRate { refuseRate() }
        let hasSought = session.run.startTime != nil && mediaInfo.hasVideo && mediaInfo.isSeekable
        session.run.loadDeadline = hasSought ? clock.now + Self.silencePatience : nil
        session.run.seekingEnd = clock.now + Self.seekingPatience
        if hasSought { session.run.seekIsSent() }
        connected(mediaInfo)
        log.info(
            "playing \(session.name)",
            metadata: ["duration": "\(mediaInfo.duration?.description ?? "--")"])
        if !mediaInfo.hasVideo {
            reportShown()
            clearOutgoing()
        }
        scrub(.ready(mediaInfo), at: clock.now)
        if session.rate != session.run.openedRate { seekAgain() }
        matchRefresh(mediaInfo)
        if session.tracks.beside.isEmpty, let film = session.location { loadSubtitles(of: film) }
        applyTracks()
        ensureOverlay()
        makeFilmstrip(mediaInfo)
        guard mediaInfo.isLocal, mediaInfo.hasVideo, mediaInfo.isSeekable, let film = session.location else { return }
        findSheet()
        let run = session.run
        let scan = KeyframeScan(film)
        session.run.scan = scan
        Task {
            let found = await scan.find()
            guard session.run === run, !found.times.isEmpty else { return }
            session.pipeline?.learn(found)
            scrub(.keyframes(KeyframeMap(found.times)), at: clock.now)
        }
    }
}
