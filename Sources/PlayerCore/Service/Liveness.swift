/// Checks whether a player that reports itself well really is: while frames are due, they reach the screen.
///
/// A value without a clock. The loop proves that it runs by asking.
public struct Liveness: Hashable, Sendable {
    /// The expected display.
    public enum Situation: Hashable, Sendable {
        /// No new frame is due: paused, idle, held by a finger, buffering, sound alone, a display that is off or
        /// unplugged.
        case still
        /// A film is being opened, or its pipeline built anew.
        case opening
        /// A seek is under way or waiting.
        case seeking
        /// The film plays. `frame` is the duration of the frame on the screen, by the clock; `nil` while unknown.
        case playing(frame: Duration?)
        /// The film plays backwards: a group of frames is decoded, unseen, before its last one is shown.
        case backwards(frame: Duration?)
        /// The film plays on with its sound, behind its last frame or where it has none for long. The sound's position,
        /// which is queried at this interval, shows progress.
        case soundAlone(asked: Duration)
    }

    /// Longer than the player's own patience in each case (`Scrubber.slowPatience`, `PlayerLoop.loadPatience`,
    /// ending the film before), so that the player can recover first.
    static let openingPatience = Duration.seconds(90)
    static let seekingPatience = Duration.seconds(30)
    /// A processor that is too slow shows a frame now and then; a stuck decoder shows none.
    static let playingPatience = Duration.seconds(8)
    /// The same as for a seek, because playing backwards decodes a group, too.
    static let backwardsPatience = seekingPatience

    private var situation = Situation.still
    /// When the last frame was shown, or when frames became due, whichever is later.
    private var lastProgress: MonotonicTime?
    /// The film's position at the last query.
    private var time: MediaTime?

    public init() {}

    /// Notes the situation. Cheap, so that it can be called after every event.
    /// - Parameter lastFrame: when the last frame of this film was on the screen.
    public mutating func observe(_ situation: Situation, lastFrame: MonotonicTime?, at now: MonotonicTime) {
        if self.situation == .still || situation == .still { lastProgress = now }
        self.situation = situation
        if let lastFrame, lastFrame > lastProgress ?? lastFrame { lastProgress = lastFrame }
    }

    /// Notes the position of the sound, or of a film without a frame so far, as the sink reports it.
    public mutating func observe(_ time: MediaTime, at now: MonotonicTime) {
        if case .soundAlone = situation, time != self.time { lastProgress = now }
        self.time = time
    }

    /// Notes progress other than a frame, such as a film that reports why it cannot be played.
    public mutating func progress(at now: MonotonicTime) {
        lastProgress = now
    }

    /// Whether frames reach the screen as they should. It is `true`, too, while nothing is due.
    public func isAlive(at now: MonotonicTime) -> Bool {
        guard let patience, let lastProgress else { return true }
        return now - lastProgress <= patience
    }

    /// Extends the patience for a film of slides, whose frames are long.
    private static func playing(_ patience: Duration, _ frame: Duration?) -> Duration {
        max(patience, (frame ?? .zero) * 3)
    }

    private var patience: Duration? {
        switch situation {
        case .still: nil
        case .opening: Self.openingPatience
        case .seeking: Self.seekingPatience
        case .playing(let frame): Self.playing(Self.playingPatience, frame)
        case .backwards(let frame): Self.playing(Self.backwardsPatience, frame)
        case .soundAlone(let asked): Self.playingPatience + asked
        }
    }
}
