internal import KMS
internal import Media
internal import PlayerCore
internal import ScrubSheet

/// What lies over a film while a finger holds it: pictures of its sheet while the finger runs, the film's own frame where it stands. It
/// goes with the pipeline that it covers. The loop's own.
final class ScrubCover {
    private enum State {
        case off
        /// A picture of the sheet is over the film.
        case sheet
        /// The finger holds the film, whose own frame is seen.
        case film
    }

    private var state = State.off
    let view: SheetView
    private let screen: ScrubScreen
    /// Whose surfaces the screen shows, on their own plane or in its pictures.
    private var overlay: OverlayPipeline?
    private var compositor: OSDCompositor?

    init(_ view: SheetView, on screen: ScrubScreen) {
        self.view = view
        self.screen = screen
    }

    /// Whether pictures and surfaces come in commits of their own.
    var isOn: Bool { if case .off = state { false } else { true } }

    /// The time of the sheet's picture that lies over the film; `nil` where none does.
    var pictureTime: MediaTime? { view.pictureTime }

    /// The bar has come: a finger may follow.
    func prepare(surface: SheetView.SurfaceLocation) { view.prepare(surface: surface) }

    /// Whether the sheet has a picture that counts as under a finger that moves. One that still grows has none of places that have not
    /// been played.
    func hasPicture(at time: MediaTime, of duration: MediaTime) -> Bool {
        view.hasPicture(at: time, within: duration.scaled(by: SeekPlanner.tolerance))
    }

    /// - Parameters:
    ///   - target: where the finger is; `nil` where the sheet has no picture.
    ///   - isThere: the film's own frame of that place has come.
    ///   - surface: where the on-screen display's surface is.
    func follow(
        _ target: MediaTime?, isThere: Bool, _ overlay: OverlayPipeline?,
        surface: @autoclosure () -> SheetView.SurfaceLocation
    ) {
        guard let target, !isThere else {
            if case .sheet = state { view.reveal() }
            if isOn { state = .film }
            return
        }
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

    /// The finger has gone, and the film goes on.
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
