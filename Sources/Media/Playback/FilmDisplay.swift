public import PlayerCore

/// What a film's pipeline wants of its display. Called on GStreamer's streaming threads and the film's worker, which may
/// wait for a flip.
public struct FilmDisplay: Sendable {
    /// Before the first frame, and before the first one of another colour: how YCbCr is to be read.
    public var setColor: @Sendable (FilmColor) -> Void
    /// Before the sink goes: where it shows the film on the plane below all others, that plane must show something else by
    /// then. `nil` for others.
    public var uncover: (@Sendable () -> Void)?

    public init(setColor: @escaping @Sendable (FilmColor) -> Void, uncover: (@Sendable () -> Void)? = nil) {
        self.setColor = setColor
        self.uncover = uncover
    }
}
