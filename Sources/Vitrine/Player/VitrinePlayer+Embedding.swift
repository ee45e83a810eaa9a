internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import Synchronization

/// What a player knows of the program that embeds it: that one's queue decides what is played.
struct Embedding {
    typealias Locate = @Sendable (String) async throws(MediaFailure) -> MediaLocation

    /// Tells what is at an address, however long that takes.
    let locate: Locate
    var hear: (@Sendable (FilmNews) -> Void)?
    /// The player's run, once something was opened.
    var run: Task<PlayerOutcome, Never>?
    /// What is to be opened, while it is not known what it is. Until then the film before is let alone: it is not to play on, nor
    /// to be followed, as the next one is.
    var pending: Pending?
    var rate = PlaybackRate.paused
    var isLooping = false
    /// What follows, as it was found, and the number of the newest search for that.
    var next: (location: MediaLocation?, number: Int) = (nil, 0)
    /// What was opened last, and when that was begun.
    var newest: (item: ItemID, openedAt: MonotonicTime)?
    /// The newest move to another display: the next one waits for it.
    var displayWork: Task<Void, Never>?

    struct Pending {
        var opening: Opening
        var item: ItemID
        var address: String
        var seek: FilmSeek?
        var choices: [MediaCharacteristic: TrackChoice] = [:]
    }

    static let locate: Locate = { address throws(MediaFailure) in
        try await offLoop { () throws(MediaFailure) in
            try GStreamer.start()
            return try MediaLocation(address)
        }
    }
}

/// One film at a time, for the library's queue.
extension VitrinePlayer: PlaybackEngine {
    /// For a program that embeds the player; the playlist's options are not looked at.
    init(
        embeddedWith options: PlayerOptions, log: Logger = Logger(label: "vitrine"),
        locate: @escaping Embedding.Locate = Embedding.locate
    ) {
        var options = options
        options.playlist = []
        options.start = nil
        options.actionAtQueueEnd = .rewind
        options.repetition = .none
        options.supply = nil
        options.isPaused = true
        options.rate = .normal
        self.init(options: options, display: nil, log: log, embedding: Embedding(locate: locate))
    }

    nonisolated var loop: DispatchQueue { executor.queue }

    nonisolated func attach(_ hear: @escaping @Sendable (FilmNews) -> Void) {
        loop.async { self.assumeIsolated { $0.embedding?.hear = hear } }
    }

    nonisolated func send(_ command: FilmCommand, address: String?) {
        loop.async { self.assumeIsolated { $0.take(command, address) } }
    }

    nonisolated func show(on display: Display?, in area: OSDLayout.Rectangle?) {
        loop.async { self.assumeIsolated { $0.takeDisplay(display, area) } }
    }

    func diagnostics() async -> PlayerDiagnostics { outcome == nil ? diagnostics : PlayerDiagnostics() }

    func shutDown() async {
        // What is stuck holds up a display's move, too.
        let (run, displayWork) = (embedding?.run, embedding?.displayWork)
        let end = Task {
            await displayWork?.value
            self.end(.ended(code: 0))
            _ = await run?.value
        }
        _ = await end.isOver(within: .seconds(5))
    }

    private func take(_ command: FilmCommand, _ address: String?) {
        switch command {
        case .open(let opening, let item, let seek): look(for: address ?? "", item, opening, seek)
        case .setNext: lookForNext(address)
        case .setRate(let rate):
            embedding?.rate = rate
            if embedding?.pending == nil || rate.isPaused { perform(command) }
        case .setLooping(let isLooping):
            embedding?.isLooping = isLooping
            if embedding?.pending == nil { perform(command) }
        case .select(let opening, let kind, let choice):
            if embedding?.pending?.opening == opening { embedding?.pending?.choices[kind] = choice }
            perform(command)
        case .close:
            embedding?.pending = nil
            perform(command)
        default: perform(command)
        }
    }

    /// Beside what is asked for meanwhile: a disk that does not answer holds up nobody. Why it is none is told when it is opened.
    private func lookForNext(_ address: String?) {
        guard let embedding else { return }
        let number = embedding.next.number + 1
        self.embedding?.next = (nil, number)
        if embedding.pending == nil { setNext(nil) }
        guard let address else { return }
        Task {
            guard let location = try? await embedding.locate(address), self.embedding?.next.number == number else {
                return
            }
            self.embedding?.next.location = location
            if self.embedding?.pending == nil { setNext(location) }
        }
    }

    /// As `lookForNext`.
    private func look(for address: String, _ item: ItemID, _ opening: Opening, _ seek: FilmSeek?) {
        guard let embedding else { return }
        if embedding.run == nil { self.embedding?.run = Task { await play() } }
        self.embedding?.pending = Embedding.Pending(opening: opening, item: item, address: address, seek: seek)
        // One that follows itself because it cannot be sought in.
        let due = embedding.newest.flatMap { $0.item == item ? $0.openedAt + PlaybackMachine.leastStay : nil } ?? .now
        Task {
            try? await Task.sleep(for: max(due - .now, .zero))
            let located: Result<MediaLocation, MediaFailure>
            do throws(MediaFailure) {
                located = .success(try await embedding.locate(address))
            } catch {
                located = .failure(error)
            }
            open(located, opening)
        }
    }

    private func open(_ located: Result<MediaLocation, MediaFailure>, _ opening: Opening) {
        guard let embedding, let pending = embedding.pending, pending.opening == opening else { return }
        self.embedding?.pending = nil
        self.embedding?.newest = (pending.item, .now)
        switch located {
        case .failure(let failure):
            refuse(failure, pending.address)
            embedding.hear?(.failed(opening, failure))
        case .success(let location):
            perform(.setRate(embedding.rate))
            open(FilmSession.Film(item: pending.item, location: location), opening, pending.seek)
            perform(.setLooping(embedding.isLooping))
            setNext(embedding.next.location)
            for (kind, choice) in pending.choices { perform(.select(opening, kind, choice)) }
        }
    }

    private func takeDisplay(_ display: Display?, _ area: OSDLayout.Rectangle?) {
        let before = embedding?.displayWork
        embedding?.displayWork = Task {
            await before?.value
            if display === stage.display { setArea(area) } else { await move(to: display, in: area) }
        }
    }

    // MARK: Displays

    /// Fits films into another part of the display, as `setGravity`.
    func setArea(_ area: OSDLayout.Rectangle?) {
        guard area != stage.area else { return }
        stage.area = area
        fitAnew()
    }

    /// Goes on with the film where it is, in this part of another display, or on none.
    private func move(to display: Display?, in area: OSDLayout.Rectangle?) async {
        stage.area = area
        guard let display else { return await leaveDisplay() }
        if isRunning {
            _ = await move { () throws(KMSError) in display }
        } else {
            use(display)
        }
    }

    private func leaveDisplay() async {
        let resume = session.film.map { _ in LaterOpening(time: session.scrubber.displayedTime) }
        let films = [session.pipeline, stage.outgoing]
        stage.beginMoving(resume: isRunning ? resume : nil)
        if session.film != nil {
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
        stage.endMoving(isOpen: true)
        openLater()
    }
}
