internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The on-screen display: its visibility, its content, and its pipeline while there is one. Belongs to the loop.
final class OnScreenDisplay {
    /// Under a finger the thumb follows 30 times a second, half of the display's flips, which film and bar share; by
    /// itself it moves a pixel or so between two updates, and 4 a second are enough.
    private static let pace = (held: Duration.milliseconds(33), free: Duration.milliseconds(250))

    /// Whether there is a screen for it, and it is wanted.
    var isEnabled = false
    /// The controls, with their layout.
    var controls: Controls
    /// The values that the controls were sent.
    var controlsState = ScreenControls.State()
    let material = OSDMaterial()
    private(set) var overlay: OverlayPipeline?
    private var isOverlayComing = false
    /// The model that was last passed to the overlay, and when.
    private(set) var shownModel = OSDModel()
    private var shownLayout: OSDLayout?
    private var shownAt = MonotonicTime(nanoseconds: 0)
    /// When to show a thumb that has moved since.
    private var deadline: MonotonicTime?

    private var visibility = OSDVisibility()
    private(set) var visibilityState = OSDVisibility.State(isVisible: false)

    /// The message in place of the film's title.
    var message: String?
    /// The message about a film that has failed for good, and the time until which it is shown.
    var toast: (userMessage: String, until: MonotonicTime)?
    /// A client's text, in precedence over the player's messages, and the time until which it is shown.
    var clientText: (text: String, until: MonotonicTime)?

    init(screen: Controls.Screen?, mode: ControlsMode) {
        controls = Controls(screen: screen ?? .init(width: 1280, height: 720), content: ControlsContent(mode: mode))
    }

    /// The timers of the on-screen display.
    enum Timer {
        case fingers, visibility, thumb, toast, clientText
    }

    var timers: Timers<Timer> {
        Timers([
            .fingers: controls.deadline, .visibility: visibilityState.deadline, .thumb: deadline,
            .toast: toast?.until, .clientText: clientText?.until,
        ])
    }

    var layout: OSDLayout { controls.layout }

    /// The value under the finger that holds the bar.
    var heldValue: Double? { controls.slider.heldValue }

    var isVisible: Bool { visibilityState.isVisible }

    func setScreen(_ screen: Controls.Screen?) {
        if let screen { controls.take(screen) }
    }

    /// - Returns: whether its visibility changes.
    func handle(_ event: OSDVisibility.Event, at now: MonotonicTime) -> Bool {
        let before = isVisible
        visibilityState = visibility.handle(event, at: now)
        return isVisible != before
    }

    // MARK: The overlay

    /// Whether to build the overlay now.
    var wantsOverlay: Bool { isEnabled && overlay == nil && !isOverlayComing }

    /// Begins building the overlay, which blocks other builds until `endBuilding`.
    func beginBuilding() { isOverlayComing = true }

    func endBuilding(_ made: OverlayPipeline? = nil) {
        isOverlayComing = false
        if let made { overlay = made }
    }

    /// - Returns: the overlay, which the caller stops.
    func forgetOverlay() -> OverlayPipeline? {
        let before = overlay
        overlay = nil
        deadline = nil
        shownModel = OSDModel()
        shownLayout = nil
        return before
    }

    /// Shows a model, unless only its thumb has moved since a moment ago: then `deadline` says when.
    /// - Parameter isFree: whether it has the display's flips to itself, so that every change is shown.
    /// - Returns: the model that it replaced; `nil` if it was not shown.
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
    /// The model without the mere motion of the thumb: a change of it is shown at once.
    fileprivate var stillness: OSDModel {
        var model = self
        model.bar?.thumb = 0
        model.bar?.buffered = nil
        model.timeText = ""
        model.preview = model.preview.map { Widget($0.id, frame: .init(x: 0, y: 0, width: 0, height: 0), face: .empty) }
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
