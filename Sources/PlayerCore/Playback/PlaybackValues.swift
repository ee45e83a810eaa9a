/// Names an item of a player's queue.
public struct ItemID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// Names a seek that somebody waits for.
public struct SeekID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// Names one load of an item: news of one that was left is told from news of the one that plays.
public struct LoadID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// Where to, and how far from it the frame may be.
public struct SeekTarget: Hashable, Sendable {
    public var time: MediaTime
    public var tolerance: SeekTolerance

    public init(_ time: MediaTime, within tolerance: SeekTolerance = .exact) {
        self.time = time
        self.tolerance = tolerance
    }
}

extension MediaTime {
    /// As a tolerance: any distance will do.
    public static let unlimited = MediaTime(nanoseconds: .max)
}

/// What a player does, not what it is asked for: that is its rate.
public enum TimeControlStatus: Hashable, Sendable {
    /// It is not to play.
    case paused
    /// It is to play, and does not yet.
    case waiting(WaitingReason)
    /// The film runs.
    case playing
}

/// Why a player that is to play does not.
public enum WaitingReason: String, Hashable, Sendable {
    /// There is no item, or the one that there is has failed.
    case noItemToPlay
    /// The item is being opened, or about to start.
    case opening
    /// Too little of it has come over the network.
    case buffering
    /// A seek has not shown its frame yet.
    case seeking
    /// A finger, or the program, is scrubbing.
    case scrubbing
}

/// What happens where an item has played to its end. It is not asked where a queue loops.
public enum ActionAtItemEnd: String, Hashable, Sendable, CaseIterable {
    /// Back to the start, and paused.
    case rewind
    /// Paused on the last frame.
    case pause
    /// On to the next item of the queue; the one that ended leaves it.
    case advance
}

/// What a queue repeats.
public enum QueueLoop: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// The current item, for ever.
    case one
    /// All items, for ever: one that has ended goes to the queue's end.
    case all
}

/// How loud, in per cent of the film's own loudness, as ears measure it.
public struct Loudness: Hashable, Sendable {
    /// 0 to 100.
    public var percent: Double { didSet { percent = min(max(percent, 0), 100) } }
    /// Whatever the per cent say.
    public var isMuted: Bool

    /// Whole per cent.
    public var rounded: Int { Int(percent.rounded()) }

    /// Brought into 0 to 100.
    public init(percent: Double = 100, isMuted: Bool = false) {
        self.percent = min(max(percent, 0), 100)
        self.isMuted = isMuted
    }
}

/// Of what kind a choice between tracks is: sounds, or subtitles.
public enum MediaCharacteristic: String, Hashable, Sendable, CaseIterable {
    /// Sounds; subtitles.
    case audible, legible
}

/// Which of an item's tracks of one kind is wanted.
public enum TrackChoice: Hashable, Sendable {
    /// What the file or the viewer's languages say.
    case automatic
    /// None of them.
    case off
    /// By its place among the tracks of its kind, counted from 0.
    case track(Int)
}
