internal import Control
internal import KMS
internal import Logging
public import Media
public import PlayerCore

extension VitrinePlayer {
    // MARK: Transport

    /// The wanted state (T3). During a drag it is remembered until the finger has left.
    public func setPlaying(_ playing: Bool) {
        conduct(.command(.setPlaying(playing)))
        refreshOSD()
    }

    /// Whether it is to play; it may still wait for something.
    public var isPlaying: Bool { session.scrubber.wantsPlaying }

    /// Jumps to a time of the film, clamped to it; before the film is open it is remembered (M6).
    /// - Returns: `false` where nothing can be sought in.
    @discardableResult
    public func seek(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        guard session.facts?.isSeekable != false else { return false }
        conduct(.command(.seek(nil, nil, SeekTarget(time, within: tolerance))))
        refreshOSD()
        return true
    }

    func expectSeek() {
        counters.counted.seeksAsked += 1
        counters.unansweredTouch = nil
        // Somebody went elsewhere before the film's length was known.
        session.setOpeningPlace(nil)
        session.leaveEnd()
    }

    /// Where the film is, or is going: during a drag the finger's time, until the last seek is done its target.
    public var currentTime: MediaTime {
        updatePosition()
        // Asked for before there is a film to seek in.
        if session.facts == nil, let item = queue.list.current, let state = queue.machine.items[item] {
            return state.time(at: clock.now)
        }
        return session.scrubber.displayedTime
    }

    /// The film's; `nil` without one, while it is unknown, and for live media.
    public var duration: MediaTime? { session.duration }

    /// Pauses, and shows the picture that comes so many after the one on the screen, or before it where `count` is below 0, 25
    /// at most; as many as there are.
    /// - Returns: `false` where there are no pictures, or there is no way to them.
    public func step(byCount count: Int) -> Bool {
        guard mayStep(byCount: count), let item = session.film?.item else { return false }
        conduct(.command(.step(SeekID(number: 0), item, count)))
        return true
    }

    private func mayStep(byCount count: Int) -> Bool {
        guard count != 0, let facts = session.facts, facts.hasVideo, facts.isSeekable, !facts.isLive,
            let pictures = session.pipeline?.pictures
        else { return false }
        return count > 0 || session.scrubber.isSeeking || pictures.start ?? .zero > .zero
    }

