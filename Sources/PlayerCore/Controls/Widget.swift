/// One thing on the screen that is drawn, touched, or both: a value.
///
/// The painter and the hit test use the same widgets, so that a finger meets what is drawn.
public struct Widget: Hashable, Sendable, Identifiable {
    /// Pixels of the display as the viewer sees it, from its top left corner.
    public typealias Rectangle = OSDLayout.Rectangle

    /// The widget's appearance.
    public enum State: Hashable, Sendable {
        case normal
        /// A finger is on it.
        case pressed
        /// It is the selected one of several choices.
        case chosen
        /// It is neither drawn nor touched.
        case hidden
    }

    /// The gestures that a widget takes.
    public enum Gesture: Hashable, Sendable {
        /// None: the finger is swallowed, and does not reach the widgets below.
        case swallow
        /// The widget acts when it is touched and lifted inside.
        case press
        /// A value follows the finger along its target.
        case slide(Axis)
        /// As a press, until the finger moves along the axis: then the content follows it. A finger that moves across
        /// the axis does nothing.
        case scroll(Axis)
        /// Another object handles the fingers: the seek bar's `Slider`.
        case other
    }

    public enum Axis: Hashable, Sendable {
        /// Values grow to the right.
        case horizontal
        /// Values grow upwards.
        case vertical
    }

    public var id: WidgetID
    /// The rectangle in which the widget is drawn.
    public var frame: Rectangle
    /// The rectangle in which the widget takes touches: at least 9 mm or 64 px.
    public var target: Rectangle
    public var gesture: Gesture
    public var face: WidgetFace
    public var state: State

    public init(
        _ id: WidgetID, frame: Rectangle, target: Rectangle? = nil, gesture: Gesture = .press, face: WidgetFace,
        state: State = .normal
    ) {
        self.id = id
        self.frame = frame
        self.target = target ?? frame
        self.gesture = gesture
        self.face = face
        self.state = state
    }
}

/// Names a widget within its scene.
public enum WidgetID: Hashable, Sendable {
    /// The seek bar.
    case bar
    case button(ControlButton)
    /// The background of the choices.
    case panel
    /// A choice, by its place in the list, counted from 0.
    case option(Int)
    /// Shows the choices that did not fit.
    case more
    /// The volume's slider.
    case level
    case mute
    /// A picture of the filmstrip, or a film's poster, counted from 0.
    case picture(Int)
    /// The picture above the bar's thumb.
    case preview
    /// The text above a menu.
    case heading
    /// The seconds until an untouched menu closes.
    case secondsLeft
    /// A film's title below its poster.
    case title(Int)
    /// The page indicator of a menu.
    case pages
}

/// The painting of a widget.
public enum WidgetFace: Hashable, Sendable {
    /// Nothing: another object paints it, or it only takes touches.
    case empty
    /// A dark background for other widgets.
    case panel
    /// - Parameter hasDisc: whether the icon has a disc behind it.
    case icon(ControlIcon, hasDisc: Bool)
    /// A few letters in a frame of an icon's size: "DE".
    case tag(String, fontSize: Int)
    /// A line of text from the left edge, with a check mark before it when it is chosen.
    case label(String, fontSize: Int)
    /// A vertical slider's value, 0...1 from below.
    case level(Double)
    /// Darkens everything below, to its opposite edges.
    case backdrop
    /// Text alone; its lines end with "\n".
    case text(String, fontSize: Int, isCentred: Bool)
    /// A word on a plate, which is light when it is chosen.
    case chip(String, fontSize: Int)
    /// A row of dots, one of them bright.
    case dots(count: Int, chosen: Int)
    /// A picture that fills the frame, with a line of text at its lower edge.
    /// - Parameters:
    ///   - id: `nil` until the pixels are available.
    ///   - isMarked: whether a chapter starts in it.
    case picture(PictureID?, caption: String, fontSize: Int, isMarked: Bool)
    /// A framed picture with a time at its lower edge.
    case preview(PictureID, time: String, fontSize: Int)
}

/// Names the pixels of a picture that the painter holds. Other pixels have another name.
public struct PictureID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// The icons of buttons.
public enum ControlIcon: Hashable, Sendable, CaseIterable {
    case play, pause, subtitles, languages, speaker, speakerMuted, outputs, filmstrip, menu, more
}

/// The widgets of a screen, from the lowest to the topmost.
public struct WidgetScene: Hashable, Sendable {
    public var widgets: [Widget]

    public init(_ widgets: [Widget] = []) {
        self.widgets = widgets
    }

    /// The topmost widget whose target contains this point, in pixels of the display.
    public func widget(atX x: Double, y: Double) -> Widget? {
        widgets.last { $0.state != .hidden && $0.target.contains(x: x, y: y) }
    }

    public subscript(id: WidgetID) -> Widget? { widgets.first { $0.id == id } }

    /// The scene while a finger presses a widget.
    public func pressing(_ id: WidgetID?) -> WidgetScene {
        guard let id else { return self }
        var scene = self
        for place in scene.widgets.indices where scene.widgets[place].id == id { scene.widgets[place].state = .pressed }
        return scene
    }
}
