public import Media
public import PlayerCore

/// A player's counters since its creation: for tests, measurements and remote monitoring. Times are of CLOCK_MONOTONIC.
public struct PlayerDiagnostics: Hashable, Sendable {
    /// Frames that reached the screen, of all films.
    public var framesShown: UInt64 = 0
    /// Frames that were too late for the screen, of all films.
    public var framesDropped: UInt64 = 0
    /// The start of the frame on the screen, in film time; `nil` if there is none.
    public var frameTime: MediaTime?
    /// The last frames on the screen, of all films, in order: 256 at most.
    public var recentFrames: [ShownFrame] = []

    /// Pictures of scrub sheets that reached the open display.
    public var sheetFramesShown: UInt64 = 0
    /// The time of the scrub sheet's picture over the film; `nil` if the film's own frame is visible.
    public var sheetFrameTime: MediaTime?

    /// Requested places: moves of the thumb, and jumps.
    public var seeksAsked: UInt64 = 0
    /// Seeks that were sent to GStreamer: a place that a newer one replaces is never sent.
    public var seeksSent: UInt64 = 0
    /// Seeks whose frame reached the screen.
    public var seeksCompleted: UInt64 = 0
    /// Pipelines that were rebuilt because a seek was never answered, or a film did not progress.
    public var rebuilds: UInt64 = 0
    /// Films that were played to their end.
    public var ends: UInt64 = 0

    /// When a finger was last on the panel, by libinput's time.
    public var lastTouch: MonotonicTime?
    /// The newest touch of the bar whose frame is on the screen.
    public var answeredTouch: MonotonicTime?
    /// When that frame was shown.
    public var lastAnswer: MonotonicTime?

    /// Whether the on-screen display is visible.
    public var isOSDVisible = false
    /// Buffers that were sent to its plane.
    public var osdUpdates: UInt64 = 0
    /// When the last of them was on the screen.
    public var osdShownAt: MonotonicTime?

    /// The diagnostics of a new player.
    public init() {}
}
