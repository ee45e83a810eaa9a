internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The reports that the deciding machine was sent about the film, and the answers that it waits for.
struct MachineLink {
    var load = Load()
    /// The film that follows the end of this one.
    var next: MediaLocation?
    /// Whether the film repeats, if possible without a seek.
    var isLooping = false
    /// The message that was last reported.
    var message: String?

    /// One load. The next one replaces it as a whole.
    struct Load {
        /// `nil` while the machine has nothing open.
        var id: LoadID?
        /// The seek to answer.
        var seek: Seek?
        var isTouched = false
        /// Whether the finger has moved the film.
        var isMoved = false
        /// The rate that was last reported.
        var rate = PlaybackRate.paused
        var groups: [MediaCharacteristic: MediaSelectionGroup] = [:]
        var isSeeking = false
    }

    enum Seek {
        /// Answered with the film's first frame.
        case initial(UInt64)
        /// Answered when no seek is left; the seek may have been `isRefused`.
        case jump(UInt64, isRefused: Bool)
        /// Answered as a jump is; it goes by frames.
        case step(UInt64)
    }
}

/// Commands of the machine.
extension PlayerLoop {
    func open(_ film: FilmSession.Film, _ loadID: LoadID, _ seek: FilmSeek?) {
        link.load = MachineLink.Load(id: loadID, seek: seek.map { .initial($0.number) })
        forgetConnection()
        open(film, at: seek?.target.time)
    }

    /// Sets the film that follows the current one; `nil` if there is none, or the same film repeats without being
    /// reopened.
    func setNext(_ location: MediaLocation?) {
        link.next = location
        reschedule()
    }

    /// Performs all commands except `open` and `setNext`, which name films, and `setObserved`, which concerns none.
    func perform(_ command: FilmCommand) {
        switch command {
        case .open, .setNext, .setObserved: break
        case .close:
            closeFilm()
            setMessage(nil)
        case .closeFailed: options.saysFailures ? closeFilm() : leaveFailed()
        case .setSubtitlesShown(let areShown): setSubtitlesShown(areShown)
        case .setRate(let rate): follow(rate)
        case .setDefaultRate(let rate): setFilmRate(rate)
        case .seek(let loadID, let seek): follow(seek, in: loadID)
        case .restart(let loadID, let seek): restart(seek, in: loadID)
        case .step(let loadID, let number, let count): follow(count, number, in: loadID)
        case .setLoudness(let loudness):
            setVolume(loudness.percent)
            setMuted(loudness.isMuted)
        case .setGravity(let gravity): setGravity(gravity)
        case .setSound(let preference): setSoundPreference(preference)
        case .select(let loadID, let kind, let choice): follow(choice, of: kind, in: loadID)
        // It does not affect a choice for the film itself.
        case .setPreference(let kind, let preference):
            preferences[kind] = preference
            applyTracks()
        case .stopAtEnd(let loadID): stopAtEnd(in: loadID)
        case .setLooping(let isLooping):
            link.isLooping = isLooping
            session.pipeline?.setLooping(isLooping)
        }
    }

    /// Stops playback: the display is black.
    func closeFilm() {
        link.load = MachineLink.Load()
        if isRunning, let before = retire() { close(before) }
        clearOutgoing()
        refreshOSD()
    }

    /// Stops playback and keeps the last frame, the failed film's or the one before it, until the program decides what
    /// follows: with another film the plane is never black.
    private func leaveFailed() {
        // Blended frames are removed together with their film: nothing could be drawn over them.
        guard stage.compositor == nil else { return closeFilm() }
        link.load = MachineLink.Load()
        if isRunning, let before = retire() { leave(before) }
        refreshOSD()
    }

    /// Refuses an address that is no film.
    func refuse(_ failure: MediaFailure, _ address: String) {
        closeFilm()
        say(failure.userMessage(about: MediaLocation.title(of: address), isLocal: MediaLocation.isLocal(address)))
        refreshOSD()
    }

    func follow(_ rate: PlaybackRate) {
        if !rate.isPaused { setFilmRate(rate) }
        guard session.scrubber.wantsPlaying == rate.isPaused else { return }
        scrub(.setPlaying(!rate.isPaused), at: clock.now)
        refreshOSD()
    }

