internal import Media
internal import PlayerCore

/// The controls on the screen: their content and their actions.
extension PlayerLoop {
    /// Whether there are controls for a finger.
    var hasControls: Bool { osd.isEnabled && options.controls != .off }

    /// Updates the controls' content. Hidden controls cost nothing: they are laid out when a finger touches.
    func arrangeControls(at now: MonotonicTime, evenIfHidden: Bool = false) {
        guard hasControls, osd.isVisible || evenIfHidden else { return }
        if osd.controls.take(controlsContent) { show(.panelChanged(isOpen: false), at: now) }
    }

    /// Makes the filmstrip of a film with video, on a disk or a server; it reads nothing before it is shown.
    func makeFilmstrip(_ mediaInfo: MediaInfo) {
        guard let film = session.location, let duration = mediaInfo.duration, mediaInfo.hasVideo,
            mediaInfo.isSeekable, !mediaInfo.isLive, !mediaInfo.isPicture
        else { return }
        if let known = session.run.filmstrip, known.fits(duration) || mediaInfo.isLocal { return }
        session.run.filmstrip?.rest()
        session.run.filmstrip = nil
        // Without the button the pictures serve as the ones above the thumb.
        guard options.controls == .full || options.controls == .bar && !mediaInfo.isLocal, film.hasStills,
            !mediaInfo.isAdaptive
        else { return }
        session.run.filmstrip = Filmstrip(film, of: duration, osd.material)
    }

    /// Reads the filmstrip's pictures while they are shown, and pauses for fingers and seeks. Those of a film from a
    /// server are read while the bar is visible, also under a resting finger, but not while the film needs the network.
    func followFilmstrip() {
        guard let filmstrip = session.run.filmstrip else { return }
        let (scrubber, isLocal) = (session.scrubber, session.mediaInfo?.isLocal != false)
        let isShown = osd.controls.panel == .filmstrip
        let isAhead = !isLocal && session.run.isShown && hasBar && input.visit.reachesControls
        guard osd.isVisible, isShown || isAhead else { return filmstrip.hide() }
        let isHeld = scrubber.isDragging && !isLocal
        guard !scrubber.isSeeking || isHeld, session.run.buffering == nil else { return filmstrip.rest() }
        if !isShown, session.run.state == .playing, !hasSpareData { return filmstrip.pause(for: Self.tick * 2) }
        let (width, height) = osd.controls.pictureSize
        filmstrip.fill(.init(width: width, height: height), filmstripOrder, isolation: self) { $0.refreshOSD() }
    }

    /// Whether more of the film is loaded than it needs to resume.
    private var hasSpareData: Bool {
        guard let duration = session.duration, let loaded = session.run.loaded else { return false }
        return loaded.times.upperBound >= min(session.scrubber.displayedTime + .seconds(2), duration)
    }

    private var filmstripOrder: FilmstripPlan.Order {
        let last = FilmstripPlan.count - 1
        if let value = osd.heldValue { return .around(min(Int((value * Double(last + 1)).rounded()), last)) }
        let shown = osd.controls.scene.widgets.compactMap { widget in
            if case .picture(let place) = widget.id { place } else { nil }
        }
        return shown.isEmpty ? .spread : .around(shown[shown.count / 2])
    }

    private var controlsContent: ControlsContent {
        var content = ControlsContent(mode: options.controls)
        content.hasFilm = session.film != nil && session.mediaInfo != nil && input.visit.reachesControls
        content.hasMenu = input.visit.hasMenu
        content.isPlaying = session.scrubber.wantsPlaying
        content.subtitles = osd.controlsState.subtitles
        content.subtitle = preferences.areSubtitlesShown ? osd.controlsState.subtitle?.number : nil
        content.languages = session.options.filter { $0.kind == .audible }
        content.language = selectedTrack(.audible)
        if case .languages(let preferred) = preferences.audio {
            content.viewerLanguage = preferred.first
        } else {
            content.viewerLanguage = content.languages.first { $0.number == content.language }?.language
        }
        // Without a card the volume has no effect.
        let isHeard = options.hasSound && session.mediaInfo?.hasAudio == true && soundOutput.places.first.device != nil
        content.loudness = isHeard ? osd.controlsState.loudness : nil
        content.volumeLimit = Double(options.volumeLimit)
        if options.choosesOutput, isHeard {
            content.outputs = soundOutput.router.preference.permitted(soundOutput.routes).filter(\.isUsable)
            content.output = soundRoute
        }
        if hasBar, let duration = session.duration {
            content.place = session.scrubber.displayedTime.fraction(of: duration)
            content.pictures = session.run.filmstrip?.pictures(session.chapters) ?? []
            content.isFollowing = session.mediaInfo?.isLocal != false
        }
        return content
    }

    /// Changes the values that the controls were sent.
    func changeControls(_ change: (inout ScreenControls.State) -> Void) {
        change(&osd.controlsState)
        if osd.isVisible { refreshOSD() }
    }

    /// Performs a finger's action.
    func perform(_ action: ControlsAction) {
        guard let controls = embedding.controls else { return }
        switch action {
        case .setPlaying(true): controls.play()
        case .setPlaying(false): controls.pause()
        case .openMenu: embedding.hear?(.touch(.askedMenu))
        case .select(let kind, let number):
            let option = session.options.first { $0.kind == kind && $0.number == number }
            // A visitor who turns subtitles off has chosen no language.
            if let option { embedding.hear?(.touch(.choseTrack(language: option.language?.description))) }
            kind == .audible ? controls.languageSelected(option) : controls.subtitleSelected(option)
        case .setLoudness(let loudness): controls.setVolume(loudness)
        case .selectOutput(let id):
            if let route = soundOutput.routes.first(where: { $0.id == id }) { controls.outputSelected(route) }
        }
    }
}

extension OSDVisibility.Event {
    /// Whether the event comes from a finger.
    var isFingers: Bool {
        switch self {
        case .fingerDown, .fingerUp, .fingerCancelled, .fingerVoid: true
        case .asked, .messageChanged, .panelChanged, .dismissed, .deadlineReached: false
        }
    }
}
