internal import Control
internal import Logging
internal import Media
internal import PlayerCore

/// What follows a film's end.
extension VitrinePlayer {
    /// How long a picture without a duration stands, as a film of that length would.
    static let stillTime = Duration.seconds(10)

    /// Films that follow by themselves do so once a second at most, however brief they are: each opening is a write to the
    /// card, and one without a pause between them holds the processor.
    static let leastStay = Duration.seconds(1)

    func reachedEnd() {
        // A drag to the end does not end the film; lifting the finger there and playing on does. A pipeline that plays on at
        // its end tells that end once more.
        guard !session.scrubber.isSeeking else {
            if session.run.unsettledEnd == nil { session.run.unsettledEnd = .untold }
            return
        }
        guard !session.hasEnded, session.run.next == nil else { return }
        // Backwards, this is its start.
        if session.rate.isReverse, leader == nil {
            scrub(.setPlaying(false), at: clock.now)
            return showFirst()
        }
        if session.isStill { session.run.stillDeadline = clock.now + Self.stillTime } else { finish() }
    }

    /// It has led elsewhere.
    func moved() {
        session.run.unsettledEnd = nil
        leader?.isMoved = true
    }

    /// Where it came to nothing, the film is at its end all the same.
    func settleEnd() {
        guard !session.scrubber.isSeeking, let end = session.run.unsettledEnd else { return }
        session.run.unsettledEnd = nil
        switch end {
        case .untold: reachedEnd()
        case .told:
            session.hasEnded = true
            if session.scrubber.wantsPlaying, !startAgain() { scrub(.setPlaying(false), at: clock.now) }
        case .rewinding:
            session.hasEnded = !session.scrubber.wantsPlaying
            rewind()
        case .following(let next) where queue.contains(next.item): session.run.wait(for: next)
        case .following: goOnFromEnd()
        }
    }

    /// A still has stood for its time. Paused it stands on: the pipeline tells its end again when it plays on.
    func stillEnded() {
        session.run.stillDeadline = nil
        if session.scrubber.isPlaying, mayPlay { finish() }
    }

    private func finish() {
        if session.isRewindFruitless(at: clock.now) { return openAgain() }
        tellEnd()
        // A still that follows itself stands on, whoever leads.
        if leader != nil, queue.list.isLooping, session.isStill {
            tellLeaderOfPass()
            return rewind()
        }
        if tellLeaderOfEnd() { return }
        goOnFromEnd()
    }

    /// The film has ended: the next one follows, or it stands there.
    func goOnFromEnd() {
        switch queue.list.goOn() {
        case .again: return rewind()
        case .item(let item): return follow(with: item)
        case .nothing: break
        }
        session.hasEnded = true
        scrub(.setPlaying(false), at: clock.now)
        switch queue.list.actionAtQueueEnd {
        case .rewind: if !session.isStill { rewind() }
        case .pause: showLast()
        case .finish:
            tellEndOfEntry(.endOfFile)
            end(.ended(code: 0))
        }
    }

    /// On a machine that is too busy, decoder or sink left the very last picture out. The film is still at its end.
    func showLast() {
        guard let pictures = session.pipeline?.pictures, let newest = pictures.newest, let start = pictures.start,
            let duration = session.duration,
            start < newest
        else { return }
        log.debug("the last picture came too late: it is shown now")
        seekLast(at: duration)
    }

    /// The same of the very first one, where it was played backwards.
    func showFirst() {
        let first = session.scrubber.firstKeyframe ?? .zero
        guard let start = session.pipeline?.pictures.start, start > first else { return }
        log.debug("the first picture came too late: it is shown now")
        seekLast(at: first)
    }

    /// To the picture at whose end the film stands: that leads nowhere else.
    func seekLast(at time: MediaTime) {
        session.run.endSeek = .lastPicture
        scrub(.jump(to: time, within: .exact), at: clock.now)
    }

    /// A film was played to its end: told once for each (A5).
    func tellEnd() {
        supervision.journal?.prove()
        queue.list.failures.ended()
        counters.counted.ends += 1
        hub.changed([.ends, .loopFile, .loopPlaylist])
    }

