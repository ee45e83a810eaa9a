public import PlayerCore

/// What a film's sink has shown.
public struct FrameCount: Hashable, Sendable {
    /// Frames that reached the screen.
    public var shown: UInt64
    /// Frames decoded on the way to another one and not shown.
    public var heldBack: UInt64
    /// The last one's place in the film, or where a seek led to behind that.
    public var time: MediaTime?
    /// Where it begins.
    public var start: MediaTime?
    /// Where the film was when it came to the screen: later, where it came late.
    public var filmTime: MediaTime?
    /// Frames that have come to the decoder, except for those from before the newest seek that still did so after it was sent.
    public var arrived: UInt64
    /// Where the last one begins that has come to the decoder, which may have left it out; `nil`: unknown.
    public var newest: MediaTime?
    /// How long the last one stands, where the stream says so.
    public var duration: MediaTime?
    /// When the last one came to the screen, also once more as playing went on; 0 while none did.
    public var shownAt: MonotonicTime
    /// No more will come, though the sound may go on.
    public var hasEnded: Bool
    /// No other follows it in the film, in this pass of a loop, or for long, though the sound may go on.
    public var isLast: Bool

    /// How long the last one stands, in the film's time: as long as the stream says, or until the newest one begins that has
    /// arrived at the decoder, whichever is longer. Matroska, WebM and MPEG-TS write a frame's usual length also where the next
    /// frame follows half a minute later.
    public var standingTime: MediaTime? {
        guard let start, let newest, newest > start else { return duration }
        return max(duration ?? .zero, newest - start)
    }

    /// A single one was shown, and no later one has come to the decoder, as to a machine that is too busy to show it.
    public var isOnly: Bool {
        guard shown == 1, let start, let newest else { return shown == 1 }
        return newest <= start
    }
}

/// A frame that was on the screen.
public struct ShownFrame: Hashable, Sendable {
    /// Its place in the film.
    public var time: MediaTime?
    /// When it came to the screen.
    public var shownAt: MonotonicTime
}
