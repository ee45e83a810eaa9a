public import PlayerCore

/// A film pipeline's calls to its display. Made on GStreamer's streaming threads and the film's worker, which may wait
/// for a flip.
public struct FilmDisplay: Sendable {
    /// Sets how YCbCr is read. Called before the first frame, and before the first one of another colour encoding.
    public var setColor: @Sendable (FilmColor) -> Void
    /// Called before the sink stops if it shows the film on the primary plane, which must show another framebuffer by
    /// then. `nil` for other planes.
    public var uncover: (@Sendable () -> Void)?

    public init(setColor: @escaping @Sendable (FilmColor) -> Void, uncover: (@Sendable () -> Void)? = nil) {
        self.setColor = setColor
        self.uncover = uncover
    }
}
