internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// What the machine that decides has been told of the film, and what it waits for.
struct MachineLink {
    var opening: Opening?
    /// What follows when this film has ended.
    var next: MediaLocation?
    /// The film follows itself, without a seek where it can.
    var isLooping = false
    /// The seek that is to be answered.
    var seek: Seek?
    var isTouched = false
    /// The finger has led the film somewhere.
    var isMoved = false
    /// As it was told.
    var rate = PlaybackRate.paused
    var groups: [MediaCharacteristic: MediaSelectionGroup] = [:]
    var message: String?
    var isSeeking = false
    /// What failed may be over in a while.
    var isPassing = false

    enum Seek {
        /// With the film's first picture.
        case opening(UInt64)
        /// When nothing is sought any more; it could be `isRefused`.
        case jump(UInt64, isRefused: Bool)
        /// As a jump, by pictures.
        case step(UInt64)
    }
}

/// What a machine asks for.
extension PlayerLoop {
    func open(_ film: FilmSession.Film, _ opening: Opening, _ seek: FilmSeek?) {
        link.opening = opening
        link.seek = seek.map { .opening($0.number) }
        link.isTouched = false
        link.rate = .paused
        link.groups = [:]
        link.isSeeking = false
        forgetConnection()
        open(film, at: seek?.target.time)
    }

    /// All but `open`, and `setNext`, which name films.
    func perform(_ command: FilmCommand) {
        switch command {
        case .open, .setNext: break
        case .close:
            closeFilm()
            setMessage(nil)
        case .closeFailed: link.isPassing && !options.saysFailures ? leaveFailed() : closeFilm()
        case .setObserved(let isObserved):
            embedding.isObserved = isObserved
            reschedule()
        case .setSubtitlesShown(let areShown): setSubtitlesShown(areShown)
        case .setRate(let rate): follow(rate)
        case .setDefaultRate(let rate): setFilmRate(rate)
        case .seek(let opening, let seek): follow(seek, in: opening)
        case .restart(let opening, let seek): restart(seek, in: opening)
        case .step(let opening, let number, let count): follow(count, number, in: opening)
        case .setLoudness(let loudness):
            setVolume(loudness.percent)
            setMuted(loudness.isMuted)
        case .setGravity(let gravity): setGravity(gravity)
        case .setSound(let preference): setSoundPreference(preference)
        case .select(let opening, let kind, let choice): follow(choice, of: kind, in: opening)
        // Of what was chosen of the film itself it changes nothing.
        case .setWish(let kind, let wish):
            preferences[kind] = wish
            applyTracks()
        case .stand(let opening): stand(in: opening)
        case .setLooping(let isLooping):
            link.isLooping = isLooping
            session.pipeline?.setLooping(isLooping)
        }
    }

    /// Nothing is played any more: the display is black.
    func closeFilm() {
        link.opening = nil
        link.seek = nil
        if isRunning, let before = retire() { close(before) }
        clearDeparted()
        refreshOSD()
    }

    /// Nothing is played any more, and the last picture stands: the film may be tried again.
    private func leaveFailed() {
        guard stage.compositor == nil else { return closeFilm() }
        link.opening = nil
        link.seek = nil
        if isRunning, let before = retire() { leave(before) }
        refreshOSD()
    }

    /// What was to be opened is no film.
    func refuse(_ failure: MediaFailure, _ address: String) {
        closeFilm()
        say(failure.words(about: MediaLocation.title(of: address), isLocal: MediaLocation.isLocal(address)))
        refreshOSD()
    }

    func follow(_ rate: PlaybackRate) {
        if !rate.isPaused { setFilmRate(rate) }
        guard session.scrubber.wantsPlaying == rate.isPaused else { return }
        scrub(.setPlaying(!rate.isPaused), at: clock.now)
        refreshOSD()
    }

