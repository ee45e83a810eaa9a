internal import KMS
internal import Media
internal import PlayerCore
internal import ScrubSheet

/// The cover over a film during a drag: pictures of its sheet while the finger runs, the film's own frame while it
/// rests. It is discarded with the pipeline that it covers. Belongs to the loop.
final class ScrubCover {
    private enum State {
        case off
        /// A picture of the sheet covers the film.
        case sheet
        /// The sheet has no picture for the finger. Its last one stays until the film has a frame after these: the newest
        /// may be from before the drag.
        case leaving(after: UInt64)
        /// The finger holds the film, whose own frame is visible.
        case film
    }

    private var state = State.off
    let view: SheetView
    private let screen: ScrubScreen
    /// The overlay whose surfaces are shown, on their own plane or in the sheet's pictures.
    private var overlay: OverlayPipeline?
    private var compositor: OSDCompositor?

    init(_ view: SheetView, on screen: ScrubScreen) {
        self.view = view
        self.screen = screen
    }

    /// Whether pictures and surfaces are shown by separate commits.
    var isOn: Bool { if case .off = state { false } else { true } }

    /// The time of the sheet's picture over the film; `nil` if there is none.
    var pictureTime: MediaTime? { view.pictureTime }

    /// Prepares for a drag, because the bar has appeared.
    func prepare(surface: SheetView.SurfaceLocation) { view.prepare(surface: surface) }

    /// Whether the sheet has a picture near enough to a moving finger. A growing sheet has none for places that have
    /// not been played.
    func hasPicture(at time: MediaTime, of duration: MediaTime) -> Bool {
        view.hasPicture(at: time, within: duration.scaled(by: SeekPlanner.tolerance))
    }

    /// - Parameters:
    ///   - target: the finger's place; `nil` if the sheet has no picture.
    ///   - isThere: whether the film's own frame of that place is ready.
    ///   - surface: the place of the OSD surface.
    func follow(
        _ target: MediaTime?, isThere: Bool, _ overlay: OverlayPipeline?,
        surface: @autoclosure () -> SheetView.SurfaceLocation
    ) {
        guard let target, !isThere else { return leaveSheet(isThere: isThere) }
        state = .sheet
        let location = surface()
        view.show(target, surface: location)
        if case .frames(_, let compositor) = location {
            guard self.compositor !== compositor else { return }
            self.compositor = compositor
            return compositor.observeSurface { [view] in view.surfaceChanged() }
        }
        guard self.overlay !== overlay else { return }
        self.overlay?.divert(to: nil)
        self.overlay = overlay
        overlay?.divert { [view] pixels in view.show(surface: pixels) }
    }

    private func leaveSheet(isThere: Bool) {
        switch state {
        case .off, .film: return
        case .sheet where !isThere: state = .leaving(after: view.filmFrames)
        case .leaving(let before) where !isThere && view.filmFrames <= before: return
        case .sheet, .leaving:
            state = .film
            view.reveal()
        }
    }

    /// Ends the drag, and the film continues.
    func end() {
        guard isOn else { return }
        state = .off
        screen.close()
        view.reveal()
        overlay?.divert(to: nil)
        overlay = nil
        compositor?.observeSurface(with: nil)
        compositor = nil
    }
}
