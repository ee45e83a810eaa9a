internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// What a player that the library leads knows of that: its leader decides what is played, and what follows the end.
struct Leader {
    let news: AsyncStream<EngineNews>.Continuation
    var opening: Opening?
    /// What it will open when this film has ended.
    var next: MediaLocation?
    /// The seek that is to be answered.
    var seek: Seek?
    var isTouched = false
    /// The finger has led the film somewhere.
    var isMoved = false
    /// As it was told.
    var rate = PlaybackRate.paused
    var groups: [MediaCharacteristic: MediaSelectionGroup] = [:]
    var message: String?

    enum Seek {
        /// With the film's first picture.
        case opening(UInt64)
        /// When nothing is sought any more; it could be `isRefused`.
        case jump(UInt64, isRefused: Bool)
        /// As a jump, by pictures.
        case step(UInt64)
    }
}

extension VitrinePlayer {
    // MARK: Commands

    /// From now on, before any film.
    func beLed(by news: AsyncStream<EngineNews>.Continuation) { leader = Leader(news: news) }

    func open(_ location: MediaLocation, _ opening: Opening, _ seek: EngineSeek?) {
        leader?.opening = opening
        leader?.seek = seek.map { .opening($0.number) }
        leader?.isTouched = false
        leader?.rate = .paused
        leader?.groups = [:]
        replacePlaylist([location], at: seek?.target.time)
    }

    func closeFilm() {
        leader?.opening = nil
        leader?.seek = nil
        guard queue.isIdle else { return stop() }
        // Words about one that failed stand until then.
        setMessage(nil)
        refreshOSD()
    }

    /// What was to be opened is no film.
    func refuse(_ failure: MediaFailure, _ address: String) {
        closeFilm()
        say(failure.words(about: MediaLocation.title(of: address), isLocal: MediaLocation.isLocal(address)))
        refreshOSD()
    }

    func follow(_ rate: PlaybackRate) {
        if !rate.isPaused { _ = setRate(rate) }
        if isPlaying == rate.isPaused { setPlaying(!rate.isPaused) }
    }

    func follow(_ loudness: Loudness) {
        setVolume(Double(loudness.percent))
        setMuted(loudness.isMuted)
    }

    func follow(_ choice: TrackChoice, of kind: MediaCharacteristic, in opening: Opening) {
        guard leader?.opening == opening else { return }
        switch choice {
        case .automatic: session.tracks.chooseAutomatically(kind)
        case .off: session.tracks.choose(nil, of: kind)
        case .track(let place): session.tracks.choose(place + 1, of: kind)
        }
        applyTracks()
    }

    /// Of what was chosen of the film itself it changes nothing.
    func follow(_ wish: TrackWish, of kind: MediaCharacteristic) {
        preferences[kind] = wish
        applyTracks()
    }

    func follow(_ seek: EngineSeek, in opening: Opening) {
        guard leader?.opening == opening else { return }
        leader?.seek = .jump(seek.number, isRefused: session.facts?.isSeekable != true || session.scrubber.isDragging)
        self.seek(to: seek.target.time, within: seek.target.tolerance)
        tellLeader()
    }

    /// So many pictures on, or back.
    func follow(_ count: Int, _ number: UInt64, in opening: Opening) {
        guard leader?.opening == opening else { return }
        let isUnderWay = !session.scrubber.isDragging && step(byCount: count)
        leader?.seek = isUnderWay ? .step(number) : .jump(number, isRefused: true)
        tellLeader()
    }

    /// It has ended, and nothing has moved it since.
    func stand(in opening: Opening) {
        guard leader?.opening == opening, !session.scrubber.isSeeking else { return }
        if session.rate.isReverse { showFirst() } else { showLast() }
    }

    /// Fits films into another part of the display, as `setGravity`.
    func setArea(_ area: OSDLayout.Rectangle?) {
        guard area != stage.area else { return }
        stage.area = area
        fitAnew()
    }

    /// Goes on with the film where it is, in this part of another display, or on none.
    func move(to display: Display?, in area: OSDLayout.Rectangle?) async {
        stage.area = area
        guard let display else { return await leaveDisplay() }
        if isRunning {
            _ = await move { () throws(KMSError) in display }
        } else {
            use(display)
        }
    }

    private func leaveDisplay() async {
        guard stage.display != nil else { return }
        let time = session.scrubber.displayedTime
        let isOpen = isRunning && !queue.isIdle
        let films = [session.pipeline, stage.outgoing]
        if isOpen {
            _ = session.scrubber.handle(.lost, at: clock.now)
            if let before = retire(isRebuild: true) { close(before) }
        }
        // Its last picture stands for the next film's, which will not be seen here.
        clearDeparted()
        if let lost = osd.forgetOverlay(), await !lost.stop() {
            log.error("GStreamer did not let go of the on-screen display")
        }
        await closeFilms(and: films)
        take(nil)
        if isOpen, !queue.isIdle { open(at: time, isRebuild: true) }
    }

    // MARK: News

    private func tell(_ news: (Opening) -> EngineNews) {
        if let leader, let opening = leader.opening { leader.news.yield(news(opening)) }
    }

