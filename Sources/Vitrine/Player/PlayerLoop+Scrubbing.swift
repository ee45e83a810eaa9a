internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import ScrubSheet

/// The film's scrub sheet under a finger.
extension PlayerLoop {
    /// Called once a local film with pictures is open, and with each finger on its bar where it had no sheet until then.
    func findSheet() {
        guard let display = stage.display, let output = stage.screen, let film = session.pipeline,
            let path = session.location?.path
        else { return }
        let (run, layout, known, cache) = (session.run, osd.layout, stage.scrubScreen, options.sheets?.cache)
        Task {
            let found = await offLoop { [log] () -> (ScrubSheet, ScrubScreen)? in
                guard let sheet = ScrubSheet.find(for: path, in: cache) else { return nil }
                do throws(KMSError) {
                    if let known { return (sheet, known) }
                    return try ScrubScreen(display, layout).map { (sheet, $0) }
                } catch {
                    log.warning("the film's scrub sheet is not used: \(error)")
                    return nil
                }
            }
            guard let (sheet, screen) = found, session.run === run, stage.display === display, osd.layout == layout
            else {
                return
            }
            stage.scrubScreen = screen
            let stripPlace = output.composesOSD ? OverlayPlace(layout, on: display).rectangle : nil
            let view = SheetView(sheet, on: screen, over: film, output, stripPlace: stripPlace, cache: cache, log)
            run.cover = ScrubCover(view, on: screen)
        }
    }

    /// A finger is about to lead the film there.
    func expect(_ event: SliderEvent) {
        if case .touchDown = event, session.run.cover == nil, hasBar, session.facts?.hasVideo == true { findSheet() }
        guard let cover = session.run.cover, let duration = session.duration, let value = event.value else { return }
        session.scrubber.hasSheet = cover.hasPicture(at: duration.scaled(by: value), of: duration)
    }

    /// After everything that may have led the finger, or the film, elsewhere.
    func followSheet() {
        guard let cover = session.run.cover else { return }
        let scrubber = session.scrubber
        if scrubber.isDragging {
            cover.follow(
                scrubber.hasSheet ? scrubber.displayedTime : nil, isThere: scrubber.isThere, osd.overlay)
        } else if !scrubber.isSeeking {
            cover.end()
        }
    }
}

extension ScrubScreen {
    fileprivate convenience init?(_ display: Display, _ layout: OSDLayout) throws(KMSError) {
        var place: StripPlace?
        if display.osdPlane != nil {
            let overlay = OverlayPlace(layout, on: display)
            let size = overlay.planeTurn.size(width: overlay.rectangle.width, height: overlay.rectangle.height)
            place = StripPlace(rectangle: overlay.rectangle, width: size.width, height: size.height)
        }
        try self.init(display, strip: place)
    }
}
