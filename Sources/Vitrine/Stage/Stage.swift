internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The place of films: a display or a window, the part of it to use, the on-screen display, the outgoing film, whose
/// last frame stays while the next one is opened, and the preloaded one. Belongs to the loop.
final class Stage {
    /// Whether the screen can take a film.
    enum State {
        case ready
        /// The display's cable is unplugged.
        /// - Parameter resume: a film that could not continue without the display.
        case unplugged(resume: DeferredLoad?)
        /// The display is being reopened: nothing is opened until that is done.
        case moving(resume: DeferredLoad?, wasUnplugged: Bool)
    }

    private(set) var state = State.ready
    /// `nil` plays in `window`, or, without one, unseen.
    private(set) var display: Display?
    let window: PlayerWindow?
    /// Whether the film's plane did not scale although it should; for as long as this display is used.
    private(set) var isScalingRefused = false
    /// As the newest request has set it.
    var hasPower = true
    var gravity: VideoGravity
    /// The part of the display that films are fitted into; `nil` for all of it.
    var area: OSDLayout.Rectangle?
    /// Set if the screen has no plane for the on-screen display.
    private(set) var compositor: OSDCompositor?
    /// Shows scrub sheets' pictures; created for the first film that has a sheet.
    var scrubScreen: ScrubScreen?
    /// The outgoing film, whose last frame stays until the next film's first one is shown.
    var outgoing: (any MediaPipeline)?
    /// Says which film is preloaded, and when.
    var preloading = Preloading<NextItem>()
    /// The preloaded film, which is `nil` if it cannot be built.
    var preloadedFilm: Task<(any MediaPipeline)?, Never>?
    let osd: OnScreenDisplay
    private let log: Logger

    /// A stage without a display, which `take` sets.
    init(window: PlayerWindow?, gravity: VideoGravity, controls: ControlsMode, log: Logger) {
        self.window = window
        self.gravity = gravity
        self.log = log
        compositor = window.map { _ in OSDCompositor { _ in } }
        osd = OnScreenDisplay(screen: window.map { Controls.Screen($0) }, mode: controls)
    }

    // MARK: The screen

    /// The current screen for films; `nil` for none.
    var screen: FilmOutput.Screen? {
        var screen =
            display.map { FilmOutput.Screen($0, planeScales: !isScalingRefused) }
            ?? window.map { FilmOutput.Screen($0) }
        screen?.gravity = gravity
        if let display, let part = area?.part(ofDisplayWidth: display.width, height: display.height) {
            screen?.area = part
        }
        return screen
    }

    var filmDisplay: FilmDisplay? { display.map { FilmDisplay($0, log) } }

    /// From the viewer's space to the screen's.
    var transform: DisplayTransform { display?.transform ?? window?.transform ?? .identity }

    func controlsScreen(hasSubtitles: Bool) -> Controls.Screen? {
        var screen = display.map { Controls.Screen($0) } ?? window.map { Controls.Screen($0) }
        screen?.hasSubtitles = hasSubtitles
        return screen
    }

    /// Sets another display, or the same one in another mode.
    func take(_ display: Display?) {
        self.display = display
        scrubScreen = nil
        compositor = display.flatMap { makeCompositor(for: $0) }
    }

    /// - Returns: `false` if that was known already.
    func refuseScaling() -> Bool {
        defer { isScalingRefused = true }
        return !isScalingRefused
    }

    // MARK: Cables

    var isMoving: Bool { if case .moving = state { true } else { false } }

    var isUnplugged: Bool {
        switch state {
        case .ready: false
        case .unplugged: true
        case .moving(_, let wasUnplugged): wasUnplugged
        }
    }

    /// Whether a viewer could see a film now.
    var isLit: Bool { screen != nil && hasPower && !isUnplugged && !isMoving }

    func unplug() { state = .unplugged(resume: nil) }

    /// - Parameter resume: the open film.
    func beginMoving(resume: DeferredLoad?) {
        var before: DeferredLoad?
        if case .unplugged(let load) = state { before = load }
        state = .moving(resume: resume ?? before, wasUnplugged: isUnplugged)
    }

    /// Opens a film once there is a display, in place of one that waits already.
    func resumeLater(_ load: DeferredLoad) {
        switch state {
        case .ready: break
        case .unplugged: state = .unplugged(resume: load)
        case .moving(_, let wasUnplugged): state = .moving(resume: load, wasUnplugged: wasUnplugged)
        }
    }

    /// - Parameter isOpen: whether the display could be opened, and has been set.
    func endMoving(isOpen: Bool) {
        guard case .moving(let resume, _) = state else { return }
        guard isOpen else {
            state = .unplugged(resume: resume)
            return
        }
        isScalingRefused = false
        state = .moving(resume: resume, wasUnplugged: false)
    }

    /// The load that waited while the display was moving.
    func settle() -> DeferredLoad? {
        switch state {
        case .ready: return nil
        case .unplugged(let resume):
            state = .unplugged(resume: nil)
            return resume
        case .moving(let resume, _):
            state = .ready
            return resume
        }
    }

    // MARK: The surface

    /// Shows the surface in this film's frames from now on, or, with `nil`, on the black background.
    func compose(with film: FilmPipeline?) {
        guard let compositor else { return }
        compositor.use(film)
        // It may wait for a flip.
        Task { await runBlocking { compositor.refresh() } }
    }

    /// The compositor for a display without a plane for the on-screen display; `nil` for others.
    private func makeCompositor(for display: Display) -> OSDCompositor? {
        guard display.choice.step == .composited else { return nil }
        return OSDCompositor { [log] surface in
            do throws(KMSError) {
                guard let surface else { return try display.clearBackground() }
                try surface.withPixels { pixels throws(KMSError) in
                    let place = surface.place
                    try display.drawOnBackground(
                        pixels, x: place.x, y: place.y, width: place.width, height: place.height)
                }
            } catch {
                log.warning("the on-screen display is not shown: \(error)")
            }
        }
    }
}
