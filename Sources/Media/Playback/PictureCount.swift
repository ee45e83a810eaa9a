public import PlayerCore

/// What a film's sink has shown.
public struct PictureCount: Hashable, Sendable {
    /// Pictures that reached the screen.
    public var shown: UInt64
    /// Pictures decoded on the way to another one and not shown.
    public var heldBack: UInt64
    /// The last one's place in the film, and when it was on the screen.
    public var time: MediaTime?
    /// How long the last one stands, where the stream says so.
    public var duration: MediaTime?
    public var shownAt: MonotonicTime
    /// No more will come, though the sound may go on.
    public var hasEnded: Bool
}

/// A picture that was on the screen.
public struct ShownPicture: Hashable, Sendable {
    /// Its place in the film.
    public var time: MediaTime?
    public var shownAt: MonotonicTime
}