    private func follow(_ choice: TrackChoice, of kind: MediaCharacteristic, in opening: Opening) {
        guard link.opening == opening else { return }
        switch choice {
        case .automatic: session.tracks.chooseAutomatically(kind)
        case .off: session.tracks.choose(nil, of: kind)
        case .track(let place): session.tracks.choose(place + 1, of: kind)
        }
        applyTracks()
    }

    private func follow(_ seek: FilmSeek, in opening: Opening) {
        guard link.opening == opening else { return }
        link.seek = .jump(seek.number, isRefused: !mayBeSought)
        if session.facts?.isSeekable != false {
            expectSeek()
            scrub(.jump(to: seek.target.time, within: seek.target.tolerance), at: clock.now)
            refreshOSD()
        }
        tellMachine()
    }

    var mayBeSought: Bool { session.facts?.isSeekable == true && !session.scrubber.isDragging }

    /// So many pictures on, or back.
    private func follow(_ count: Int, _ number: UInt64, in opening: Opening) {
        guard link.opening == opening else { return }
        let isUnderWay = !session.scrubber.isDragging && takeStep(byCount: count)
        link.seek = isUnderWay ? .step(number) : .jump(number, isRefused: true)
        tellMachine()
    }

    /// It has ended, and nothing has moved it since.
    private func stand(in opening: Opening) {
        guard link.opening == opening, !session.scrubber.isSeeking else { return }
        if session.rate.isReverse { showFirst() } else { showLast() }
    }
}

/// What a machine is told.
extension PlayerLoop {
    func tell(_ news: (Opening) -> FilmNews) {
        guard let opening = link.opening else { return }
        embedding.hear?(news(opening))
    }

    /// What is on the screen besides the film, or the screen itself, is another.
    func tellScreen() { embedding.hear?(.screen) }

    /// What the film told, before it is acted upon.
    func tellMachine(of event: MediaEvent) {
        switch event {
        case .ready(let facts): tell { .opened($0, facts) }
        case .facts(let facts): tell { .facts($0, facts) }
        case .state(let state): tell { .state($0, state) }
        case .buffering(let percent): tell { .buffering($0, percent: percent) }
        case .buffered(let part): tell { .buffered($0, [part.times]) }
        // A seek that was remembered took the opening's place.
        case .picture(let picture)
        where picture.ticket != SeekRequest.opening && session.scrubber.awaits(picture.ticket):
            if case .opening(let number)? = link.seek { link.seek = .jump(number, isRefused: false) }
            if session.isRewindMissed(by: picture) { refuseJump() }
        case .picture(let picture) where picture.ticket == SeekRequest.opening:
            guard case .opening(let number)? = link.seek else { return }
            if let time = picture.time {
                answer(number, at: time)
            } else {
                link.seek = .jump(number, isRefused: false)
            }
        // The demuxer does not find the film's start.
        case .picture(let picture) where session.isRewindMissed(by: picture): refuseJump()
        case .settled:
            guard case .opening(let number)? = link.seek, session.facts?.hasVideo == false else { return }
            answer(number, at: session.scrubber.displayedTime)
        case .seekFailed(let ticket):
            if ticket == SeekRequest.opening, case .opening(let number)? = link.seek {
                answer(number, at: nil)
            } else if session.scrubber.endsWith(ticket) {
                refuseJump()
            }
        case .windowClosed:
            tellMachine(of: MediaFailure(reason: .noDesktop, message: "somebody closed the film's window"))
        default: break
        }
    }

    private func refuseJump() {
        if case .jump(let number, _)? = link.seek { link.seek = .jump(number, isRefused: true) }
    }

    func tellMachine(ofWarning text: String) { tell { .warning($0, text) } }

    func tellMachine(ofRefused rate: PlaybackRate) { tell { .rateRefused($0, rate) } }

