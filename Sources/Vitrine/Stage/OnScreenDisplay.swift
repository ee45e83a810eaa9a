internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The on-screen display: whether it is to be seen, what stands on it, and its pipeline while there is one. The loop's own.
final class OnScreenDisplay {
    /// Under a finger the thumb follows 30 times a second, half of the display's flips, which film and bar share; by itself
    /// it moves a pixel or so between two updates, and 4 a second are enough.
    private static let pace = (held: Duration.milliseconds(33), free: Duration.milliseconds(250))

    /// Whether there is a screen to show it on, and it is wanted.
    var isEnabled = false
    /// What a finger meets, and where all is.
    var controls: Controls
    /// What they were told.
    var controlsState = ScreenControls.State()
    let material = OSDMaterial()
    private(set) var overlay: OverlayPipeline?
    private var isOverlayComing = false
    /// What was last handed to the overlay, and when.
    private(set) var shownModel = OSDModel()
    private var shownLayout: OSDLayout?
    private var shownAt = MonotonicTime(nanoseconds: 0)
    /// When a thumb that has moved since is due.
    private(set) var deadline: MonotonicTime?

    private var visibility = OSDVisibility()
    private(set) var visibilityState = OSDVisibility.State(isVisible: false)

    /// What stands in place of the film's title.
    var message: String?
    /// Words about a film that is over for good, and until when they are to be read.
    var toast: (userMessage: String, until: MonotonicTime)?
    /// What a client wants to be read, before the player's own words, and until when.
    var clientText: (text: String, until: MonotonicTime)?

    init(screen: Controls.Screen?, mode: ControlsMode) {
        controls = Controls(screen: screen ?? .init(width: 1280, height: 720), content: ControlsContent(mode: mode))
    }

    var layout: OSDLayout { controls.layout }

    /// The value under the finger that holds the bar.
    var heldValue: Double? { controls.slider.heldValue }

    var isVisible: Bool { visibilityState.isVisible }

    func setScreen(_ screen: Controls.Screen?) {
        if let screen { controls.take(screen) }
    }

    /// - Returns: whether it appears or goes.
    func handle(_ event: OSDVisibility.Event, at now: MonotonicTime) -> Bool {
        let before = isVisible
        visibilityState = visibility.handle(event, at: now)
        return isVisible != before
    }

    // MARK: The overlay

    /// Whether the overlay is to be built now.
    var wantsOverlay: Bool { isEnabled && overlay == nil && !isOverlayComing }

    /// Until `endBuilding` nothing else is built.
    func beginBuilding() { isOverlayComing = true }

    func endBuilding(_ made: OverlayPipeline? = nil) {
        isOverlayComing = false
        if let made { overlay = made }
    }

    /// - Returns: the overlay, which is to be stopped.
    func forgetOverlay() -> OverlayPipeline? {
        let before = overlay
        overlay = nil
        deadline = nil
        shownModel = OSDModel()
        shownLayout = nil
        return before
    }

    /// Shows a model, unless only its thumb has moved since a moment ago: then `deadline` says when.
    /// - Parameter isFree: it has the display's flips to itself, and is shown whenever it changes.
    /// - Returns: the model in whose place it came; `nil` where it was not shown.
    func show(_ model: OSDModel, on place: OSDLayout? = nil, isHeld: Bool, isFree: Bool = false, at now: MonotonicTime)
        -> OSDModel?
    {
        guard let overlay else { return nil }
        let layout = place ?? layout
        // A jump is no motion.
        let way = abs((model.bar?.thumb ?? 0) - (shownModel.bar?.thumb ?? 0))
        let isMotionOnly =
            model.isVisible && layout == shownLayout && model.stillness == shownModel.stillness
            && (isHeld || way < 0.02)
        let due = shownAt + (isHeld ? Self.pace.held : Self.pace.free)
        if isMotionOnly, !isFree, now < due {
            deadline = due
            return nil
        }
        deadline = nil
        defer { shownModel = model }
        shownAt = now
        shownLayout = layout
        overlay.show(model, on: layout)
        return shownModel
    }
}

extension OSDModel {
    /// All that is not mere motion of the thumb: a change of it is shown at once.
    fileprivate var stillness: OSDModel {
        var model = self
        model.bar?.thumb = 0
        model.bar?.buffered = nil
        model.timeText = ""
        return model
    }
}

extension OverlayPipeline {
    convenience init(
        _ layout: OSDLayout, on display: Display, _ compositor: OSDCompositor?, _ material: OSDMaterial, _ log: Logger
    ) throws(MediaFailure) {
        let place: Place = { OverlayPlace($0, on: display) }
        if let plane = OverlayPlane(display, layout) {
            try self.init(layout: layout, plane: plane, place: place, paint: material.paint) {
                do { try display.hidePlane(plane.planeID) } catch { log.warning("\(error)") }
            }
            return
        }
        guard let compositor else {
            throw MediaFailure(reason: .cannotBuild, message: "the display has no plane for it")
        }
        try self.init(layout: layout, compositor: compositor, place: place, paint: material.paint)
    }

    convenience init(
        _ layout: OSDLayout, in window: PlayerWindow?, _ compositor: OSDCompositor?, _ material: OSDMaterial
    ) throws(MediaFailure) {
        guard let window, let compositor else {
            throw MediaFailure(reason: .cannotBuild, message: "there is no screen for it")
        }
        try self.init(
            layout: layout, compositor: compositor, place: { OverlayPlace($0, in: window) }, paint: material.paint)
    }
}