    private func rewind() {
        if session.isStill { return session.run.stillDeadline = clock.now + Self.stillTime }
        guard session.facts?.isSeekable == true else { return openAgain() }
        session.run.endSeek = .rewind
        session.run.rewound = session.pipeline.map {
            Rewind(shown: $0.pictures.shown, from: $0.pictures.start, at: clock.now)
        }
        scrub(.jump(to: .zero, within: .exact), at: clock.now)
        updateLooping()
    }

    /// The seek to the film's start was refused, or there is none: it is opened anew, if it can.
    func openAgain() {
        if let item = queue.list.current, queue[item]?.isRepeatable == true { return follow(with: item) }
        session.hasEnded = true
        scrub(.setPlaying(false), at: clock.now)
    }

    /// Playing on after the end is playing again: first back, unless the film is there already.
    /// - Returns: `false` where there is no way back.
    func startAgain() -> Bool {
        if session.isStill {
            session.hasEnded = false
        } else if session.facts?.isSeekable == true {
            session.hasEnded = false
            // Backwards it goes on from there.
            if queue.list.actionAtQueueEnd == .pause, !session.rate.isReverse { rewind() }
        } else {
            guard queue.current?.isRepeatable == true else { return false }
            tellEndOfEntry(.endOfFile)
            openOnceMore()
        }
        return true
    }

    private func follow(with item: ItemID, after pause: Duration = .zero) {
        let now = clock.now
        let due = max(queue.openedAt + Self.leastStay, now + pause)
        session.run.wait(for: NextFilm(item: item, due: due))
        if due <= now { openNext() }
    }

    func openNext() {
        guard let next = session.run.takeNext(), queue.contains(next.item) else { return }
        // Until then the film stands, and a seek would have it go on.
        tellEndOfEntry(.endOfFile)
        guard next.item != queue.list.current else { return openOnceMore() }
        queue.list.play(next.item)
        open()
    }

    /// The same film from its start, because it cannot be sought in: what was chosen of it stays.
    private func openOnceMore() {
        let tracks = session.tracks
        open()
        session.tracks.choose(as: tracks)
    }

    /// Called whenever something else is to follow the film's end.
    func updateLooping() {
        session.pipeline?.setLooping(queue.list.isLooping)
        reschedule()
    }

    // MARK: Standstill

    /// The film plays, as far as the player knows, and nothing is under way that has a time limit of its own.
    private var isToGoOn: Bool {
        guard session.pipeline != nil, let facts = session.facts, !facts.isLive, !queue.isIdle, !stage.isMoving,
            stage.hasPower, !stage.isUnplugged
        else { return false }
        guard session.run.openingDeadline == nil, session.run.next == nil, session.run.stillDeadline == nil,
            session.run.laterConnection == nil
        else {
            return false
        }
        return session.scrubber.isPlaying && mayPlay && !session.scrubber.isSeeking && !session.hasEnded
            && !session.isStill
    }

    /// Called after everything that may have changed something.
    func observeStandstill(at now: MonotonicTime) {
        guard isToGoOn, let film = session.pipeline, let facts = session.facts else { return session.standstill.rest() }
        let pictures = film.pictures
        let input = pictures.come &+ film.soundInput
        session.standstill.observe(shown: pictures.shown, input: input, isLocal: facts.isLocal, at: now)
    }

    func stoodStill(at now: MonotonicTime) {
        observeStandstill(at: now)
        updatePosition()
        // Behind the last frame the player's own time runs on without the sound, which says itself where it stands.
        let pictures = session.pipeline?.pictures
        let place = pictures.flatMap { $0.isLast ? $0.time : nil } ?? session.scrubber.displayedTime
        var remedy = session.standstill.isDue(
            at: place, of: session.duration, isReverse: session.rate.isReverse, at: now)
        // Opened anew, it would begin at its start, and stand at the same place again.
        if case .reopen? = remedy, session.facts?.isSeekable != true || queue.current?.isRepeatable != true {
            remedy = .end
        }
        switch remedy {
        case .ask: session.pipeline?.reportPosition(ofSound: pictures?.isLast == true)
        case .end:
            log.error(
                "\(queue.name) stands at \(session.scrubber.displayedTime): that is taken as its end"
            )
            reachedEnd()
        case .reopen(let time):
            counters.counted.rebuilds += 1
            log.error("\(queue.name) stands at \(time): it is opened anew there")
            for case .rebuild in session.scrubber.handle(.lost, at: now) {
                open(at: time, isRebuild: true, isStuck: true)
            }
        case nil: break
        }
    }

