internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The player's link to its commander, whose machine decides what is played.
struct Embedding {
    typealias Locate = @Sendable (String) async throws(MediaFailure) -> MediaLocation

    /// Resolves an address, however long that takes.
    let locate: Locate
    var hear: (@Sendable (FilmNews) -> Void)?
    /// The load whose address is still being resolved. Until then the current film is left alone: it does not play on,
    /// and no other follows it.
    var pending: Pending?
    var rate = PlaybackRate.paused
    var isLooping = false
    /// Whether somebody observes the film's time.
    var isObserved = false
    var next = Next()
    /// The item that was opened last, and when.
    var newest: (item: ItemID, openedAt: MonotonicTime)?
    /// The newest move to another display: the next one waits for it.
    var displayWork: Task<Void, Never>?
    /// The delegate of the controls' actions.
    var controls: (any TransportDelegate)?

    /// The film that follows.
    struct Next {
        /// `nil` if there is none, or its address is still being resolved.
        var location: MediaLocation?
        var isFromStart = true
        /// Resolves its address.
        var search: Task<Void, Never>?
    }

    struct Pending {
        var loadID: LoadID
        var item: ItemID
        var film: FilmRequest
        var seek: FilmSeek?
        var choices: [MediaCharacteristic: TrackChoice] = [:]
    }

    static let locate: Locate = { address throws(MediaFailure) in
        try await runBlocking { () throws(MediaFailure) in
            try GStreamer.start()
            return try MediaLocation(address)
        }
    }
}

extension PlayerLoop: PlaybackEngine {
    nonisolated var loop: DispatchQueue { executor.queue }

    nonisolated func attach(_ hear: @escaping @Sendable (FilmNews) -> Void) {
        loop.async { self.assumeIsolated { $0.embedding.hear = hear } }
    }

    nonisolated func makeControls() -> (any Transport)? {
        options.hasOSD && options.controls != .off ? ScreenControls(self) : nil
    }

    nonisolated func control(by delegate: any TransportDelegate) {
        assumeIsolated { $0.embedding.controls = delegate }
    }

    nonisolated func send(_ command: FilmCommand, _ film: FilmRequest?) {
        assumeIsolated { $0.take(command, film) }
    }

    nonisolated func show(on display: Display?, in area: OSDLayout.Rectangle?) {
        assumeIsolated { $0.takeDisplay(display, area) }
    }

    nonisolated func show(_ request: ScreenRequest) {
        assumeIsolated { $0.take(request) }
    }

    func diagnostics() async -> PlayerDiagnostics { phase == .over ? PlayerDiagnostics() : diagnostics }

    func shutDown() async {
        // A stuck film delays a display's move, too.
        let displayWork = embedding.displayWork
        let end = Task {
            await displayWork?.value
            await self.end()
        }
        _ = await end.isOver(within: .seconds(5))
    }

    private func take(_ command: FilmCommand, _ film: FilmRequest?) {
        switch command {
        case .open(let loadID, let item, let seek): if let film { look(for: film, item, loadID, seek) }
        case .setNext: lookForNext(film)
        case .setObserved(let isObserved):
            embedding.isObserved = isObserved
            reschedule()
        case .setRate(let rate):
            embedding.rate = rate
            if embedding.pending == nil || rate.isPaused { perform(command) }
        case .setDefaultRate(let rate):
            if !embedding.rate.isPaused { embedding.rate = rate }
            perform(command)
        case .setLooping(let isLooping):
            embedding.isLooping = isLooping
            if embedding.pending == nil { perform(command) }
        case .select(let loadID, let kind, let choice):
            if embedding.pending?.loadID == loadID { embedding.pending?.choices[kind] = choice }
            perform(command)
        case .close, .closeFailed:
            embedding.pending = nil
            perform(command)
        default: perform(command)
        }
    }

    /// Resolves the next film concurrently: a disk that does not respond delays nothing. A failure is reported when the
    /// film is opened.
    private func lookForNext(_ film: FilmRequest?) {
        embedding.next.search?.cancel()
        embedding.next = Embedding.Next(location: film?.location, isFromStart: film?.start == nil)
        if embedding.pending == nil { setNext(film?.location) }
        guard let film, film.location == nil else { return }
        let locate = embedding.locate
        embedding.next.search = Task {
            guard let location = try? await locate(film.address), !Task.isCancelled else { return }
            embedding.next.location = location
            if embedding.pending == nil { setNext(location) }
        }
    }