    private func follow(_ choice: TrackChoice, of kind: MediaCharacteristic, in loadID: LoadID) {
        guard link.load.id == loadID else { return }
        switch choice {
        case .automatic: session.tracks.chooseAutomatically(kind)
        case .off: session.tracks.choose(nil, of: kind)
        case .track(let place): session.tracks.choose(place + 1, of: kind)
        }
        applyTracks()
    }

    private func follow(_ seek: FilmSeek, in loadID: LoadID) {
        guard link.load.id == loadID else { return }
        link.load.seek = .jump(seek.number, isRefused: !mayBeSought)
        if session.mediaInfo?.isSeekable != false {
            expectSeek()
            scrub(.jump(to: seek.target.time, within: seek.target.tolerance), at: clock.now)
            refreshOSD()
        }
        notifyMachine()
    }

    /// Plays a film that has ended again.
    private func restart(_ seek: FilmSeek, in loadID: LoadID) {
        guard link.load.id == loadID else { return }
        if session.isStill {
            if session.scrubber.wantsPlaying { letStillStand() }
            return report { .sought($0, seek: seek.number, at: .zero) }
        }
        link.load.seek = .jump(seek.number, isRefused: !mayBeSought)
        if mayBeSought {
            let now = clock.now
            if seek.target.time == .zero, let film = session.pipeline {
                session.run.rewind(Rewind(shown: film.frames.shown, from: film.frames.start, at: now))
            }
            scrub(.jump(to: seek.target.time, within: .exact), at: now)
        }
        notifyMachine()
    }

    var mayBeSought: Bool { session.mediaInfo?.isSeekable == true && !session.scrubber.isDragging }

    /// Steps so many frames on, or back.
    private func follow(_ count: Int, _ number: UInt64, in loadID: LoadID) {
        guard link.load.id == loadID else { return }
        let isUnderWay = !session.scrubber.isDragging && takeStep(byCount: count)
        link.load.seek = isUnderWay ? .step(number) : .jump(number, isRefused: true)
        notifyMachine()
    }

    /// Stops a film that has ended, and was not moved since.
    private func stopAtEnd(in loadID: LoadID) {
        guard link.load.id == loadID, !session.scrubber.isSeeking else { return }
        if session.rate.isReverse { showFirst() } else { showLast() }
    }
}

/// Reports to the machine.
extension PlayerLoop {
    func report(_ news: (LoadID) -> FilmNews) {
        guard let loadID = link.load.id else { return }
        embedding.hear?(news(loadID))
    }

    /// Reports a change of the on-screen display, or of the screen.
    func notifyScreen() { embedding.hear?(.screen) }

    /// Reports the film's event, before it is handled.
    func notifyMachine(of event: MediaEvent) {
        switch event {
        case .ready(let mediaInfo): report { .opened($0, mediaInfo) }
        case .mediaInfo(let mediaInfo): report { .mediaInfo($0, mediaInfo) }
        case .state(let state): report { .state($0, state) }
        case .buffering(let percent): report { .buffering($0, percent: percent) }
        case .buffered(let part): report { .buffered($0, [part.times]) }
        // A remembered seek replaced the load's own.
        case .frame(let frame)
        where frame.ticket != SeekRequest.initial && session.scrubber.awaits(frame.ticket):
            if case .initial(let number)? = link.load.seek { link.load.seek = .jump(number, isRefused: false) }
            if session.isRewindMissed(by: frame) { refuseJump() }
        case .frame(let frame) where frame.ticket == SeekRequest.initial:
            guard case .initial(let number)? = link.load.seek else { return }
            if let time = frame.time {
                answer(number, at: time)
            } else {
                link.load.seek = .jump(number, isRefused: false)
            }
        // The demuxer does not find the film's start.
        case .frame(let frame) where session.isRewindMissed(by: frame): refuseJump()
        case .settled:
            guard case .initial(let number)? = link.load.seek, session.mediaInfo?.hasVideo == false else { return }
            answer(number, at: session.scrubber.displayedTime)
        case .seekFailed(let ticket):
            if ticket == SeekRequest.initial, case .initial(let number)? = link.load.seek {
                answer(number, at: nil)
            } else if session.scrubber.endsWith(ticket) {
                refuseJump()
            }
        case .windowClosed:
            notifyMachine(of: MediaFailure(reason: .noDesktop, message: "somebody closed the film's window"))
        default: break
        }
    }

    private func refuseJump() {
        if case .jump(let number, _)? = link.load.seek { link.load.seek = .jump(number, isRefused: true) }
    }

    func notifyMachine(ofWarning text: String) { report { .warning($0, text) } }

