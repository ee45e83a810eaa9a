internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import ScrubSheet

/// The film's scrub sheet during a drag.
extension PlayerLoop {
    /// Opens the sheet. Called once a local film with video is open, and at each touch of its bar while it has no
    /// sheet.
    func findSheet() {
        guard let display = stage.display, let output = stage.screen, let film = session.pipeline,
            let path = session.location?.path
        else { return }
        let (run, known, cache) = (session.run, stage.scrubScreen, options.sheets?.cache)
        guard case .idle(let identity) = run.sheetSearch else { return }
        run.sheetSearch = .running
        Task {
            let (file, found) = await runBlocking { () -> (FilmIdentity?, (ScrubSheet, ScrubScreen)?) in
                guard let file = identity ?? (try? FilmIdentity.of(path)) else { return (nil, nil) }
                guard let sheet = ScrubSheet.find(for: path, identity: file, in: cache),
                    let screen = known ?? ScrubScreen(display)
                else { return (file, nil) }
                return (file, (sheet, screen))
            }
            run.sheetSearch = .idle(file)
            run.filmstrip?.identity = file
            guard let (sheet, made) = found, session.run === run, stage.display === display else { return }
            // An earlier film may have created one meanwhile: a card's events have one reader.
            let screen = stage.scrubScreen ?? made
            stage.scrubScreen = screen
            run.cover = ScrubCover(SheetView(sheet, on: screen, over: film, output, cache: cache, log), on: screen)
            run.filmstrip?.sheet = sheet
            refreshOSD()
            prepareSheet()
        }
    }

    /// Makes the sheet from the frames of the film that plays.
    func harvestFrames(_ mediaInfo: MediaInfo) {
        guard let sheets = options.sheets else { return }
        session.harvest(mediaInfo, for: sheets) { [weak self] error in
            Task { await self?.logEnd(ofHarvest: error) }
        }
    }

    /// Logs it once: a full card is full for all films, and whenever they are opened.
    private func logEnd(ofHarvest error: SheetError) {
        if logged.warnings.isNew(error.what, of: nil) { log.warning("a scrub sheet cannot be stored: \(error)") }
    }

    /// Waits until no picture of a sheet is on the screen, or on its way there, before other work on the film.
    func leaveSheet() {
        guard let cover = session.run.cover, cover.isOn else { return }
        let view = cover.view
        cover.end()
        afterFilmWork { _ in await view.revealed() }
    }

    /// Prepares the sheet, because the bar has appeared, or a sheet for the bar. Its pictures are like the film's frames:
    /// not before the first of these has replaced an earlier film's.
    func prepareSheet() {
        guard osd.isVisible, hasBar, session.run.isShown else { return }
        session.run.cover?.prepare(surface: surfaceLocation)
    }

    private var surfaceLocation: SheetView.SurfaceLocation {
        guard let display = stage.display else { return .nowhere }
        let place = OverlayPlace(osd.layout, on: display)
        guard display.osdPlane != nil else {
            guard stage.screen?.composesOSD == true, let compositor = stage.compositor else { return .nowhere }
            return .frames(place.rectangle, compositor)
        }
        let size = place.planeTurn.size(width: place.rectangle.width, height: place.rectangle.height)
        return .plane(.init(rectangle: place.rectangle, width: size.width, height: size.height))
    }

    /// Announces a finger that is about to move the film.
    func expect(_ event: SliderEvent) {
        if case .touchDown = event, session.run.cover == nil, hasBar, session.mediaInfo?.hasVideo == true {
            findSheet()
        }
        guard let cover = session.run.cover, let duration = session.duration, let value = event.value else { return }
        session.scrubber.hasSheet = cover.hasPicture(at: duration.scaled(by: value), of: duration)
    }

    /// Updates the sheet's pictures. Called after everything that may have moved the finger, or the film.
    func followSheet() {
        guard let cover = session.run.cover else { return }
        let scrubber = session.scrubber
        if scrubber.isDragging {
            cover.follow(
                scrubber.hasSheet ? scrubber.displayedTime : nil, isThere: scrubber.isThere, osd.overlay,
                surface: surfaceLocation)
        } else if !scrubber.isSeeking {
            cover.end()
        }
    }
}
