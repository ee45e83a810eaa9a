internal import Control
internal import KMS
internal import Logging
public import Media
public import PlayerCore

extension VitrinePlayer {
    // MARK: Transport

    /// The wanted state (T3). During a drag it is remembered until the finger has left.
    public func setPlaying(_ playing: Bool) {
        if playing, session.hasEnded, !startAgain() { return }
        scrub(.setPlaying(playing), at: clock.now)
        refreshOSD()
    }

    /// Whether it is to play; it may still wait for something.
    public var isPlaying: Bool { session.scrubber.wantsPlaying }

    /// Jumps to a time of the film, clamped to it; before the film is open it is remembered (M6).
    /// - Returns: `false` where nothing can be sought in.
    @discardableResult
    public func seek(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        guard session.facts?.isSeekable != false else { return false }
        expectSeek()
        scrub(.jump(to: time, within: tolerance), at: clock.now)
        refreshOSD()
        return true
    }

    private func expectSeek() {
        counters.seeksAsked += 1
        counters.unansweredTouch = nil
        // Somebody went elsewhere before the film's length was known.
        session.openingPlace = nil
        session.leaveEnd()
    }

    /// Where the film is, or is going: during a drag the finger's time, until the last seek is done its target.
    public var currentTime: MediaTime {
        updatePosition()
        return session.scrubber.displayedTime
    }

    /// The film's; `nil` without one, while it is unknown, and for live media.
    public var duration: MediaTime? { session.duration }

    /// Pauses, and shows the picture that comes so many after the one on the screen, or before it where `count` is below 0, 25
    /// at most; as many as there are.
    /// - Returns: `false` where there are no pictures, or there is no way to them.
    public func step(byCount count: Int) -> Bool {
        guard count != 0, let facts = session.facts, facts.hasVideo, facts.isSeekable, !facts.isLive,
            let pictures = session.pipeline?.pictures
        else { return false }
        let start = pictures.start ?? .zero
        guard count > 0 || session.scrubber.isSeeking || start > .zero else { return false }
        setPlaying(false)
        expectSeek()
        // In sound behind the last picture the film is further on than that one was told to be.
        updatePosition()
        let shown = Scrubber.Standing(start: start, place: max(pictures.time ?? .zero, session.scrubber.displayedTime))
        scrub(.step(count, from: shown), at: clock.now)
        refreshOSD()
        return true
    }

    /// Fits films into the display another way (S4): the one that plays is opened anew where it is, behind its last picture.
    public func setGravity(_ gravity: VideoGravity) {
        guard gravity != stage.gravity else { return }
        stage.gravity = gravity
        hub.changed([.gravity, .panscan, .keepaspect])
        fitAnew()
    }