    /// What the film told, before it is acted upon.
    func tellLeader(of event: MediaEvent) {
        guard leader != nil else { return }
        switch event {
        case .ready(let facts): tell { .opened($0, facts) }
        case .facts(let facts): tell { .facts($0, facts) }
        case .state(let state): tell { .state($0, state) }
        case .buffering(let percent): tell { .buffering($0, percent: percent) }
        case .buffered(let part): tell { .buffered($0, [part.times]) }
        case .picture(let picture) where picture.ticket == SeekRequest.opening:
            guard case .opening(let number)? = leader?.seek, session.run.openingTime != nil else { return }
            if let time = picture.time {
                answer(number, at: time)
            } else {
                leader?.seek = .jump(number, isRefused: false)
            }
        case .settled:
            guard case .opening(let number)? = leader?.seek, session.facts?.hasVideo == false else { return }
            answer(number, at: session.scrubber.displayedTime)
        case .seekFailed(let ticket):
            if ticket == SeekRequest.opening, case .opening(let number)? = leader?.seek {
                answer(number, at: nil)
            } else if session.scrubber.endsWith(ticket), case .jump(let number, _)? = leader?.seek {
                leader?.seek = .jump(number, isRefused: true)
            }
        case .windowClosed:
            _ = tellLeader(of: MediaFailure(reason: .noDesktop, message: "somebody closed the film's window"))
        default: break
        }
    }

    func tellLeader(ofWarning text: String) { tell { .warning($0, text) } }

    /// What has become of it: after everything that may have changed it.
    func tellLeader() {
        guard leader != nil else { return }
        tellLeaderOfMessage()
        if session.scrubber.isDragging, leader?.isTouched == false {
            leader?.isTouched = true
            leader?.isMoved = false
            tell { .touched($0, true) }
            // That it came to nothing is the finger's doing, of which the leader is to know.
            refuseSeek()
        }
        guard !session.scrubber.isSeeking else { return }
        switch leader?.seek {
        case .jump(let number, let isRefused)?: answer(number, at: isRefused ? nil : session.scrubber.displayedTime)
        case .step(let number)?: answer(number, at: session.scrubber.hasStepped ? session.scrubber.displayedTime : nil)
        case .opening?, nil: break
        }
        if leader?.isTouched == true {
            leader?.isTouched = false
            if leader?.isMoved == true { tell { .position($0, session.scrubber.displayedTime) } }
            tell { .touched($0, false) }
            if leader?.isMoved == false { tell { .position($0, session.scrubber.displayedTime) } }
        }
        // A seek stops the pipeline for a moment, but not the film.
        let goesOn = leader?.rate.isPaused == false && session.pipeline != nil && session.scrubber.isPlaying && mayPlay
        let rate = session.run.state == .playing || goesOn ? session.rate : .paused
        guard rate != leader?.rate else { return }
        leader?.rate = rate
        tell { .running($0, rate) }
        updatePosition()
        tellLeaderPosition()
    }

    /// What the viewer reads, while it buffers, too (M10).
    func tellLeaderOfMessage() {
        guard leader != nil, leader?.message != shownMessage else { return }
        leader?.message = shownMessage
        leader?.news.yield(.message(shownMessage))
    }

    /// Called whenever tracks, or what is chosen of them, may be others.
    func tellLeaderOfTracks() {
        guard leader?.opening != nil, session.facts != nil else { return }
        for kind in MediaCharacteristic.allCases {
            let (options, number) = (session.options.filter { $0.kind == kind }, selectedTrack(kind))
            let selected = options.first { $0.number == number }
            let group = MediaSelectionGroup(kind, options: options, selectedOption: selected)
            guard leader?.groups[kind] != group else { continue }
            leader?.groups[kind] = group
            tell { .selection($0, group) }
        }
    }

    /// The pipeline is going to be another one: a seek is answered with its first picture, a finger's too.
    func keepSeek() {
        leader?.isMoved = true
        switch leader?.seek {
        case .jump(_, isRefused: true): refuseSeek()
        case .jump(let number, isRefused: false), .step(let number): leader?.seek = .opening(number)
        case .opening, nil: break
        }
    }

    /// It is opened anew at no time that was asked for.
    func forgetOpeningSeek() {
        if case .opening(let number)? = leader?.seek { answer(number, at: nil) }
    }

    private func refuseSeek() {
        switch leader?.seek {
        case .jump(let number, _)?, .step(let number)?: answer(number, at: nil)
        case .opening?, nil: break
        }
    }

    private func answer(_ number: UInt64, at time: MediaTime?) {
        leader?.seek = nil
        tell { .sought($0, seek: number, at: time) }
    }

    func tellLeaderPosition() {
        guard leader?.seek == nil, session.facts != nil, !session.scrubber.isSeeking else { return }
        tell { .position($0, session.scrubber.displayedTime) }
    }

    /// The next pass of a loop is seen.
    func tellLeaderOfPass() {
        tell { .ended($0, isLooping: true) }
    }

    /// - Returns: whether somebody else decides what follows.
    func tellLeaderOfEnd() -> Bool {
        guard leader != nil else { return false }
        tell { .ended($0, isLooping: false) }
        return true
    }

    /// - Returns: whether somebody else decides what follows; the film is closed then.
    func tellLeader(of failure: MediaFailure) -> Bool {
        guard let leader, let opening = leader.opening else { return leader != nil }
        let words = words(of: failure)
        closeFilm()
        say(words)
        refreshOSD()
        leader.news.yield(.failed(opening, failure))
        return true
    }
}
