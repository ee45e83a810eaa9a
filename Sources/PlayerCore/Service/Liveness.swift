/// Whether a player that says it is well really is: while frames are due, they reach the screen.
///
/// A value without a clock. That the loop answers is proved by its asking.
public struct Liveness: Hashable, Sendable {
    /// What is to be seen now.
    public enum Situation: Hashable, Sendable {
        /// No new frame is due: paused, idle, held by a finger, buffering, sound alone, a display that is off or unplugged.
        case still
        /// A film is opened, or its pipeline built anew.
        case opening
        /// A seek is under way, or waiting.
        case seeking
        /// The film plays. `frame` says how long the frame on the screen stands there, by the clock; `nil` while that is unknown.
        case playing(frame: Duration?)
        /// It plays backwards: a group of frames is decoded, unseen, before the last of them is shown.
        case backwards(frame: Duration?)
        /// Behind its last frame, or where it has none for long, the film plays on with its sound: what shows that is the
        /// sound's own place, which is asked for so often.
        case soundAlone(asked: Duration)
    }

    /// More than the player's own patience with each (`Scrubber.slowPatience`, `PlayerLoop.openingPatience`, ending the
    /// film before): what it can help itself with, it does.
    static let openingPatience = Duration.seconds(90)
    static let seekingPatience = Duration.seconds(30)
    /// A processor that is too slow shows one frame in a while; a decoder that is stuck shows none.
    static let playingPatience = Duration.seconds(8)
    /// As long as a seek's, which leads into a group, too.
    static let backwardsPatience = seekingPatience

    private var situation = Situation.still
    /// The last frame, or when frames became due, whichever is later.
    private var lastProgress: MonotonicTime?
    /// Where the film was when somebody last asked.
    private var time: MediaTime?

    public init() {}

    /// Tells what holds from now on; cheap, so that it can be told after everything that happens.
    /// - Parameter lastFrame: when the last one of this film was on the screen.
    public mutating func observe(_ situation: Situation, lastFrame: MonotonicTime?, at now: MonotonicTime) {
        if self.situation == .still || situation == .still { lastProgress = now }
        self.situation = situation
        if let lastFrame, lastFrame > lastProgress ?? lastFrame { lastProgress = lastFrame }
    }

    /// How far the sound has come, or the film where it has no frame yet, as the sink says.
    public mutating func observe(_ time: MediaTime, at now: MonotonicTime) {
        if case .soundAlone = situation, time != self.time { lastProgress = now }
        self.time = time
    }

    /// Something else than a frame showed that the player goes on, such as a film that says why it cannot be played.
    public mutating func progress(at now: MonotonicTime) {
        lastProgress = now
    }

    /// Also `true` while nothing is due.
    public func isAlive(at now: MonotonicTime) -> Bool {
        guard let patience, let lastProgress else { return true }
        return now - lastProgress <= patience
    }

    /// A film of slides stands still for long.
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
