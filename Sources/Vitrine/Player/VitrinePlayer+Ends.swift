internal import Control
internal import Logging
internal import Media
internal import PlayerCore

/// A film that is opened once its time has come: what is on the screen stands until then.
struct NextFilm {
    /// Its place in the playlist.
    var entry: Int
    var due: MonotonicTime
}

/// Of an end, while something is sought.
enum UnsettledEnd {
    /// The film stood there when that was asked for.
    case told
    /// It came meanwhile.
    case untold
    /// The film was on its way back from there.
    case rewinding
    /// This film was to follow.
    case following(NextFilm)
}

/// What is sought because the film has ended.
enum EndSeek {
    /// Its start.
    case rewind
    /// Its very last picture, which came too late: backwards, its first.
    case lastPicture
}

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
        guard !scrubber.isSeeking else {
            if unsettledEnd == nil { unsettledEnd = .untold }
            return
        }
        guard !hasEnded, nextFilm == nil else { return }
        // Backwards, this is its start.
        if filmRate.isReverse, leader == nil {
            scrub(.setPlaying(false), at: .now)
            return showFirst()
        }
        if isStill { stillDeadline = .now + Self.stillTime } else { finish() }
    }

    /// Something is asked for that leads elsewhere.
    func leaveEnd() {
        if endSeek == .rewind {
            unsettledEnd = .rewinding
        } else if let nextFilm {
            unsettledEnd = .following(nextFilm)
        } else if hasEnded {
            unsettledEnd = .told
        }
        // What is under way to there is; what is sought from now on leads elsewhere.
        endSeek = nil
        rewound = nil
        hasEnded = false
    }

    /// It has led elsewhere.
    func moved() {
        unsettledEnd = nil
        leader?.isMoved = true
    }

    /// Where it came to nothing, the film is at its end all the same.
    func settleEnd() {
        guard !scrubber.isSeeking, let end = unsettledEnd else { return }
        unsettledEnd = nil
        switch end {
        case .untold: reachedEnd()
        case .told:
            hasEnded = true
            if scrubber.wantsPlaying, !startAgain() { scrub(.setPlaying(false), at: .now) }
        case .rewinding:
            hasEnded = !scrubber.wantsPlaying
            rewind()
        case .following(let next): nextFilm = next
        }
    }

    /// A still has stood for its time. Paused it stands on: the pipeline tells its end again when it plays on.
    func stillEnded() {
        stillDeadline = nil
        if scrubber.isPlaying, mayPlay { finish() }
    }

    private func finish() {
        if isRewindFruitless { return openAgain() }
        tellEnd()
        // A still that follows itself stands on, whoever leads.
        if leader != nil, isLooping, isStill {
            tellLeaderOfPass()
            return rewind()
        }
        if tellLeaderOfEnd() { return }
        switch repetitions.goOn(from: index, of: playlist.count) {
        case .again: return rewind()
        case .film(let entry): return follow(with: entry)
        case .nothing: break
        }
        hasEnded = true
        scrub(.setPlaying(false), at: .now)
        switch atEnd {
        case .pause, .loop: if !isStill { rewind() }
        case .stop: showLast()
        case .next:
            tellEndOfEntry(.endOfFile)
            end(.ended(code: 0))
        }
    }

    /// On a machine that is too busy, decoder or sink left the very last picture out. The film is still at its end.
    func showLast() {
        guard let pictures = film?.pictures, let newest = pictures.newest, let start = pictures.start, let duration,
            start < newest
        else { return }
        log.debug("the last picture came too late: it is shown now")
        seekLast(at: duration)
    }

    /// The same of the very first one, where it was played backwards.
    func showFirst() {
        let first = scrubber.firstKeyframe ?? .zero
        guard let start = film?.pictures.start, start > first else { return }
        log.debug("the first picture came too late: it is shown now")
        seekLast(at: first)
    }

    /// To the picture at whose end the film stands: that leads nowhere else.
    func seekLast(at time: MediaTime) {
        endSeek = .lastPicture
        scrub(.jump(to: time, within: .exact), at: .now)
    }

    /// A film was played to its end: told once for each (A5).
    func tellEnd() {
        journal?.prove()
        failures.ended()
        counters.ends += 1
        hub.changed([.ends, .loopFile, .loopPlaylist])
    }

    /// A picture that came alone, without sound: a JPEG, a PNG, or a film of one picture, whose loops would only hold the
    /// processor.
    var isStill: Bool {
        guard let facts, let film else { return false }
        let isAlone = facts.hasVideo && !facts.hasAudio && !facts.isLive && facts.duration == nil
        return facts.isPicture || isAlone && film.pictures.isOnly
    }

    private func rewind() {
        if isStill { return stillDeadline = .now + Self.stillTime }
        guard facts?.isSeekable == true else { return openAgain() }
        endSeek = .rewind
        rewound = film.map { ($0.pictures.shown, $0.pictures.start, .now) }
        scrub(.jump(to: .zero, within: .exact), at: .now)
        updateLooping()
    }

    /// The film was sought to its start and has ended again at once: its demuxer does not find the start.
    private var isRewindFruitless: Bool {
        guard let rewound, let film, facts?.hasVideo == true, !isStill else { return false }
        // A film of one frame, with sound, takes its time.
        let least = min(Duration.seconds(1), Duration.nanoseconds((duration ?? .seconds(2)).nanoseconds / 2))
        return film.pictures.shown < rewound.shown + 2 && .now - rewound.at < least
    }

    /// Whether the frame that answers a seek to the film's start is none of its start's: its demuxer does not find that.
    func isRewindMissed(by picture: Picture) -> Bool {
        guard endSeek == .rewind, scrubber.awaits(picture.ticket) else { return false }
        guard let time = picture.start ?? picture.time, let from = rewound?.from else { return picture.time == nil }
        // Where the rewind began anew, the start was on the screen already.
        return !filmRate.isReverse && from > (scrubber.firstKeyframe ?? .zero) + .milliseconds(200) && time >= from
    }

    /// The seek to the film's start was refused, or there is none: it is opened anew, if it can.
    func openAgain() {
        if playlist[index].isRepeatable { return follow(with: index) }
        hasEnded = true
        scrub(.setPlaying(false), at: .now)
    }

    /// Playing on after the end is playing again: first back, unless the film is there already.
    /// - Returns: `false` where there is no way back.
    func startAgain() -> Bool {
        if isStill {
            hasEnded = false
        } else if facts?.isSeekable == true {
            hasEnded = false
            // Backwards it goes on from there.
            if atEnd == .stop, !filmRate.isReverse { rewind() }
        } else {
            guard playlist[index].isRepeatable else { return false }
            tellEndOfEntry(.endOfFile)
            openOnceMore()
        }
        return true
    }

    private func follow(with entry: Int, after pause: Duration = .zero) {
        let now = MonotonicTime.now
        let due = max(openedAt + Self.leastStay, now + pause)
        nextFilm = NextFilm(entry: entry, due: due)
        if due <= now { openNext() }
    }

    func openNext() {
        guard let next = nextFilm else { return }
        nextFilm = nil
        guard playlist.indices.contains(next.entry) else { return }
        // Until then the film stands, and a seek would have it go on.
        tellEndOfEntry(.endOfFile)
        guard next.entry != index else { return openOnceMore() }
        index = next.entry
        open()
    }

    /// The same film from its start, because it cannot be sought in: what was chosen of it stays.
    private func openOnceMore() {
        let chosen = choice.chosen
        open()
        choice.chosen = chosen
    }

    /// Whether the film that plays follows itself for ever.
    var isLooping: Bool { repetitions.isLoop(of: playlist.count) }

    /// Called whenever something else is to follow the film's end.
    func updateLooping() {
        film?.setLooping(isLooping)
        reschedule()
    }

    // MARK: Standstill

    /// The film plays, as far as the player knows, and nothing is under way that has a time limit of its own.
    private var isToGoOn: Bool {
        guard film != nil, let facts, !facts.isLive, !isIdle, !isMoving, hasPower, !isDisplayGone else { return false }
        guard openingDeadline == nil, nextFilm == nil, stillDeadline == nil, laterConnection == nil else {
            return false
        }
        return scrubber.isPlaying && mayPlay && !scrubber.isSeeking && !hasEnded && !isStill
    }

    /// Called after everything that may have changed something.
    func observeStandstill(at now: MonotonicTime) {
        guard isToGoOn, let film, let facts else { return standstill.rest() }
        let pictures = film.pictures
        let input = pictures.come &+ film.soundInput
        standstill.observe(shown: pictures.shown, input: input, isLocal: facts.isLocal, at: now)
    }

    func stoodStill(at now: MonotonicTime) {
        observeStandstill(at: now)
        var remedy = standstill.isDue(
            at: scrubber.displayedTime, of: duration, isReverse: filmRate.isReverse, at: now)
        // Opened anew, it would begin at its start, and stand at the same place again.
        if case .reopen? = remedy, facts?.isSeekable != true || !playlist[index].isRepeatable { remedy = .end }
        switch remedy {
        case .ask: film?.reportPosition(ofSound: film?.pictures.isLast == true)
        case .end:
            log.error("\(playlist[index].name) stands at \(scrubber.displayedTime): that is taken as its end")
            reachedEnd()
        case .reopen(let time):
            counters.rebuilds += 1
            log.error("\(playlist[index].name) stands at \(time): it is opened anew there")
            for case .rebuild in scrubber.handle(.lost, at: now) { open(at: time, isRebuild: true, isStuck: true) }
        case nil: break
        }
    }

    // MARK: Failures

    /// What a warning of the sound card begins with.
    static let noSound = "no sound"

    /// The film cannot be played, or not on: said in words; what follows is `goOn(after:)`'s matter.
    func failed(_ failure: MediaFailure) {
        // A sink may refuse to show pictures on a display that is not there.
        if isDisplayGone, film != nil, failure.reason == .other || failure.reason == .network && !mayPlay {
            log.warning("\(failure.message): the film goes on when the display is back")
            for case .rebuild(let time) in scrubber.handle(.lost, at: .now) {
                laterOpening = LaterOpening(time: time, isRebuild: true)
            }
            if let before = retire(isRebuild: true) { close(before) }
            return
        }
        if let details = failure.details { log.debug("\(failure.message)", metadata: ["details": "\(details)"]) }
        if failure.reason == .audioLost, silentFilm != playlist[index] {
            goOnSilently()
            return
        }
        if opensAlone(after: failure) || reconnects(after: failure) || tellLeader(of: failure) { return }
        tellEndOfEntry(.error, error: .loadingFailed)
        // It said why: the program goes on.
        if failure.reason != .stuck {
            journal?.prove()
            liveness.progress(at: .now)
        }
        goOn(after: failure)
    }

    /// The same film in another pipeline, without its sound: what was chosen of it, a seek and a finger stay.
    private func goOnSilently() {
        silentFilm = playlist[index]
        _ = toldWarnings.isNew(Self.noSound, of: nil)
        let text = "\(Self.noSound): ALSA's card went away or refuses the film's sound; it goes on without"
        log.warning("\(text)")
        tellLeader(ofWarning: text)
        // Nobody has asked where the film is while the bar was hidden.
        updatePosition()
        // One that was still being opened is nowhere yet.
        let asked = facts == nil && !scrubber.isSeeking ? openingTime : nil
        for case .rebuild(let time) in scrubber.handle(.lost, at: .now) { open(at: asked ?? time, isRebuild: true) }
    }

    /// After a film that failed comes what comes after an end, with words on the screen. A list of which nothing could be
    /// opened ends the run; with films of its own supply, the player waits for others.
    func goOn(after failure: MediaFailure) {
        failures.failed(at: .now)
        if index + 1 < playlist.count {
            logError(failure)
            tell(failure)
            index += 1
            return open()
        }
        let areAll = failures.count >= playlist.count
        let isLast = options.supply == nil && atEnd == .next && repetitions.playlist == .none
        if areAll, !isLast, retriesPlaylist(after: failure, from: (index + 1) % playlist.count) { return }
        // What is stuck in this process, another one may not find so.
        if areAll, let supply = options.supply, failure.reason != .stuck {
            logError(failure)
            return waitForFilms(playlist.count == 1 ? words(of: failure) : supply.message)
        }
        let isHopeless = areAll && (options.supply != nil || !failures.hasOpened)
        // Said by whoever started the run.
        if isHopeless || isLast { return end(.failed(failure)) }
        logError(failure)
        if repetitions.playlist.takeOne() {
            if let film = retire() { close(film) }
            clearDeparted()
            tell(failure)
            tellReady()
            follow(with: 0, after: failures.pause(of: playlist.count))
        } else if options.supply != nil {
            // Nobody is there to make it go on.
            if !retriesPlaylist(after: failure, from: index) { waitForFilms(words(of: failure)) }
        } else {
            stand(words(of: failure), keepsPlaylist: true)
            scrub(.setPlaying(false), at: .now)
        }
    }

    private func logError(_ failure: MediaFailure) {
        log.error("\(failure.message)", metadata: failure.details.map { ["details": "\($0)"] })
    }

    /// Nothing is open, and words say why.
    func stand(_ message: String, keepsPlaylist: Bool) {
        // Its end was told already.
        isIdle = true
        stop(keepsPlaylist: keepsPlaylist)
        setMessage(message)
        tellStatus(message)
        tellReady()
        refreshOSD()
    }
}
