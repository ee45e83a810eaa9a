internal import KMS
internal import Logging
internal import Media
internal import PlayerCore
internal import ScrubSheet

/// The film's scrub sheet under a finger.
extension PlayerLoop {
    /// Called once a local film with pictures is open.
    func findSheet() {
        guard let display = stage.display, let output = stage.screen, let film = session.pipeline,
            let path = session.location?.path
        else { return }
        let (run, layout, known) = (session.run, osd.layout, stage.scrubScreen)
        Task {
            let found = await offLoop { [log] () -> (ScrubSheet, ScrubScreen)? in
                guard let sheet = ScrubSheet.find(for: path) else { return nil }
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
            let view = SheetView(sheet, on: screen, over: film, output, stripPlace: stripPlace, log)
            run.cover = ScrubCover(view, on: screen)
            session.scrubber.hasSheet = true
        }
    }

    /// After everything that may have led the finger, or the film, elsewhere.
    func followSheet() {
        guard let cover = session.run.cover else { return }
        let scrubber = session.scrubber
        if scrubber.isDragging {
            cover.follow(scrubber.displayedTime, isThere: scrubber.isThere, osd.overlay)
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
