public import PlayerCore

/// The state of a player's screen, besides the film.
public struct PlayerScreen: Hashable, Sendable {
    /// Whether a display or a window shows frames.
    public var isThere = false
    /// In pixels, as the viewer sees it.
    public var width = 0
    /// In pixels, as the viewer sees it.
    public var height = 0
    /// Whether the display is on, and plugged in; `nil` without one.
    public var hasPower: Bool?
    /// Whether the display's cable is unplugged.
    public var isUnplugged = false
    /// The visible subtitles.
    public var subtitle = ""
    /// The bar's thumb as last drawn, or as it would be if the bar were visible, 0...1; `nil` without a length.
    public var thumb: Double?

    /// The controls that are on the screen, from the lowest to the topmost, and the picture above the thumb; empty while
    /// they are hidden.
    public var controls = WidgetScene()

    /// The state of a player without a screen.
    public init() {}
}
