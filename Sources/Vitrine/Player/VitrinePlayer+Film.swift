internal import Control
internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension VitrinePlayer {
    // MARK: Opening

    /// Opens the playlist's film at `index`, once all films before it are closed.
    /// - Parameters:
    ///   - isRebuild: the same film in another pipeline; a finger on the bar stays the drag's owner.
    ///   - isStuck: the pipeline before is, or its display is gone: nothing of it is to stay.
    func open(at time: MediaTime? = nil, isRebuild: Bool = false, isStuck: Bool = false) {
        guard isRunning, playlist.indices.contains(index) else { return }
        let location = playlist[index]
        let entry = playlist.number(at: index)
        // What cannot be sought in begins anew; a still would be stepped over. A demuxer that loses a seek to the start may
        // lose the next one, too.
        let isSought = facts?.isSeekable != false && (time != .zero || filmRate != .normal)
        let place = isRebuild || time != nil ? nil : fileOptions[entry]?.start
        let time = isRebuild ? (isSought ? time : nil) : time ?? place?.time(in: nil)
        let prepared = takePrepared(isRebuild || isMoving ? nil : location)
        if let before = retire(isRebuild: isRebuild) {
            isStuck ? close(before) : leave(before, atOnce: prepared != nil)
        }
        if !isRebuild {
            openingPlace = time == nil ? place : nil
            applyOptions(ofEntry: entry)
        }
        if isMoving {
            laterOpening = LaterOpening(time: time, isRebuild: isRebuild)
            return
        }
        let number = filmNumber
        openedAt = .now
        openingDeadline = .now + Self.openingPatience(of: location)
        if location != silentFilm { silentFilm = nil }
        if !isRebuild {
            journal?.open(location.name, size: location.size, at: time)
        }
        let (record, keeper) = (journal?.take(isUrgent: true, at: .now), options.keeper)
        let (output, filmDisplay) = (output(of: location), display.map { FilmDisplay($0, log) })
        openedScreen = output.screen
        if toldEntry != entry {
            toldEntry = entry
            hub.send(.startFile(playlistEntry: entry))
        }
        afterFilmWork { player in
            let ready = await player.readyFilm(prepared)
            guard number == player.filmNumber else {
                _ = await ready?.close()
                return
            }
            do throws(MediaFailure) {
                let made = try await offLoop { () throws(MediaFailure) in
                    let film =
                        if let ready { ready } else {
                            try FilmPipeline(location, output: output, display: filmDisplay)
                        }
                    // Before the film can bring the program down.
                    if let record { keeper?.keepStart(record) }
                    return film
                }
                guard number == player.filmNumber else {
                    _ = await made.close()
                    return
                }
                player.heldOpening = ready.map { _ in LaterOpening(time: time, isRebuild: true) }
                player.begin(made, number, at: time)
                if ready != nil {
                    // Its picture has not waited for the sound.
                    _ = await player.departed?.close(.staysAtOnce)
                    made.takeCard()
                }
            } catch {
                guard number == player.filmNumber else { return }
                player.failed(error)
            }
        }
    }

    func afterFilmWork(_ work: @escaping @Sendable (isolated VitrinePlayer) async -> Void) {
        let before = filmWork
        filmWork = Task {
            await before?.value
            await work(self)
        }
    }

    /// Closes a film that is no longer the player's.
    func close(_ film: FilmPipeline, _ picture: FilmPipeline.LastPicture = .goes) {
        afterFilmWork { player in
            // Otherwise its threads are lost; what still works is a new process (the service manager's part).
            if await !film.close(picture) { player.log.error("\(film.location.name): GStreamer did not let go of it") }
        }
    }

    /// Closes a film that another one follows: its last picture stands on the plane until then, so that it is never black in
    /// between. Each film's window is its own.
    /// - Parameter atOnce: the next one is ready for the plane.
    func leave(_ film: FilmPipeline, atOnce: Bool = false) {
        guard display != nil, !isMoving, !isDisplayGone, film.pictures.shown > 0 else {
            return close(film, departed == nil ? .goes : .isCovered)
        }
        coverDeparted()
        departed = film
        close(film, atOnce ? .staysWithSound : .stays)
    }

    /// The next film's picture is on the plane.
    func coverDeparted() {
        guard let film = departed else { return }
        departed = nil
        close(film, .isCovered)
    }

    /// The film before is let go of, once the next one is seen, and plays if it is to play: that goes first.
    private func coverSettled() {
        guard film?.pictures.shown ?? 0 > 0 else { return }
        if pipelineState == .playing || !scrubber.isPlaying || !mayPlay { coverDeparted() }
    }

    /// No picture follows.
    func clearDeparted() {
        guard let film = departed else { return }
        departed = nil
        close(film)
    }

    private func begin(_ made: FilmPipeline, _ number: Int, at time: MediaTime?) {
        film = made
        made.setLooping(isLooping)
        made.setSound(choice.sound)
        // A film that comes next begins at its start.
        if rate.isReverse, time == nil, leader == nil { rate = .normal }
        made.setRate(filmRate)
        openedRate = filmRate
        if let number = choice.chosen[.audible] ?? nil { made.selectAudio(number) }
        compose(with: made)
        log.trace("pipeline built")
        let events = made.events
        Task {
            for await event in events where number == filmNumber { handle(event) }
        }
        openingTime = time
        openingDeadline = .now + Self.openingPatience(of: made.location)
        // Another rate than the film's own comes with a seek.
        made.open(
            at: time ?? (filmRate == .normal ? nil : .zero), from: time == nil ? openingPlace : nil,
            playing: scrubber.isPlaying && mayPlay)
        reschedule()
    }

    /// The seek to where the film starts may decode its longest group of pictures on the slowest of boards.
    private static let seekingPatience = Duration.seconds(60)

    /// A film that tells nothing for so long never will. The pipeline itself gives up sooner, unless it is stuck; what
    /// comes over a network has time limits of its own, with repetitions.
    static func openingPatience(of location: MediaLocation) -> Duration {
        location.isLocal ? .seconds(10) : .seconds(60)
    }

    func failedToOpen() {
        openingDeadline = nil
        // It is open, and the seek to where it starts is not answered: without that seek, it plays.
        if facts?.isSeekable == true, let time = openingTime, film != nil {
            log.error("the seek to \(time), where the film is to start, does not come back: it starts at its beginning")
            counters.rebuilds += 1
            for case .rebuild in scrubber.handle(.lost, at: .now) { open(isRebuild: true, isStuck: true) }
            return
        }
        let location = playlist[index]
        failed(
            location.isLocal
                ? MediaFailure(reason: .stuck, message: "\(location.name): GStreamer is stuck opening it")
                : MediaFailure(reason: .network, message: "\(location.name): nothing comes from the server"))
    }

    /// Forgets the film: what it still tells is not heard.
    func retire(isRebuild: Bool = false) -> FilmPipeline? {
        filmNumber += 1
        _ = takePrepared(nil)
        if isRebuild { keepSeek() }
        cancelWindowFingers()
        scan?.cancel()
        scan = nil
        if let film {
            counters.shownBefore += film.pictures.shown
            earlierPictures = Array((earlierPictures + film.recentPictures).suffix(Self.recentCount))
        }
        let before = film
        film = nil
        compose(with: nil)
        journal?.close()
        openingDeadline = nil
        nextFilm = nil
        stillDeadline = nil
        endSeek = nil
        unsettledEnd = nil
        rewound = nil
        choice.stopClock()
        laterConnection = nil
        soughtTouch = nil
        buffering = nil
        loaded = nil
        pipelineState = .null
        // The same film has the same bar, also for the finger on it.
        if isRebuild { return before }
        // Before the first film, what was asked for is asked of it (M6).
        guard filmNumber > 1 else { return nil }
        facts = nil
        standstill = Standstill()
        choice.forget()
        hasEnded = false
        isRateRefused = false
        hub.changed(RemoteProperty.ofFilm)
        for case .slider(let event) in slider.cancelDrag(at: .now) { scrub(.slider(event), at: .now) }
        scrub(.closed, at: .now)
        return before
    }

    // MARK: Scrub

    /// Feeds the scrub state machine and does what it says.
    func scrub(_ input: Scrubber.Input, at now: MonotonicTime) {
        perform(scrubber.handle(input, at: now))
        tellLeader()
    }

    func perform(_ actions: [Scrubber.Action]) {
        for action in actions {
            switch action {
            case .setPlaying(let playing): film?.setPlaying(playing && mayPlay)
            case .setHushed(let hushed): film?.setHushed(hushed)
            case .seek(let request):
                nextFilm = nil
                stillDeadline = nil
                counters.seeksSent += 1
                soughtTouch = unansweredTouch
                lastPictureSeek = endSeek == .lastPicture ? request.ticket : nil
                log.trace(
                    "seek \(request.ticket.number) to \(request.target.nanoseconds / 1_000_000) ms, \(request.method)")
                // The one that this makes void was on its way.
                if hasCome() { _ = scrubber.handle(.progress(isGroup: false), at: .now) }
                cameBefore = film?.pictures.come
                film?.seek(request)
                hub.send(.seek)
            case .rebuild(let time):
                counters.rebuilds += 1
                log.error("a seek to \(time) does not come back; the film is opened anew there")
                open(at: time, isRebuild: true, isStuck: true)
            }
        }
        if !actions.isEmpty { hub.changed(RemoteProperty.ofSeek) }
    }

    /// Whether pictures have come to the decoder since this was last asked, and since the seek in flight was sent. A small
    /// machine takes its time from a key frame to a picture far from it: that is no seek that never comes back.
    func hasCome() -> Bool {
        guard let come = film?.pictures.come, let before = cameBefore, come != before else { return false }
        cameBefore = come
        return true
    }

    /// Where the film is: the last picture on the screen says it, without asking the pipeline. Behind the very last one the film
    /// runs on with its sound (M2, M3).
    func updatePosition() {
        guard let film, !scrubber.isSeeking else { return }
        if facts?.isLocal == false, visibilityState.isVisible || hub.hasListeners || leader != nil {
            film.reportBuffered()
        }
        let (pictures, now) = (film.pictures, MonotonicTime.now)
        if let facts, facts.hasVideo, let time = pictures.time {
            let end = pictures.isLast && facts.hasAudio ? facts.duration ?? .unlimited : standsUntil(pictures, at: now)
            scrub(.position(end.map { min(filmTime(at: now), $0) } ?? time), at: now)
        } else {
            film.reportPosition(ofSound: pictures.isLast)
        }
    }

    /// Where the next frame begins, once the film has gone on for longer behind the one on the screen than the position takes to be
    /// told again. `nil` where frames follow one another, and where the decoder has none for later.
    private func standsUntil(_ pictures: PictureCount, at now: MonotonicTime) -> MediaTime? {
        guard !filmRate.isReverse, let time = pictures.time, let next = pictures.newest, next > time,
            filmTime(at: now) - time > .milliseconds(240)
        else { return nil }
        return next
    }

    // MARK: News

    func handle(_ event: MediaEvent) {
        let now = MonotonicTime.now
        tellLeader(of: event)
        switch event {
        case .ready(let facts):
            becomeReady(facts)
            if screen != openedScreen { fitAnew() }
        case .cue(let track, let cue): learn(cue, of: track)
        case .facts(let facts):
            let before = self.facts
            self.facts = facts
            if before != nil, let place = openingPlace, let time = place.time(in: facts.duration) {
                openingPlace = nil
                seek(to: time)
            }
            // One that was told before the last choice says nothing of it.
            if facts.heardTrack != before?.heardTrack { choice.heard = facts.heardTrack }
            if facts.tracks != before?.tracks || facts.heardTrack != before?.heardTrack { applyTracks() }
            scrub(.facts(facts), at: now)
            hub.changed(RemoteProperty.ofFilm)
        case .picture(let picture):
            if facts != nil { openingDeadline = nil }
            let isAnswer = scrubber.awaits(picture.ticket)
            if isAnswer, picture.time != nil {
                count(picture)
                if picture.ticket != lastPictureSeek, scrubber.isLed(by: picture) { moved() }
            }
            let (place, age) = (
                picture.time.map { "\($0.nanoseconds / 1_000_000) ms" } ?? "the end", now - picture.shownAt
            )
            log.trace("picture of seek \(picture.ticket.number) at \(place), \(age.inNanoseconds / 1000) us ago")
            let wasSeeking = scrubber.isSeeking
            let isRewindMissed = isRewindMissed(by: picture)
            scrub(.picture(picture), at: now)
            // The demuxer does not find the film's start.
            if isRewindMissed, !scrubber.isSeeking { openAgain() }
            // One that nobody waits for says nothing of where the film is going.
            if let time = picture.time, isAnswer || !scrubber.isSeeking { scrub(.position(time), at: now) }
            // It was to start behind its last picture.
            if picture.ticket == SeekRequest.opening, picture.time == nil, let openingTime {
                scrub(.jump(to: openingTime, within: .exact), at: now)
            }
            if wasSeeking, !scrubber.isSeeking { goOn(at: now) }
            if picture.time != nil {
                tellReady()
                coverSettled()
            }
            hub.changed(RemoteProperty.ofSeek)
        case .seekFailed(let ticket):
            openingDeadline = nil
            let isRewind = endSeek == .rewind && scrubber.awaits(ticket)
            scrub(.seekFailed(ticket), at: now)
            if isRewind, !scrubber.isSeeking { openAgain() }
        case .rateRefused(let refused): if refused == rate { refuseRate() }
        case .settled:
            if facts?.hasVideo == false { moved() }
            scrub(.settled, at: now)
            placeSound(at: now)
        case .state(let state):
            log.debug("State changed to \(state.rawValue)")
            pipelineState = state
            _ = filmTime(at: now)
            if state == .playing { playingSince = now }
            coverSettled()
            hub.changed(RemoteProperty.ofSeek)
            note(isUrgent: state == .paused, at: now)
        case .position(let time):
            liveness.observe(time, at: now)
            // Sound alone is as long as it turns out to be.
            standstill.observe(
                time, of: facts?.hasVideo == true ? duration : nil, isReverse: filmRate.isReverse, at: now)
            // Pictures say it themselves, except for a sound's cover; the service's watchdog asked.
            guard facts?.hasVideo != true || film?.pictures.time == nil else { break }
            scrub(.position(time), at: now)
            // Clients hear of it with the next tick: one that reads it for each change asks for it, too.
            placeSound(at: now)
            tellLeaderPosition()
        case .dropped:
            counters.dropped += 1
            // Late, not stuck: a new process would be no faster.
            liveness.progress(at: now)
        case .scalingRefused: scalingRefused()
        case .keyframes(let times): scrub(.keyframes(KeyframeMap(times)), at: now)
        case .buffering(let percent): buffer(percent)
        case .buffered(let part):
            loaded = part
            hub.changed([.demuxerCacheTime])
        case .endOfStream: reachedEnd()
        case .passed:
            tellEnd()
            tellLeaderOfPass()
            hub.changed(RemoteProperty.ofSeek)
        case .failed(let failure): failed(failure)
        case .warning(let text):
            // The sound card is that of all films, whatever is the matter with it.
            let isSilence = text.hasPrefix(Self.noSound)
            if toldWarnings.isNew(isSilence ? Self.noSound : text, of: isSilence ? nil : film?.location.name) {
                log.warning("\(text)")
                tellLeader(ofWarning: text)
            }
        case .pointer(let pointer): handle(pointer)
        case .windowClosed:
            log.info("the window was closed")
            end(.ended(code: 0))
        }
        if !scrubber.isSeeking { endSeek = nil }
        settleEnd()
        tellLeader()
        refreshOSD()
    }

    /// Nothing is sought any more: the film goes on from the picture on the screen.
    func goOn(at now: MonotonicTime) {
        placeClock(at: now)
        hub.send(.playbackRestart)
        note(isUrgent: true, at: now)
    }

    /// A seek's picture is on the screen.
    private func count(_ picture: PlayerCore.Picture) {
        counters.seeksCompleted += 1
        guard let touch = soughtTouch else { return }
        soughtTouch = nil
        if unansweredTouch == touch { unansweredTouch = nil }
        counters.answeredTouch = touch
        counters.lastAnswer = picture.shownAt
    }

    private func becomeReady(_ facts: MediaFacts) {
        self.facts = facts
        choice.heard = facts.heardTrack
        if let time = openingPlace?.time(in: facts.duration) { (openingTime, openingPlace) = (time, nil) }
        if filmRate != .normal, !mayChangeRate { refuseRate() }
        let hasSought = openingTime != nil && facts.hasVideo && facts.isSeekable
        openingDeadline = hasSought ? .now + Self.seekingPatience : nil
        failures.opened(at: .now)
        connected(facts)
        hub.send(.fileLoaded)
        hub.send(.playbackRestart)
        hub.changed(RemoteProperty.ofFilm)
        log.info("playing \(playlist[index].name)", metadata: ["duration": "\(facts.duration?.description ?? "--")"])
        tellStatus("playing \(playlist[index].name)")
        if !facts.hasVideo {
            tellReady()
            clearDeparted()
        }
        scrub(.ready(facts), at: .now)
        if filmRate != openedRate { seekAgain() }
        matchRefresh(facts)
        if choice.beside.isEmpty { loadSubtitles(of: playlist[index]) }
        applyTracks()
        ensureOverlay()
        guard facts.isLocal, facts.hasVideo, facts.isSeekable else { return }
        let number = filmNumber
        let scan = KeyframeScan(playlist[index])
        self.scan = scan
        Task {
            let found = await scan.find()
            guard number == filmNumber, !found.times.isEmpty else { return }
            film?.learn(found)
            scrub(.keyframes(KeyframeMap(found.times)), at: .now)
        }
    }
}