    func notifyMachine(ofRefused rate: PlaybackRate) { report { .rateRefused($0, rate) } }

    /// Reports the film's state. Called after everything that may have changed it.
    func notifyMachine() {
        notifyMachineOfMessage()
        if session.scrubber.isDragging, !link.load.isTouched {
            link.load.isTouched = true
            link.load.isMoved = false
            report { .touched($0, true) }
            // The finger refuses the seek, so the machine must know of the finger first.
            refuseSeek()
        }
        if session.scrubber.isSeeking != link.load.isSeeking, session.mediaInfo != nil {
            link.load.isSeeking = session.scrubber.isSeeking
            report { .seeking($0, link.load.isSeeking) }
        }
        guard !session.scrubber.isSeeking else { return }
        switch link.load.seek {
        case .jump(let number, let isRefused)?: answer(number, at: isRefused ? nil : session.scrubber.displayedTime)
        case .step(let number)?: answer(number, at: session.scrubber.hasStepped ? session.scrubber.displayedTime : nil)
        case .initial?, nil: break
        }
        if link.load.isTouched {
            link.load.isTouched = false
            if link.load.isMoved { report { .position($0, session.scrubber.displayedTime) } }
            report { .touched($0, false) }
            if !link.load.isMoved { report { .position($0, session.scrubber.displayedTime) } }
        }
        // A seek pauses the pipeline for a moment, but not the film.
        let goesOn = !link.load.rate.isPaused && session.pipeline != nil && session.scrubber.isPlaying && mayPlay
        let rate = session.run.state == .playing || goesOn ? session.rate : .paused
        guard rate != link.load.rate else { return }
        link.load.rate = rate
        report { .running($0, rate) }
        updatePosition()
        notifyMachineOfPosition()
    }

    /// Reports the message on the screen, also while it buffers.
    func notifyMachineOfMessage() {
        guard link.message != shownMessage else { return }
        link.message = shownMessage
        embedding.hear?(.message(shownMessage))
    }

    /// Reports tracks. Called whenever they, or their choice, may have changed.
    func notifyMachineOfTracks() {
        guard link.load.id != nil, session.mediaInfo != nil else { return }
        for kind in MediaCharacteristic.allCases {
            let (options, number) = (session.options.filter { $0.kind == kind }, selectedTrack(kind))
            let selected = options.first { $0.number == number }
            let group = MediaSelectionGroup(kind, options: options, selectedOption: selected)
            guard link.load.groups[kind] != group else { continue }
            link.load.groups[kind] = group
            report { .selection($0, group) }
        }
    }

    /// Notes that a seek, or another pipeline, has moved the film.
    func noteMove() { link.load.isMoved = true }

    /// Keeps the seek while the pipeline is replaced: it is answered with the new one's first frame, a finger's too.
    func keepSeek() {
        noteMove()
        switch link.load.seek {
        case .jump(_, isRefused: true): refuseSeek()
        // The target is remembered, and sought once the film is open.
        case .jump(_, isRefused: false) where session.scrubber.isSeeking: break
        case .jump(let number, isRefused: false), .step(let number): link.load.seek = .initial(number)
        case .initial, nil: break
        }
    }

    /// Forgets the seek, because the film is opened anew at another place.
    func forgetSeek() {
        if case .initial(let number)? = link.load.seek { answer(number, at: nil) }
        refuseSeek()
    }

    private func refuseSeek() {
        switch link.load.seek {
        case .jump(let number, _)?, .step(let number)?: answer(number, at: nil)
        case .initial?, nil: break
        }
    }

    private func answer(_ number: UInt64, at time: MediaTime?) {
        link.load.seek = nil
        report { .sought($0, seek: number, at: time) }
    }

    func notifyMachineOfPosition() {
        guard link.load.seek == nil, session.mediaInfo != nil, !session.scrubber.isSeeking else { return }
        report { .position($0, session.scrubber.displayedTime) }
    }

    /// Reports the film's end, or, in a loop, the visible start of the next loop segment.
    func notifyMachineOfEnd(isLooping: Bool = false) {
        report { .ended($0, isLooping: isLooping) }
    }

    func notifyMachineOfMissedRestart() {
        report { .restartMissed($0) }
    }

    /// Reports a failure, whose reason is on the screen.
    func notifyMachine(of failure: MediaFailure) {
        guard let loadID = link.load.id else { return }
        embedding.hear?(.failed(loadID, failure))
    }
}
