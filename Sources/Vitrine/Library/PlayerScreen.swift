public import PlayerCore

/// What a player's frames go to, and what is there besides the film.
public struct PlayerScreen: Hashable, Sendable {
    /// A display or a window takes frames.
    public var isThere = false
    /// As the viewer sees it, in pixels.
    public var width = 0
    /// As the viewer sees it, in pixels.
    public var height = 0
    /// Whether the display is on, and plugged in; `nil` without one.
    public var hasPower: Bool?
    /// The display's cable is out.
    public var isUnplugged = false
    /// What is to be read of the subtitles.
    public var subtitle = ""
    /// Where the bar's thumb was last drawn, or would be drawn where the bar is hidden, 0...1; `nil` without a length.
    public var thumb: Double?

    /// The controls that are on the screen, from the lowest to the topmost; empty while they are hidden.
    public var controls = WidgetScene()

    /// Of a player that has none.
    public init() {}
}
