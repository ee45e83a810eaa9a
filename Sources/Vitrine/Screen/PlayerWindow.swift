public import Media
public import PlayerCore

/// A window of a desktop to play in, instead of a display.
public struct PlayerWindow: Hashable, Sendable {
    public var system: FilmOutput.Window
    /// Pixels. An enlarged window shows the same frame in its middle.
    public var width: Int
    /// Lines.
    public var height: Int
    /// From the viewer's space to the window's, as on a display. `width` and `height` are the window's.
    public var transform: DisplayTransform

    public init(
        _ system: FilmOutput.Window, width: Int = 1280, height: Int = 720, transform: DisplayTransform = .identity
    ) {
        self.system = system
        self.width = width
        self.height = height
        self.transform = transform
    }
}
