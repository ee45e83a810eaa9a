public import PlayerCore

/// The progress of a film's sink.
public struct FrameCount: Hashable, Sendable {
    /// The frames that reached the screen.
    public var shown: UInt64
    /// The frames that were decoded on the way to another one and not shown.
    public var heldBack: UInt64
    /// The last frame's place in the film, or the target of a seek that led behind it.
    public var time: MediaTime?
    /// The last frame's start.
    public var start: MediaTime?
    /// The film's position when the frame reached the screen: later than `time` if the frame was late.
    public var filmTime: MediaTime?
    /// The frames that have arrived at the decoder, except for those from before the newest seek that arrived after it
    /// was sent.
    public var arrived: UInt64
    /// The start of the last frame that has arrived at the decoder, which may have dropped it; `nil` if unknown.
    public var newest: MediaTime?
    /// The last frame's duration, if the stream gives one.
    public var duration: MediaTime?
    /// When the last frame reached the screen, or was shown again as playback continued; 0 before the first.
    public var shownAt: MonotonicTime
    /// Whether no more frames follow, though the sound may go on.
    public var hasEnded: Bool
    /// Whether no other frame follows in the film, in this loop segment, or for long, though the sound may go on.
    public var isLast: Bool

    /// How long the last frame is shown, in film time: the stream's duration, or the time to the start of the newest
    /// frame that has arrived at the decoder, whichever is longer. Matroska, WebM and MPEG-TS write the usual duration
    /// even if the next frame follows half a minute later.
    public var shownDuration: MediaTime? {
        guard let start, let newest, newest > start else { return duration }
        return max(duration ?? .zero, newest - start)
    }

    /// No decoder keeps so many frames before it gives out the first one, except backwards.
    private static let mostKept: UInt64 = 32

    /// Whether the decoder has taken in more frames than any decoder keeps, and has given out none.
    /// - Parameter before: the count to compare with; `nil` for the pipeline's start.
    public func areTakenInVain(since before: FrameCount?) -> Bool {
        // At the film's end a decoder keeps none. After a seek, a few frames there may lack their key frame.
        let kept = hasEnded && before == nil ? 0 : Self.mostKept
        return arrived > (before?.arrived ?? 0) + kept && shown == before?.shown ?? 0
            && heldBack == before?.heldBack ?? 0
    }

    /// Whether a single frame was shown, and no later one has arrived at the decoder, as on a machine that is too busy
    /// to show it.
    public var isOnly: Bool {
        guard shown == 1, let start, let newest else { return shown == 1 }
        return newest <= start
    }
}

/// A frame that was on the screen.
public struct ShownFrame: Hashable, Sendable {
    /// The frame's place in the film.
    public var time: MediaTime?
    /// When the frame reached the screen.
    public var shownAt: MonotonicTime
}