    // MARK: Failures

    /// What a warning of the sound card begins with.
    static let noSound = "no sound"

    /// The film cannot be played, or not on: said in words; what follows is `goOn(after:)`'s matter.
    func failed(_ failure: MediaFailure) {
        // A sink may refuse to show pictures on a display that is not there.
        if stage.isUnplugged, session.pipeline != nil,
            failure.reason == .other || failure.reason == .network && !mayPlay
        {
            log.warning("\(failure.message): the film goes on when the display is back")
            for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
                stage.resumeLater(LaterOpening(time: time, isRebuild: true))
            }
            if let before = retire(isRebuild: true) { close(before) }
            return
        }
        if let details = failure.details { log.debug("\(failure.message)", metadata: ["details": "\(details)"]) }
        if failure.reason == .audioLost, logged.silent != queue.current {
            goOnSilently()
            return
        }
        if opensAlone(after: failure) || reconnects(after: failure) || tellLeader(of: failure) { return }
        tellEndOfEntry(.error, error: .loadingFailed)
        // It said why: the program goes on.
        if failure.reason != .stuck {
            supervision.journal?.prove()
            supervision.liveness.progress(at: clock.now)
        }
        goOn(after: failure)
    }

    /// The same film in another pipeline, without its sound: what was chosen of it, a seek and a finger stay.
    private func goOnSilently() {
        logged.goOnSilently(queue.current)
        _ = logged.warnings.isNew(Self.noSound, of: nil)
        let text = "\(Self.noSound): ALSA's card went away or refuses the film's sound; it goes on without"
        log.warning("\(text)")
        tellLeader(ofWarning: text)
        // Nobody has asked where the film is while the bar was hidden.
        updatePosition()
        // One that was still being opened is nowhere yet.
        let asked = session.facts == nil && !session.scrubber.isSeeking ? session.run.openingTime : nil
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: asked ?? time, isRebuild: true)
        }
    }

    /// After a film that failed comes what comes after an end, with words on the screen. A list of which nothing could be
    /// opened ends the run; with films of its own supply, the player waits for others.
    func goOn(after failure: MediaFailure) {
        queue.list.failures.failed(at: clock.now)
        supervision.learn(failure, of: queue.current)
        if let next = queue.list.next {
            logError(failure)
            tell(failure)
            queue.list.play(next)
            return open()
        }
        let (areAll, first) = (queue.list.haveAllFailed, queue.list.items.first)
        let isLast =
            options.supply == nil && queue.list.actionAtQueueEnd == .finish && queue.list.repetition == .none
        if areAll, !isLast, retriesPlaylist(after: failure, from: first) { return }
        // What is stuck in this process, another one may not find so.
        if areAll, let supply = options.supply, failure.reason != .stuck {
            logError(failure)
            return waitForFilms(queue.count == 1 || !isLocal ? words(of: failure) : supply.message)
        }
        let isHopeless = areAll && (options.supply != nil || !queue.list.failures.hasOpened)
        // Said by whoever started the run.
        if isHopeless || isLast { return end(.failed(failure)) }
        logError(failure)
        if let first, queue.list.repetition.takeOne() {
            if let film = retire() { close(film) }
            clearDeparted()
            tell(failure)
            tellReady()
            follow(with: first, after: queue.list.failures.pause(of: queue.count))
        } else if options.supply != nil {
            // Nobody is there to make it go on.
            if !retriesPlaylist(after: failure, from: queue.list.current) { waitForFilms(words(of: failure)) }
        } else {
            stand(words(of: failure), keepsPlaylist: true)
            scrub(.setPlaying(false), at: clock.now)
        }
    }

    private func logError(_ failure: MediaFailure) {
        log.error("\(failure.message)", metadata: failure.details.map { ["details": "\($0)"] })
    }

    /// Nothing is open, and words say why.
    func stand(_ message: String, keepsPlaylist: Bool) {
        // Its end was told already.
        queue.list.stop()
        stop(keepsPlaylist: keepsPlaylist)
        setMessage(message)
        tellStatus(message)
        tellReady()
        refreshOSD()
    }
}
