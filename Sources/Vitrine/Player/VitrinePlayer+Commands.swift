internal import Control
internal import KMS
internal import Logging
public import Media
public import PlayerCore

extension VitrinePlayer {
    // MARK: Transport

    /// The wanted state (T3). During a drag it is remembered until the finger has left.
    public func setPlaying(_ playing: Bool) {
        if playing, hasEnded, !startAgain() { return }
        scrub(.setPlaying(playing), at: .now)
        refreshOSD()
    }

    /// Whether it is to play; it may still wait for something.
    public var isPlaying: Bool { scrubber.wantsPlaying }

    /// Jumps to a time of the film, clamped to it; before the film is open it is remembered (M6).
    /// - Returns: `false` where nothing can be sought in.
    @discardableResult
    public func seek(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        guard facts?.isSeekable != false else { return false }
        expectSeek()
        scrub(.jump(to: time, within: tolerance), at: .now)
        refreshOSD()
        return true
    }

    private func expectSeek() {
        counters.seeksAsked += 1
        unansweredTouch = nil
        leaveEnd()
    }

    /// Where the film is, or is going: during a drag the finger's time, until the last seek is done its target.
    public var currentTime: MediaTime {
        updatePosition()
        return scrubber.displayedTime
    }

    /// The film's; `nil` without one, while it is unknown, and for live media.
    public var duration: MediaTime? { facts?.duration }

    /// Pauses, and shows the picture that comes so many after the one on the screen, or before it where `count` is below 0, 25
    /// at most; as many as there are.
    /// - Returns: `false` where there are no pictures, or there is no way to them.
    public func step(byCount count: Int) -> Bool {
        guard count != 0, let facts, facts.hasVideo, facts.isSeekable, !facts.isLive, let pictures = film?.pictures
        else { return false }
        let start = pictures.start ?? .zero
        guard count > 0 || scrubber.isSeeking || start > .zero else { return false }
        setPlaying(false)
        expectSeek()
        // In sound behind the last picture the film is further on than that one was told to be.
        updatePosition()
        let shown = Scrubber.Standing(start: start, place: max(pictures.time ?? .zero, scrubber.displayedTime))
        scrub(.step(count, from: shown), at: .now)
        refreshOSD()
        return true
    }

    /// Fits films into the display another way (S4): the one that plays is opened anew where it is, behind its last picture.
    public func setGravity(_ gravity: VideoGravity) {
        guard gravity != self.gravity else { return }
        self.gravity = gravity
        hub.changed([.gravity, .panscan, .keepaspect])
        fitAnew()
    }

    /// Where films go, or how they are fitted, has changed.
    func fitAnew() {
        // What follows an end that was told is fitted so; the end would be told again.
        guard screen != nil, nextFilm == nil, let film, let facts, facts.hasVideo else { return }
        // What is live goes on where it is by then, and a still has no place. What a server sends once, from the start, stays as
        // it is, and so does the last picture of what was live.
        let isLive = facts.isLive && !film.pictures.hasEnded
        let isAnywhere = (isLive || isStill) && playlist[index].isRepeatable
        guard facts.isSeekable || isAnywhere else { return }
        updatePosition()
        if isAnywhere { forgetOpeningSeek() }
        for case .rebuild(let time) in scrubber.handle(.lost, at: .now) {
            open(at: isAnywhere ? nil : time, isRebuild: true)
        }
    }

    // MARK: Playlist

    /// What happens at the end of the playlist.
    public func setAtEnd(_ atEnd: PlayerOptions.AtEnd) {
        self.atEnd = atEnd
        repetitions.playlist = atEnd == .loop ? .forever : .none
        updateLooping()
        hub.changed([.atEnd, .loopPlaylist])
    }

    /// How often each film is played once more before the next one.
    public func setFilmRepetition(_ repetition: Repetition) {
        repetitions.film = repetition
        updateLooping()
        hub.changed([.loopFile])
    }

    /// How often the playlist begins again.
    public func setPlaylistRepetition(_ repetition: Repetition) {
        repetitions.playlist = repetition
        // A loop that is over ends as films do by default.
        if repetition != .forever, atEnd == .loop { atEnd = .pause }
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
        playlist.replace(with: films)
        fileOptions = [:]
        index = 0
        failures = FailedFilms()
        if films.isEmpty, let supply = self.options.supply {
            waitForFilms(supply.message)
            return nil
        }
        if films.isEmpty { playlist.append(.testPicture) }
        fileOptions[playlist.number(at: 0)] = options
        isIdle = false
        // The library's next item is opened like this, too.
        if leader == nil || message != farewell?.words { setMessage(nil) }
        self.start = start
        open(at: start)
        hub.changed(RemoteProperty.ofFilm)
        return playlist.number(at: 0)
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
        let place = place ?? playlist.count
        rearrange { playlist in
            for (offset, film) in films.enumerated() { playlist.insert(film, at: place + offset) }
        }
        let number = playlist.number(at: place)
        fileOptions[number] = options
        if isIdle, plays { _ = play(entry: place) }
        return number
    }