    /// What has become of it: after everything that may have changed it.
    func tellMachine() {
        tellMachineOfMessage()
        if session.scrubber.isDragging, !link.isTouched {
            link.isTouched = true
            link.isMoved = false
            tell { .touched($0, true) }
            // That it came to nothing is the finger's doing, of which the machine is to know.
            refuseSeek()
        }
        if session.scrubber.isSeeking != link.isSeeking, session.facts != nil {
            link.isSeeking = session.scrubber.isSeeking
            tell { .seeking($0, link.isSeeking) }
        }
        guard !session.scrubber.isSeeking else { return }
        switch link.seek {
        case .jump(let number, let isRefused)?: answer(number, at: isRefused ? nil : session.scrubber.displayedTime)
        case .step(let number)?: answer(number, at: session.scrubber.hasStepped ? session.scrubber.displayedTime : nil)
        case .opening?, nil: break
        }
        if link.isTouched {
            link.isTouched = false
            if link.isMoved { tell { .position($0, session.scrubber.displayedTime) } }
            tell { .touched($0, false) }
            if !link.isMoved { tell { .position($0, session.scrubber.displayedTime) } }
        }
        // A seek stops the pipeline for a moment, but not the film.
        let goesOn = !link.rate.isPaused && session.pipeline != nil && session.scrubber.isPlaying && mayPlay
        let rate = session.run.state == .playing || goesOn ? session.rate : .paused
        guard rate != link.rate else { return }
        link.rate = rate
        tell { .running($0, rate) }
        updatePosition()
        tellMachineOfPosition()
    }

    /// What the viewer reads, while it buffers, too (M10).
    func tellMachineOfMessage() {
        guard link.message != shownMessage else { return }
        link.message = shownMessage
        embedding.hear?(.message(shownMessage))
    }

    /// Called whenever tracks, or what is chosen of them, may be others.
    func tellMachineOfTracks() {
        guard link.opening != nil, session.facts != nil else { return }
        for kind in MediaCharacteristic.allCases {
            let (options, number) = (session.options.filter { $0.kind == kind }, selectedTrack(kind))
            let selected = options.first { $0.number == number }
            let group = MediaSelectionGroup(kind, options: options, selectedOption: selected)
            guard link.groups[kind] != group else { continue }
            link.groups[kind] = group
            tell { .selection($0, group) }
        }
    }

    /// The pipeline is going to be another one: a seek is answered with its first picture, a finger's too.
    func keepSeek() {
        link.isMoved = true
        switch link.seek {
        case .jump(_, isRefused: true): refuseSeek()
        // Its target is remembered, and sought once the film is open.
        case .jump(_, isRefused: false) where session.scrubber.isSeeking: break
        case .jump(let number, isRefused: false), .step(let number): link.seek = .opening(number)
        case .opening, nil: break
        }
    }

    /// It is opened anew at no time that was asked for.
    func forgetSeek() {
        if case .opening(let number)? = link.seek { answer(number, at: nil) }
        refuseSeek()
    }

    private func refuseSeek() {
        switch link.seek {
        case .jump(let number, _)?, .step(let number)?: answer(number, at: nil)
        case .opening?, nil: break
        }
    }

    private func answer(_ number: UInt64, at time: MediaTime?) {
        link.seek = nil
        tell { .sought($0, seek: number, at: time) }
    }

    func tellMachineOfPosition() {
        guard link.seek == nil, session.facts != nil, !session.scrubber.isSeeking else { return }
        tell { .position($0, session.scrubber.displayedTime) }
    }

    /// The film has ended; where it loops, the next pass is seen.
    func tellMachineOfEnd(isLooping: Bool = false) {
        tell { .ended($0, isLooping: isLooping) }
    }

    func tellMachineOfMissedRestart() {
        tell { .restartMissed($0) }
    }

    /// Why, is on the screen.
    func tellMachine(of failure: MediaFailure) {
        guard let opening = link.opening else { return }
        link.isPassing = failure.isPassing
        embedding.hear?(.failed(opening, failure))
    }
}
