public import Media
public import PlayerCore

/// What a player has done since it was made: for tests, measurements and remote monitoring. Times are of CLOCK_MONOTONIC.
public struct PlayerDiagnostics: Hashable, Sendable {
    /// Frames that reached the screen, of all films.
    public var framesShown: UInt64 = 0
    /// Frames that came too late for the screen, of all films.
    public var framesDropped: UInt64 = 0
    /// Where in the film the frame on the screen begins; `nil` where there is none.
    public var frameTime: MediaTime?
    /// The last frames on the screen, of all films, in order: 256 at most.
    public var recentFrames: [ShownFrame] = []

    /// Pictures of scrub sheets that reached the display that is open.
    public var sheetFramesShown: UInt64 = 0
    /// The time of the scrub sheet's picture that lies over the film under a finger; `nil` where the film's own frame is seen.
    public var sheetFrameTime: MediaTime?

    /// Places that were asked for: moves of the thumb, and jumps.
    public var seeksAsked: UInt64 = 0
    /// Seeks that GStreamer was told to do: what a newer place makes void is never sent.
    public var seeksSent: UInt64 = 0
    /// Seeks whose frame reached the screen.
    public var seeksCompleted: UInt64 = 0
    /// Pipelines that were built anew because a seek never came back, or a film stood still.
    public var rebuilds: UInt64 = 0
    /// Films that were played to their end.
    public var ends: UInt64 = 0

    /// When a finger was last on the panel, as libinput says.
    public var lastTouch: MonotonicTime?
    /// The newest touch of the bar whose frame is on the screen.
    public var answeredTouch: MonotonicTime?
    /// When that frame was there.
    public var lastAnswer: MonotonicTime?

    /// Whether the on-screen display is to be seen.
    public var isOSDVisible = false
    /// Buffers that went to its plane.
    public var osdUpdates: UInt64 = 0
    /// When the last of them was on the screen.
    public var osdShownAt: MonotonicTime?

    /// Of a player that has done nothing yet.
    public init() {}
}