    /// Where films go, or how they are fitted, has changed.
    func fitAnew() {
        // What follows an end that was told is fitted so; the end would be told again.
        guard stage.screen != nil, session.run.next == nil, let film = session.pipeline,
            let facts = session.facts, facts.hasVideo
        else { return }
        // What is live goes on where it is by then, and a still has no place. What a server sends once, from the start, stays as
        // it is, and so does the last picture of what was live.
        let isLive = facts.isLive && !film.pictures.hasEnded
        let isAnywhere = (isLive || session.isStill) && queue.entries[queue.index].isRepeatable
        guard facts.isSeekable || isAnywhere else { return }
        updatePosition()
        if isAnywhere { forgetOpeningSeek() }
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: isAnywhere ? nil : time, isRebuild: true)
        }
    }

    // MARK: Playlist

    /// What happens at the end of the playlist.
    public func setAtEnd(_ atEnd: PlayerOptions.AtEnd) {
        queue.atEnd = atEnd
        queue.repetitions.playlist = atEnd == .loop ? .forever : .none
        updateLooping()
        hub.changed([.atEnd, .loopPlaylist])
    }

    /// How often each film is played once more before the next one.
    public func setFilmRepetition(_ repetition: Repetition) {
        queue.repetitions.film = repetition
        updateLooping()
        hub.changed([.loopFile])
    }

    /// How often the playlist begins again.
    public func setPlaylistRepetition(_ repetition: Repetition) {
        queue.repetitions.playlist = repetition
        // A loop that is over ends as films do by default.
        if repetition != .forever, queue.atEnd == .loop { queue.atEnd = .pause }
        updateLooping()
        hub.changed([.atEnd, .loopPlaylist])
    }

    /// Plays these films from the first, now. Where there are none, the test picture; a player with films of its own supply
    /// says what it waits for.
    /// - Returns: the number of the first entry; `nil` where there is none.
    @discardableResult
    public func replacePlaylist(_ films: [MediaLocation], at start: MediaTime? = nil) -> Int? {
        replacePlaylist(films, at: start, with: nil)
    }

    /// - Parameter options: those of the first film.
    func replacePlaylist(_ films: [MediaLocation], at start: MediaTime?, with options: FileOptions?) -> Int? {
        leave()
        queue.replace(with: films)
        queue.failures = FailedFilms()
        if films.isEmpty, let supply = self.options.supply {
            waitForFilms(supply.message)
            return nil
        }
        if films.isEmpty { queue.entries.append(.testPicture) }
        queue.setOptions(options, at: 0)
        queue.isIdle = false
        // The library's next item is opened like this, too.
        if leader == nil || osd.message != osd.farewell?.words { setMessage(nil) }
        queue.start = start
        open(at: start)
        hub.changed(RemoteProperty.ofFilm)
        return queue.entries.number(at: 0)
    }

    /// - Parameters:
    ///   - films: come at the playlist's end.
    ///   - start: where the first of them starts whenever it is opened.
    ///   - plays: the first of them is opened at once where nothing plays.
    /// - Returns: its number; `nil` where there is none.
    @discardableResult
    public func append(_ films: [MediaLocation], at start: MediaTime? = nil, plays: Bool = true) -> Int? {
        add(films, with: start.map { FileOptions(start: .time($0)) }, plays: plays)
    }

    /// - Parameters:
    ///   - place: where the first of them comes; `nil` for the playlist's end.
    ///   - options: those of the first film.
    ///   - plays: the first of them is opened at once where nothing plays.
    /// - Returns: the first one's number; `nil` where there is none.
    func add(_ films: [MediaLocation], at place: Int? = nil, with options: FileOptions?, plays: Bool) -> Int? {
        guard !films.isEmpty else { return nil }
        let place = place ?? queue.count
        rearrange { entries in
            for (offset, film) in films.enumerated() { entries.insert(film, at: place + offset) }
        }
        queue.setOptions(options, at: place)
        let number = queue.entries.number(at: place)
        if queue.isIdle, plays { _ = play(entry: place) }
        return number
    }

    /// Where `insert-next` inserts: behind the entry that plays, or last.
    var nextPlace: Int { queue.isIdle ? queue.count : queue.index + 1 }

    /// Leaves the film that plays, and none besides.
    public func clearPlaylist() {
        let current = queue.isIdle ? nil : queue.index
        rearrange { $0.removeAll(butThatAt: current) }
    }

    /// Without the one that plays, the next one plays, or nothing.
    /// - Returns: `false` where there is no such entry.
    func remove(entry place: Int) -> Bool {
        guard queue.contains(place) else { return false }
        if place == queue.index, !queue.isIdle {
            let next = place + 1 < queue.count ? place + 1 : queue.repetitions.playlist == .none ? nil : 0
            if let next, next != place { _ = play(entry: next) } else { stop(keepsPlaylist: true) }
        }
        rearrange { $0.remove(at: place) }
        return true
    }

    /// The entry comes before the one at `target`, or last where there is none.
    /// - Returns: `false` where there is no such entry.
    func move(entry place: Int, before target: Int) -> Bool {
        guard queue.contains(place) else { return false }
        rearrange { $0.move(place, before: target) }
        return true
    }

    func shufflePlaylist() {
        var generator = SystemRandomNumberGenerator()
        rearrange { $0.shuffle(using: &generator) }
    }

    func unshufflePlaylist() { rearrange { $0.unshuffle() } }

    /// Changes the list; what plays plays on.
    private func rearrange(_ change: (inout NumberedList<MediaLocation>) -> Void) {
        let next = session.run.next.flatMap { queue.number(at: $0.entry) }
        var following: NextFilm?
        if case .following(let film)? = session.run.unsettledEnd { following = film }
        let followingNumber = following.flatMap { queue.number(at: $0.entry) }
        queue.rearrange(change)
        if let place = followingNumber.flatMap({ queue.entries.place(of: $0) }) {
            following?.entry = place
            session.run.unsettledEnd = .following(following)
        } else if following != nil {
            session.run.unsettledEnd = .following(nil)
        }
        if let next {
            let place = queue.entries.place(of: next)
            if let place { session.run.next?.entry = place } else { session.run.next = nil }
            // What was to follow is gone: what follows now is decided anew.
            if place == nil { goOnFromEnd() }
        }
        updateLooping()
        hub.changed(RemoteProperty.ofFilm)
    }

    /// The entry `step` further on, where the playlist repeats also from one of its ends to the other; nothing where
    /// there is none, or nothing plays.
    public func advance(by step: Int) -> Bool {
        guard !queue.isIdle else { return false }
        let entry = queue.index + step
        if queue.repetitions.playlist != .none, !queue.entries.isEmpty, !queue.contains(entry) {
            return play(entry: entry < 0 ? queue.count - 1 : 0)
        }
        return play(entry: entry)
    }

    /// Plays the entry at this place of the playlist, counted from 0, from its start; nothing where there is none.
    public func play(entry: Int) -> Bool {
        guard queue.contains(entry) else { return false }
        leave()
        queue.isIdle = false
        queue.start = nil
        queue.index = entry
        queue.failures = FailedFilms()
        open()
        hub.changed(RemoteProperty.ofFilm)
        return true
    }

    private func leave() {
        tellEndOfEntry(.stop)
        queue.optionsInForce?.entry = nil
        supervision.journal?.prove()
        supervision.supplyDeadline = nil
        reconnection = Reconnection()
        // What was asked before the first film could be opened was asked of that one.
        if !isRunning { scrub(.closed, at: clock.now) }
    }

    /// To clients, once for each entry of which they were told that it starts.
    func tellEndOfEntry(_ reason: MPVEndReason, error: MPVError? = nil) {
        guard let entry = queue.announcedEntry else { return }
        queue.announcedEntry = nil
        hub.send(.endFile(reason: reason, playlistEntry: entry, error: error))
    }

    /// Closes the film and, unless it is to be kept, empties the playlist: the display is black.
    public func stop(keepsPlaylist: Bool = false) {
        leave()
        queue.isIdle = true
        if !keepsPlaylist {
            queue.removeAll()
        }
        queue.index = 0
        queue.failures = FailedFilms()
        setMessage(nil)
        if isRunning, let before = retire() { close(before) }
        endOptions()
        clearDeparted()
        hub.send(.idle)
        hub.changed(RemoteProperty.ofFilm)
        refreshOSD()
    }

    // MARK: Pictures

    /// Writes what the display, or the window, shows to a PNG or JPEG file, by its name's ending.
    public func screenshot(to path: String) async throws(PlayerError) {
        let (display, film) = (stage.display, stage.screen == nil ? nil : session.pipeline)
        do throws(PlayerError) {
            try await offLoop { () throws(PlayerError) in
                let picture = try Self.picture(of: display, or: film, for: path)
                do throws(MediaFailure) {
                    try PictureFile.write(picture.bytes, width: picture.width, height: picture.height, to: path)
                } catch {
                    throw PlayerError(ofScreenshot: error, path)
                }
            }
        } catch {
            log.error("no screenshot: \(error)")
            throw error
        }
    }

    /// In a window, the film with the bar is all there is.
    private static func picture(
        of display: Display?, or film: (any MediaPipeline)?, for path: String
    ) throws(PlayerError) -> KMS.Picture {
        if let display {
            do throws(KMSError) {
                return try display.capture()
            } catch {
                throw PlayerError(error, of: display.choice.connectorName, attempt: .takeScreenshot)
            }
        }
        guard let picture = film?.picture() else {
            let text = "the player has no display, and no film's picture in a window"
            throw .noPicture(PlayerError.Circumstances(attempt: .takeScreenshot, address: path, text: text))
        }
        return KMS.Picture(width: picture.width, height: picture.height, bytes: picture.bytes)
    }
}
