/// Detects a film that is to play and does not progress: a demuxer may answer a seek with nothing, or with buffers
/// whose times are hours ahead.
///
/// A value without a clock. The film progresses while frames are shown, while input arrives at the decoders, and while
/// its position advances without having passed its end. Sound that plays on and its position do not count while the
/// decoder holds a frame: a decoder that is stuck never returns it. One that waits for its input holds none, and a
/// frame that stands waits behind it.
public struct Standstill: Hashable, Sendable {
    public enum Remedy: Hashable, Sendable {
        /// Query the position, and pass it to `observe`.
        case ask
        /// Treat the film as ended, although no end was reported.
        case end
        /// Open the film anew at this place.
        case reopen(at: MediaTime)
    }

    /// After so long without progress the position is queried; after so long again the film is stuck.
    public static let patience = Duration.milliseconds(2500)
    /// Over a network, input may be late.
    public static let remotePatience = Duration.seconds(20)
    /// A film that stops so near its end counts as ended.
    static let nearEnd = MediaTime.seconds(1)
    /// A position so far behind the end has passed it: durations are not exact.
    static let pastEnd = MediaTime.seconds(2)

    /// A film that stops after at most so many frames has stopped soon after it was opened.
    static let fewFrames: UInt64 = 25

    private struct Signs: Hashable {
        var shown: UInt64
        var frames: UInt64
        var sound: UInt64
    }

    private var patience = Standstill.patience
    private var signs: Signs?
    private var isHeld = false
    /// When the film last progressed, or was last queried.
    private var since: MonotonicTime?
    /// The number of queries since.
    private var asked = 0
    private var position: MediaTime?
    /// Whether the film was opened anew and has hardly shown anything since: a second attempt with the same decoder is
    /// not worthwhile.
    private var isReopened = false
    private var shownAtReopening: UInt64?

    public init() {}

    /// When `isDue` is to be called; `nil` while the film is not to play.
    public var deadline: MonotonicTime? { since.map { $0 + patience } }

    /// The film is not to play now, or a seek or load is under way.
    public mutating func rest() {
        (signs, since, asked, position) = (nil, nil, 0, nil)
    }

    /// The film is to play.
    /// - Parameters:
    ///   - shown: the number of frames shown.
    ///   - frames: the number of frames that arrived at their decoder.
    ///   - sound: the number of buffers that arrived at the sound's decoder.
    ///   - isHeld: whether the frames' decoder has not returned from one that went in, and no decoded frame is on its
    ///     way to the screen.
    public mutating func observe(
        shown: UInt64, frames: UInt64, sound: UInt64, isHeld: Bool, isLocal: Bool, at now: MonotonicTime
    ) {
        self.isHeld = isHeld
        let signs = Signs(shown: shown, frames: frames, sound: isHeld ? self.signs?.sound ?? sound : sound)
        guard signs != self.signs else { return }
        if isReopened {
            let first = shownAtReopening ?? shown
            shownAtReopening = first
            isReopened = shown < first + Self.fewFrames
        }
        patience = isLocal ? Self.patience : Self.remotePatience
        self.signs = signs
        goOn(now)
    }

    /// The answer to `ask`.
    /// - Parameter duration: the film's, if it is known.
    public mutating func observe(_ position: MediaTime, of duration: MediaTime?, isReverse: Bool, at now: MonotonicTime)
    {
        guard since != nil, asked > 0, !isHeld else { return }
        let before = self.position
        self.position = position
        guard let before, isReverse ? position < before : position > before else { return }
        if !isReverse, let duration, position > duration + Self.pastEnd { return }
        goOn(now)
        (asked, self.position) = (1, position)
    }

    private mutating func goOn(_ now: MonotonicTime) {
        (since, asked, position) = (now, 0, nil)
    }

    /// The action at `deadline`.
    /// - Parameters:
    ///   - place: the film's position, as far as is known.
    ///   - mayHaveOtherDecoder: whether the decoder is stuck, and another one may be tried.
    public mutating func isDue(
        at place: MediaTime, of duration: MediaTime?, isReverse: Bool, mayHaveOtherDecoder: Bool, at now: MonotonicTime
    ) -> Remedy? {
        guard let deadline, now >= deadline else { return nil }
        since = now
        asked += 1
        guard asked > 2 else { return .ask }
        let place = max(position ?? place, place)
        let isNear = isReverse ? place < Self.nearEnd : duration.map { place > $0 - Self.nearEnd } ?? false
        let isEnd = isNear || isReopened && !mayHaveOtherDecoder
        rest()
        (isReopened, shownAtReopening) = (!isEnd, nil)
        return isEnd ? .end : .reopen(at: place)
    }
}