    /// Resolves a film that is to be opened, in the same way.
    private func look(for film: FilmRequest, _ item: ItemID, _ loadID: LoadID, _ seek: FilmSeek?) {
        start()
        embedding.pending = Embedding.Pending(loadID: loadID, item: item, film: film, seek: seek)
        if let location = film.location { return open(.success(location), loadID) }
        // An item that repeats by being opened again, because it is not seekable.
        let newest = embedding.newest.flatMap { $0.item == item ? $0.openedAt + PlaybackMachine.leastStay : nil }
        let due = newest ?? clock.now
        let locate = embedding.locate
        Task {
            try? await Task.sleep(for: max(due - clock.now, .zero))
            let located: Result<MediaLocation, MediaFailure>
            do throws(MediaFailure) {
                located = .success(try await locate(film.address))
            } catch {
                located = .failure(error)
            }
            open(located, loadID)
        }
    }

    private func open(_ located: Result<MediaLocation, MediaFailure>, _ loadID: LoadID) {
        guard let pending = embedding.pending, pending.loadID == loadID else { return }
        embedding.pending = nil
        embedding.newest = (pending.item, clock.now)
        switch located {
        case .failure(let failure):
            refuse(failure, pending.film.address)
            embedding.hear?(.failed(loadID, failure))
        case .success(let location):
            perform(.setRate(embedding.rate))
            var film = FilmSession.Film(item: pending.item, location: location)
            film.start = pending.film.start
            film.isAlone = pending.film.isAlone
            open(film, loadID, pending.seek)
            perform(.setLooping(embedding.isLooping))
            setNext(embedding.next.location)
            for (kind, choice) in pending.choices { perform(.select(loadID, kind, choice)) }
        }
    }

    private func takeDisplay(_ display: Display?, _ area: OSDLayout.Rectangle?) {
        // No film has to move.
        if !isRunning, embedding.displayWork == nil {
            stage.area = area
            take(display)
            return
        }
        let before = embedding.displayWork
        embedding.displayWork = Task {
            await before?.value
            if display === stage.display { setArea(area) } else { await move(to: display, in: area) }
        }
    }

    private func take(_ request: ScreenRequest) {
        switch request {
        case .touch, .prepareMenu, .preload: break
        case .message, .text, .controls: start()
        }
        switch request {
        case .message(let text?, untilRead: true): say(text)
        case .message(let text, _): setMessage(text)
        case .text(let text, let duration): showText(text, for: duration)
        case .controls: showProgress()
        case .touch(let use): setTouchUse(use)
        case .prepareMenu(let content): prepareMenu(content)
        case .preload(let film): preload(film)
        }
        settle()
        refreshOSD()
    }

    func screen() async -> PlayerScreen {
        var screen = PlayerScreen()
        screen.isThere = stage.screen != nil
        (screen.width, screen.height) = (osd.layout.displayWidth, osd.layout.displayHeight)
        screen.hasPower = stage.display.map { _ in stage.hasPower && !stage.isUnplugged }
        screen.isUnplugged = stage.isUnplugged
        screen.subtitle = subtitle
        if hasControls, osd.isVisible { screen.controls = osd.controls.scene }
        if let preview = osd.shownModel.preview { screen.controls.widgets.append(preview) }
        if let menu = input.visit.menu { screen.controls = menu.scene }
        let drawn = osd.shownModel.isVisible ? osd.shownModel.bar?.thumb : nil
        screen.thumb = session.duration.map { duration in
            drawn ?? osd.heldValue ?? session.scrubber.displayedTime.fraction(of: duration)
        }
        return screen
    }

    func position() async -> MediaTime? {
        guard session.film != nil else { return nil }
        updatePosition()
        return session.scrubber.displayedTime
    }

    func move(reopen: (@Sendable () throws(KMSError) -> Display)?) async -> Bool {
        guard let reopen else {
            displayLeft()
            return false
        }
        return await move(to: reopen)
    }

    // MARK: Displays

    /// Fits films into another part of the display, as `setGravity`.
    func setArea(_ area: OSDLayout.Rectangle?) {
        guard area != stage.area else { return }
        stage.area = area
        fitAnew()
    }

    /// Continues the film at its position, in this part of another display, or on none.
    private func move(to display: Display?, in area: OSDLayout.Rectangle?) async {
        stage.area = area
        guard let display else { return await leaveDisplay() }
        if isRunning {
            _ = await move(isReturn: stage.display != nil) { () throws(KMSError) in display }
        } else {
            take(display)
        }
    }

    func leaveDisplay() async {
        let films = [session.pipeline, stage.outgoing]
        let resume = session.film.map { _ in DeferredLoad(time: losePipeline()) }
        stage.beginMoving(resume: isRunning ? resume : nil)
        if session.film != nil, let before = retire(isRebuild: true) { close(before) }
        // The last frame waits for the next film's, which will not be shown here.
        clearOutgoing()
        if let lost = osd.forgetOverlay(), await !lost.stop() {
            log.error("GStreamer did not let go of the on-screen display")
        }
        await closeFilms(and: films)
        take(nil)
        stage.endMoving(isOpen: true)
        openLater()
    }
}
