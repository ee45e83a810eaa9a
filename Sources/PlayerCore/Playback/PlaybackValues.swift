/// Names an item of a player's queue.
public struct ItemID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// Names a seek that a caller waits for.
public struct SeekID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// Names one load of an item, so that reports of an earlier load can be ignored.
public struct LoadID: Hashable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }
}

/// The target of a seek, and how far from it the frame may be.
public struct SeekTarget: Hashable, Sendable {
    public var time: MediaTime
    public var tolerance: SeekTolerance

    public init(_ time: MediaTime, within tolerance: SeekTolerance = .exact) {
        self.time = time
        self.tolerance = tolerance
    }
}

extension MediaTime {
    /// A tolerance that allows any distance.
    public static let unlimited = MediaTime(nanoseconds: .max)
}

/// The player's actual state. The requested state is its rate.
public enum TimeControlStatus: Hashable, Sendable {
    /// The player is not to play.
    case paused
    /// The player is to play, and does not yet.
    case waiting(WaitingReason)
    /// The film runs.
    case playing
}

/// Why a player that is to play does not play yet.
public enum WaitingReason: String, Hashable, Sendable {
    /// There is no item, or it has failed.
    case noItemToPlay
    /// The item is being opened, or is about to start.
    case opening
    /// Too little has arrived over the network.
    case buffering
    /// A seek has not shown its frame yet.
    case seeking
    /// A finger, or the program, is scrubbing.
    case scrubbing
}

/// The action when an item has been played to its end. A queue that loops ignores it.
public enum ActionAtItemEnd: String, Hashable, Sendable, CaseIterable {
    /// Seeks to the start, and pauses.
    case rewind
    /// Pauses on the last frame.
    case pause
    /// Advances to the next item; the item that ended leaves the queue.
    case advance
}

/// The part of a queue that repeats.
public enum QueueLoop: String, Hashable, Sendable, CaseIterable {
    /// Nothing repeats.
    case off
    /// The current item repeats for ever.
    case one
    /// All items repeat for ever: an item that has ended moves to the end.
    case all
}

/// The volume in per cent of the film's own loudness, on a perceptual scale.
public struct Loudness: Hashable, Sendable {
    /// 0 to 100.
    public var percent: Double { didSet { percent = min(max(percent, 0), 100) } }
    /// Whether the sound is off, whatever `percent` says.
    public var isMuted: Bool

    /// The volume in whole per cent.
    public var rounded: Int { Int(percent.rounded()) }

    /// The volume, clamped to 0 to 100.
    public init(percent: Double = 100, isMuted: Bool = false) {
        self.percent = min(max(percent, 0), 100)
        self.isMuted = isMuted
    }
}

/// The kind of a track: audio, or subtitles.
public enum MediaCharacteristic: String, Hashable, Sendable, CaseIterable {
    /// Audio; subtitles.
    case audible, legible
}

/// The requested track of one kind.
public enum TrackChoice: Hashable, Sendable {
    /// The choice follows the file or the viewer's languages.
    case automatic
    /// No track.
    case off
    /// The track at this place among those of its kind, counted from 0.
    case track(Int)
}
