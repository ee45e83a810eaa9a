internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore

/// Fingers in a program that follows visitors.
extension PlayerLoop {
    func setTouchUse(_ use: TouchUse) {
        let now = clock.now
        let visit = input.visit
        let screen = stage.controlsScreen(hasSubtitles: false) ?? osd.controls.screen
        if case .controls = use {} else { visit.forgetLeftMenu() }
        switch (use, visit.use) {
        case (.reports, .reports): return
        case (.controls(let hasMenu), .controls): visit.use = .controls(hasMenu: hasMenu)
        case (.menu(let content), .menu(var menu)) where menu.screen == screen:
            menu.take(content)
            visit.use = .menu(menu)
        case (.menu(let content), _):
            leaveControls(at: now)
            visit.use = .menu(FilmMenu(content, on: screen))
            showPosters()
            ensureOverlay()
        case (.controls(let hasMenu), _):
            visit.spendFingers()
            visit.use = .controls(hasMenu: hasMenu)
        case (.reports, _):
            leaveControls(at: now)
            visit.use = .reports
        }
        if let menu = visit.menu { makePosters(menu) }
        notifyScreen()
    }

    /// Cancels fingers on the controls, and hides the controls.
    private func leaveControls(at now: MonotonicTime) {
        let visit = input.visit
        visit.spendFingers()
        guard visit.reachesControls else { return }
        for panel in Set(visit.down.map(\.panel)) {
            let gone = TouchPanel(id: panel, name: "", systemName: "")
            follow(osd.controls.handle(.panelRemoved(gone), isVisible: osd.isVisible, hasBar: hasBar), at: now)
        }
        show(.dismissed, at: now)
        settleEnd()
    }

    /// Handles a finger on a menu, or on a screen that only reports.
    /// - Returns: whether it reaches the controls.
    func takesTouch(_ event: TouchEvent, at now: MonotonicTime) -> Bool {
        let visit = input.visit
        let (sign, acts) = visit.note(event, on: osd.controls.layout, at: now)
        // The action comes first, because the report may change the menu.
        if acts, var menu = visit.menu {
            // Rebuilds a lost overlay.
            if case .down = event { ensureOverlay() }
            let page = menu.page
            let outputs = menu.handle(event)
            visit.use = .menu(menu)
            if menu.page != page { makePosters(menu) }
            follow(outputs, at: now)
        }
        if let sign { embedding.hear?(.touch(.finger(sign))) }
        return acts && visit.reachesControls
    }

    /// Updates the menu for another display, or another mode.
    func renewMenu() {
        if let menu = input.visit.menu { setTouchUse(.menu(menu.content)) }
    }

    func wakeMenu(at now: MonotonicTime) {
        guard var menu = input.visit.menu else { return }
        let outputs = menu.wake(at: now)
        input.visit.use = .menu(menu)
        follow(outputs, at: now)
    }

    private func follow(_ outputs: [FilmMenu.Output], at now: MonotonicTime) {
        for output in outputs {
            switch output {
            case .aims(let film): embedding.hear?(.touch(.aims(film: film)))
            case .chose(let film):
                input.visit.leaveMenu(during: session, at: now)
                embedding.hear?(.touch(.chose(film: film)))
            case .choseLanguage(let place): embedding.hear?(.touch(.choseLanguage(place)))
            }
        }
    }

    /// The menu's model; `nil` without a menu.
    var menuModel: OSDModel? {
        guard var menu = input.visit.shownMenu, osd.isEnabled else { return nil }
        menu.notice = osd.clientText?.text ?? osd.message
        var model = OSDModel(isVisible: true)
        model.widgets = menu.scene.widgets
        return model
    }

    // MARK: Preloading

    /// Preloads a film up to its first frame.
    func preload(_ film: FilmRequest?) {
        let visit = input.visit
        visit.choice.search?.cancel()
        visit.choice = VisitTouch.Choice(location: film?.location)
        guard let film, film.location == nil else { return }
        let locate = embedding.locate
        visit.choice.search = Task {
            guard let location = try? await locate(film.address), !Task.isCancelled else { return }
            visit.choice.location = location
            reschedule()
        }
    }

    // MARK: Posters

    func prepareMenu(_ content: FilmMenu.Content) {
        let menu = FilmMenu(content, on: stage.controlsScreen(hasSubtitles: false) ?? osd.controls.screen)
        makePosters(menu)
        let (texts, material) = (menu.texts, osd.material)
        Task {
            await runBlocking {
                for line in texts { _ = material.letters(of: line.text, fontSize: line.fontSize, isBold: line.isBold) }
            }
        }
    }

    private func makePosters(_ menu: FilmMenu) {
        let visit = input.visit
        guard let gone = visit.posters.want(menu) else { return }
        for id in gone { osd.material.remove(id) }
        showPosters()
        // The running work continues with the new posters.
        guard visit.posters.work == nil else { return }
        visit.posters.work = Task {
            while phase != .over, let place = visit.posters.next { await makePoster(of: place) }
            visit.posters.work = nil
        }
    }

    private func makePoster(of place: Int) async {
        let (visit, cache) = (input.visit, options.sheets?.cache)
        let (film, size, decodes) = (visit.posters.films[place], visit.posters.size, visit.posters.decodesFilms)
        let beforeFilm = options.beforeFilm
        let made = await runBlocking {
            Poster.make(film, in: cache, width: size.width, height: size.height)
                ?? (decodes ? Poster.decode(film, width: size.width, height: size.height, beforeFilm) : nil)
        }
        // Other posters may be needed by now.
        guard visit.posters.films.indices.contains(place), visit.posters.films[place] == film,
            visit.posters.size == size, visit.posters.wanted.contains(place), visit.posters.decodesFilms == decodes
        else { return }
        if made == nil, decodes { log.info("\(film.title): there is no picture for its poster") }
        visit.posters.take(made.map { osd.material.add($0) }, of: place)
        showPosters()
        refreshOSD()
    }

    private func showPosters() {
        guard var menu = input.visit.menu, menu.posterSize == input.visit.posters.size else { return }
        menu.posters = input.visit.posters.pictures
        input.visit.use = .menu(menu)
    }
}