    /// Where `insert-next` inserts: behind the entry that plays, or last.
    var nextPlace: Int { isIdle ? playlist.count : index + 1 }

    /// Leaves the film that plays, and none besides.
    public func clearPlaylist() {
        let current = isIdle ? nil : index
        rearrange { $0.removeAll(butThatAt: current) }
    }

    /// Without the one that plays, the next one plays, or nothing.
    /// - Returns: `false` where there is no such entry.
    func remove(entry place: Int) -> Bool {
        guard playlist.indices.contains(place) else { return false }
        if place == index, !isIdle {
            let next = place + 1 < playlist.count ? place + 1 : repetitions.playlist == .none ? nil : 0
            if let next, next != place { _ = play(entry: next) } else { stop(keepsPlaylist: true) }
        }
        rearrange { $0.remove(at: place) }
        return true
    }

    /// The entry comes before the one at `target`, or last where there is none.
    /// - Returns: `false` where there is no such entry.
    func move(entry place: Int, before target: Int) -> Bool {
        guard playlist.indices.contains(place) else { return false }
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
        func number(_ place: Int) -> Int? { playlist.indices.contains(place) ? playlist.number(at: place) : nil }
        let current = isIdle ? nil : number(index)
        let next = nextFilm.flatMap { number($0.entry) }
        var following: (film: NextFilm, number: Int?)?
        if case .following(let film)? = unsettledEnd { following = (film, number(film.entry)) }
        change(&playlist)
        index = current.flatMap { playlist.place(of: $0) } ?? 0
        // What was to follow and is gone is followed by the film that plays.
        nextFilm?.entry = next.flatMap { playlist.place(of: $0) } ?? index
        if let following {
            let entry = following.number.flatMap { playlist.place(of: $0) } ?? index
            unsettledEnd = .following(NextFilm(entry: entry, due: following.film.due))
        }
        let numbers = Set(playlist.indices.map { playlist.number(at: $0) })
        fileOptions = fileOptions.filter { numbers.contains($0.key) }
        updateLooping()
        hub.changed(RemoteProperty.ofFilm)
    }

    /// The entry `step` further on, where the playlist repeats also from one of its ends to the other; nothing where
    /// there is none, or nothing plays.
    public func advance(by step: Int) -> Bool {
        guard !isIdle else { return false }
        let entry = index + step
        if repetitions.playlist != .none, !playlist.isEmpty, !playlist.indices.contains(entry) {
            return play(entry: entry < 0 ? playlist.count - 1 : 0)
        }
        return play(entry: entry)
    }

    /// Plays the entry at this place of the playlist, counted from 0, from its start; nothing where there is none.
    public func play(entry: Int) -> Bool {
        guard playlist.indices.contains(entry) else { return false }
        leave()
        isIdle = false
        start = nil
        index = entry
        failures = FailedFilms()
        open()
        hub.changed(RemoteProperty.ofFilm)
        return true
    }

    private func leave() {
        tellEndOfEntry(.stop)
        optionsInForce?.entry = nil
        journal?.prove()
        supplyDeadline = nil
        reconnection = Reconnection()
        // What was asked before the first film could be opened was asked of that one.
        if !isRunning { scrub(.closed, at: .now) }
    }

    /// To clients, once for each entry of which they were told that it starts.
    func tellEndOfEntry(_ reason: MPVEndReason, error: MPVError? = nil) {
        guard let entry = toldEntry else { return }
        toldEntry = nil
        hub.send(.endFile(reason: reason, playlistEntry: entry, error: error))
    }

    /// Closes the film and, unless it is to be kept, empties the playlist: the display is black.
    public func stop(keepsPlaylist: Bool = false) {
        leave()
        isIdle = true
        if !keepsPlaylist {
            playlist.removeAll()
            fileOptions = [:]
        }
        index = 0
        failures = FailedFilms()
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
        let (display, film) = (display, screen == nil ? nil : film)
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
        of display: Display?, or film: FilmPipeline?, for path: String
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
