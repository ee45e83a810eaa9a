internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore

/// What fingers do where a program follows visitors.
extension PlayerLoop {
    func setTouchUse(_ use: TouchUse) {
        let now = clock.now
        let visit = input.visit
        switch (use, visit.use) {
        case (.controls, .controls), (.reports, .reports): return
        case (.menu(let content), .menu(var menu)) where menu.isOn(stage.controlsScreen(hasSubtitles: false)):
            menu.take(content)
            visit.use = .menu(menu)
        case (.menu(let content), _):
            leaveControls(at: now)
            let screen = stage.controlsScreen(hasSubtitles: false) ?? osd.controls.screen
            visit.use = .menu(FilmMenu(content, on: screen))
            showPosters()
            ensureOverlay()
        case (.controls, _):
            visit.spendFingers()
            visit.use = .controls
        case (.reports, _):
            leaveControls(at: now)
            visit.use = .reports
        }
        if let menu = visit.menu { makePosters(menu) }
        tellScreen()
    }

    /// What fingers hold of the controls is given up, and nothing of these is seen any more.
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

    /// A finger on a menu, or on nothing.
    /// - Returns: whether it reaches the controls.
    func takesTouch(_ event: TouchEvent, at now: MonotonicTime) -> Bool {
        let visit = input.visit
        let (sign, acts) = visit.note(event, at: now)
        // What it does comes first: the report may change what it meets.
        if acts, var menu = visit.menu {
            let outputs = menu.handle(event)
            visit.use = .menu(menu)
            follow(outputs)
        }
        if let sign { embedding.hear?(.touch(.finger(sign))) }
        return acts && visit.reachesControls
    }

    func wakeMenu(at now: MonotonicTime) {
        guard var menu = input.visit.menu else { return }
        let outputs = menu.wake(at: now)
        input.visit.use = .menu(menu)
        follow(outputs)
    }

    private func follow(_ outputs: [FilmMenu.Output]) {
        for output in outputs {
            switch output {
            case .aims(let film): embedding.hear?(.touch(.aims(film: film)))
            case .chose(let film): embedding.hear?(.touch(.chose(film: film)))
            case .choseLanguage(let place): embedding.hear?(.touch(.choseLanguage(place)))
            }
        }
    }

    /// The menu as it is to be seen; `nil` without one.
    var menuModel: OSDModel? {
        guard let menu = input.visit.menu, osd.isEnabled else { return nil }
        var model = OSDModel(isVisible: true)
        model.widgets = menu.scene.widgets
        return model
    }

    // MARK: Preloading

    /// Keeps a film ready, up to its first frame.
    func preload(_ film: FilmRequest?) {
        let visit = input.visit
        let number = visit.choice.number + 1
        visit.choice = (film?.location, number)
        guard let film, film.location == nil else { return }
        let locate = embedding.locate
        Task {
            guard let location = try? await locate(film.address), visit.choice.number == number else { return }
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
            await offLoop {
                for line in texts { _ = material.letters(of: line.text, fontSize: line.fontSize, isBold: line.isBold) }
            }
        }
    }

    private func makePosters(_ menu: FilmMenu) {
        let (visit, size, films) = (input.visit, menu.posterSize, menu.content.films)
        guard visit.posters.films != films || visit.posters.size != size else { return }
        visit.posters.work?.cancel()
        for id in visit.posters.pictures.values { osd.material.remove(id) }
        let cache = options.sheets?.cache
        let work = Task {
            for (place, film) in films.enumerated() {
                let made = await offLoop { Poster.make(film, in: cache, width: size.width, height: size.height) }
                guard !Task.isCancelled else { return }
                guard let made else {
                    log.info("\(film.title): there is no picture for its poster")
                    continue
                }
                visit.posters.pictures[place] = osd.material.add(made)
                showPosters()
                refreshOSD()
            }
        }
        visit.posters = VisitTouch.Posters(films: films, size: size, work: work)
        showPosters()
    }

    private func showPosters() {
        guard var menu = input.visit.menu, menu.posterSize == input.visit.posters.size else { return }
        menu.posters = input.visit.posters.pictures
        input.visit.use = .menu(menu)
    }
}

extension FilmMenu {
    func isOn(_ other: Controls.Screen?) -> Bool { other.map { $0 == screen } ?? true }
}
