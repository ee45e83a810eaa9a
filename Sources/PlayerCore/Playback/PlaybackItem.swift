/// What a player knows of one item: a value, also while the item is in no player.
public struct PlaybackItem: Hashable, Sendable {
    /// Of one load of an item; it is final until the item is opened again.
    public enum Status: Hashable, Sendable {
        case unknown
        case readyToPlay
        case failed(MediaFailure)
    }

    /// A seek that somebody waits for.
    struct PendingSeek: Hashable, Sendable {
        var id: SeekID?
        var target: SeekTarget
    }

    public internal(set) var status = Status.unknown
    /// `nil` until it is open.
    public internal(set) var mediaInfo: MediaInfo?
    public internal(set) var timeline = Timeline()
    /// What of it is loaded; empty where nobody tells.
    public internal(set) var bufferedRanges: [ClosedRange<MediaTime>] = []
    /// What was chosen for this item; it outlives a load. Where that is nothing or `automatic`, the player's preference counts.
    public internal(set) var choices: [MediaCharacteristic: TrackChoice] = [:]
    /// What there is to choose from, and what is chosen now.
    public internal(set) var groups: [MediaCharacteristic: MediaSelectionGroup] = [:]
    /// Whether it can be opened more than once: what comes through a pipe cannot.
    public var isRepeatable = true
    /// Whether it is opened elsewhere than at its start.
    public var beginsElsewhere = false
    /// The newest seek that is not done: remembered until there is something to seek in, and never a second one.
    var pendingSeek: PendingSeek?

    public init() {}

    /// A seek is not done.
    public var isSought: Bool { pendingSeek != nil }

    /// Somebody waits for this one.
    public var awaitedSeek: SeekID? { pendingSeek?.id }

    /// The newest seek's target until it is done, then where the film is.
    public func time(at now: MonotonicTime) -> MediaTime { pendingSeek?.target.time ?? timeline.time(at: now) }

    /// Remembers a seek.
    /// - Returns: the one in whose place it came.
    public mutating func remember(_ id: SeekID?, _ target: SeekTarget) -> SeekID? {
        defer { pendingSeek = PendingSeek(id: id, target: target) }
        return pendingSeek?.id
    }

    /// Forgets what is not done.
    /// - Returns: the one that is forgotten.
    public mutating func forgetSeek() -> SeekID? {
        defer { pendingSeek = nil }
        return pendingSeek?.id
    }

    public mutating func choose(_ choice: TrackChoice, of kind: MediaCharacteristic) { choices[kind] = choice }

    /// Before it is opened: nothing is known of it but what was asked for.
    mutating func begin() {
        status = .unknown
        mediaInfo = nil
        timeline = Timeline()
        bufferedRanges = []
        groups = [:]
    }
}