    /// As `step`, of a film that is paused.
    func takeStep(byCount count: Int) -> Bool {
        guard mayStep(byCount: count), let pictures = session.pipeline?.pictures else { return false }
        follow(.paused)
        expectSeek()
        // In sound behind the last picture the film is further on than that one was told to be.
        updatePosition()
        let shown = Scrubber.Standing(
            start: pictures.start ?? .zero, place: max(pictures.time ?? .zero, session.scrubber.displayedTime))
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
        guard stage.screen != nil, queue.machine.waitingItem == nil, let film = session.pipeline,
            let facts = session.facts, facts.hasVideo
        else { return }
        // What is live goes on where it is by then, and a still has no place. What a server sends once, from the start, stays as
        // it is, and so does the last picture of what was live.
        let isLive = facts.isLive && !film.pictures.hasEnded
        let isAnywhere = (isLive || session.isStill) && session.location?.isRepeatable == true
        guard facts.isSeekable || isAnywhere else { return }
        updatePosition()
        if isAnywhere { forgetSeek() }
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: isAnywhere ? nil : time)
        }
    }

    // MARK: Playlist

    /// What happens at the end of the playlist.
    func setEnd(_ end: EndWord) {
        rearrange([.atEnd, .loopPlaylist]) { list in
            list.actionAtQueueEnd = end.action
            list.repetition = end == .loop ? .forever : .none
        }
    }

    /// How often each film is played once more before the next one.
    public func setFilmRepetition(_ repetition: Repetition) {
        rearrange([.loopFile]) { $0.itemRepetition = repetition }
    }

    /// How often the playlist begins again.
    public func setPlaylistRepetition(_ repetition: Repetition) {
        rearrange([.atEnd, .loopPlaylist]) { $0.repetition = repetition }
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
        if films.isEmpty, let supply = self.options.supply {
            rearrange { $0.failures = PlaybackQueue.Failures() }
            waitForFilms(supply.message)
            return nil
        }
        setMessage(nil)
        return fillPlaylist(with: films.isEmpty ? [.testPicture] : films, at: start, options)?.entry
    }

    /// - Returns: the first entry, which plays.
    func fillPlaylist(
        with films: [MediaLocation], at start: MediaTime? = nil, _ options: FileOptions? = nil,
        keepsFailures: Bool = false
    ) -> ItemID? {
        let items = films.enumerated().map { place, film in queue.add(film, options: place == 0 ? options : nil) }
        guard let first = items.first else { return nil }
        if let start { queue.setStart(start, of: first) }
        let failures = queue.list.failures
        rearrange { list in
            list.removeAll(but: list.current)
            for item in items { list.append(item) }
        }
        conduct(.command(.replaceCurrent(first)))
        rearrange { list in
            for item in list.items where !items.contains(item) { list.remove(item) }
            if keepsFailures { list.failures = failures }
        }
        return first
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
        let items = films.enumerated().map { offset, film in queue.add(film, options: offset == 0 ? options : nil) }
        rearrange { list in
            for (offset, item) in items.enumerated() { list.insert(item, at: place + offset) }
        }
        if queue.isIdle, plays { play(items[0]) }
        return items[0].entry
    }

    /// Where `insert-next` inserts: behind the entry that plays, or last.
    var nextPlace: Int { queue.place.map { $0 + 1 } ?? queue.count }

    /// Leaves the film that plays, and none besides.
    public func clearPlaylist() { rearrange { $0.removeAll(but: $0.current) } }

    /// Without the one that plays, the next one plays, or nothing.
    /// - Returns: `false` where there is no such entry.
    func remove(entry place: Int) -> Bool {
        guard let item = queue.item(at: place) else { return false }
        if item == queue.list.current { leave() }
        conduct(.command(.remove(item)))
        hub.changed(RemoteProperty.ofFilm)
        return true
    }

    /// The entry comes before the one at `target`, or last where there is none.
    /// - Returns: `false` where there is no such entry.
    func move(entry place: Int, before target: Int) -> Bool {
        guard queue.item(at: place) != nil else { return false }
        rearrange { $0.move(place, before: target) }
        return true
    }

    func shufflePlaylist() {
        rearrange { list in
            var generator = SystemRandomNumberGenerator()
            list.shuffle(using: &generator)
        }
    }

    func unshufflePlaylist() { rearrange { $0.unshuffle() } }

    /// The entry `step` further on, where the playlist repeats also from one of its ends to the other; nothing where
    /// there is none, or nothing plays.
    public func advance(by step: Int) -> Bool {
        let items = queue.list.items
        let other = queue.list.repetition == .none ? nil : step < 0 ? items.last : items.first
        guard !queue.isIdle, let item = queue.list.neighbor(by: step) ?? other else { return false }
        play(item)
        return true
    }

    /// Plays the entry at this place of the playlist, counted from 0, from its start; nothing where there is none.
    public func play(entry: Int) -> Bool {
        guard let item = queue.item(at: entry) else { return false }
        play(item)
        return true
    }

    private func play(_ item: ItemID) {
        leave()
        conduct(.command(.replaceCurrent(item)))
        hub.changed(RemoteProperty.ofFilm)
    }

    /// Somebody asks for something else than what plays.
    private func leave() {
        tellEndOfEntry(.stop)
        queue.optionsInForce?.entry = nil
        supervision.journal?.prove()
        supervision.supplyDeadline = nil
        forgetConnection()
    }

    /// To clients, once for each entry of which they were told that it starts.
    func tellEndOfEntry(_ reason: MPVEndReason, error: MPVError? = nil) {
        guard let entry = queue.announcedEntry else { return }
        queue.announcedEntry = nil
        hub.send(.endFile(reason: reason, playlistEntry: entry.entry, error: error))
    }

    /// Closes the film and, unless it is to be kept, empties the playlist: the display is black.
    public func stop(keepsPlaylist: Bool = false) {
        leave()
        setMessage(nil)
        conduct(.command(keepsPlaylist ? .stop : .removeAll))
        rearrange([]) { $0.failures = PlaybackQueue.Failures() }
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
