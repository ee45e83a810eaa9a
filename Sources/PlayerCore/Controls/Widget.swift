/// One thing on the screen that is seen, touched, or both: a value.
///
/// The painter and the hit test take the same widgets: what is seen is what a finger meets.
public struct Widget: Hashable, Sendable, Identifiable {
    /// Pixels of the display as the viewer sees it, from its top left corner.
    public typealias Rectangle = OSDLayout.Rectangle

    /// What it looks like.
    public enum State: Hashable, Sendable {
        case normal
        /// A finger is on it.
        case pressed
        /// It is the one that holds, of several to choose from.
        case chosen
        /// It is neither seen nor touched.
        case hidden
    }

    /// What a finger can do with it.
    public enum Gesture: Hashable, Sendable {
        /// Nothing: the finger is swallowed, and does not reach what lies below.
        case swallow
        /// Touched and lifted inside, it acts.
        case press
        /// A value follows the finger along its target.
        case slide(Axis)
        /// As a press, until the finger moves along the axis: then what it belongs to follows it. Once it moves across the axis, nothing
        /// comes of it.
        case scroll(Axis)
        /// Another object handles its fingers: the seek bar's `Slider`.
        case other
    }

    public enum Axis: Hashable, Sendable {
        /// Values grow to the right.
        case horizontal
        /// Values grow upwards.
        case vertical
    }

    public var id: WidgetID
    /// Where it is drawn.
    public var frame: Rectangle
    /// Where a finger means it: 9 mm or 64 px at least.
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
    /// The sheet that choices lie on.
    case panel
    /// A choice, by its place in the list, counted from 0.
    case option(Int)
    /// Shows the choices that there was no room for.
    case more
    /// The volume's slider.
    case level
    case mute
    /// A picture of the filmstrip, or a film's poster, counted from 0.
    case picture(Int)
    /// The words above a menu.
    case heading
    /// How long nobody has to touch a menu for it to go.
    case secondsLeft
    /// A film's title below its poster.
    case title(Int)
    /// Which page of a menu is shown.
    case pages
}

/// What is painted of a widget.
public enum WidgetFace: Hashable, Sendable {
    /// Nothing: another object paints it, or it is only touched.
    case empty
    /// A dark sheet, for other widgets to lie on.
    case panel
    /// - Parameter hasDisc: whether it stands on a disc.
    case icon(ControlIcon, hasDisc: Bool)
    /// A few letters in a frame of an icon's size: "DE".
    case tag(String, fontSize: Int)
    /// A line of text from the left edge; a check mark before it where it is chosen.
    case label(String, fontSize: Int)
    /// A vertical slider's value, 0...1 from below.
    case level(Double)
    /// Darkens all of what lies below, to its opposite edges.
    case backdrop
    /// Lines of text, which end with "\n", and nothing else.
    case text(String, fontSize: Int, isCentred: Bool)
    /// A word on a plate, which is light where it is chosen.
    case chip(String, fontSize: Int)
    /// A row of dots, one of them bright.
    case dots(count: Int, chosen: Int)
    /// A picture that fills the frame, with a line of text at its lower edge.
    /// - Parameters:
    ///   - id: `nil` until its pixels are there.
    ///   - isMarked: a chapter begins in it.
    case picture(PictureID?, caption: String, fontSize: Int, isMarked: Bool)
}

/// Names the pixels of a picture, which whoever paints has. Other pixels have another name.
public struct PictureID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// The signs on buttons.
public enum ControlIcon: Hashable, Sendable, CaseIterable {
    case play, pause, subtitles, languages, speaker, speakerMuted, outputs, filmstrip, menu, more
}

/// The widgets of a screen, from the lowest to the topmost.
public struct WidgetScene: Hashable, Sendable {
    public var widgets: [Widget]

    public init(_ widgets: [Widget] = []) {
        self.widgets = widgets
    }

    /// The topmost widget whose target holds this place, in pixels of the display.
    public func widget(atX x: Double, y: Double) -> Widget? {
        widgets.last { $0.state != .hidden && $0.target.contains(x: x, y: y) }
    }

    public subscript(id: WidgetID) -> Widget? { widgets.first { $0.id == id } }

    /// As it is seen while a finger is on a widget.
    public func pressing(_ id: WidgetID?) -> WidgetScene {
        guard let id else { return self }
        var scene = self
        for place in scene.widgets.indices where scene.widgets[place].id == id { scene.widgets[place].state = .pressed }
        return scene
    }
}
