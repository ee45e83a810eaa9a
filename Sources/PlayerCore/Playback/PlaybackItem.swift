/// A player's knowledge of one item: a value, also while the item is in no player.
public struct PlaybackItem: Hashable, Sendable {
    /// The status of one load; it is final until the item is opened again.
    public enum Status: Hashable, Sendable {
        case unknown
        case readyToPlay
        case failed(MediaFailure)
    }

    /// A seek that is not done.
    struct PendingSeek: Hashable, Sendable {
        var id: SeekID?
        var target: SeekTarget
    }

    public internal(set) var status = Status.unknown
    /// `nil` until the item is open.
    public internal(set) var mediaInfo: MediaInfo?
    public internal(set) var timeline = Timeline()
    /// The loaded parts; empty if the source does not report them.
    public internal(set) var bufferedRanges: [ClosedRange<MediaTime>] = []
    /// The tracks that were chosen for this item. They outlive a load. For none or `automatic` the player's preference
    /// applies.
    public internal(set) var choices: [MediaCharacteristic: TrackChoice] = [:]
    /// The tracks to choose from, and the one that is chosen now.
    public internal(set) var groups: [MediaCharacteristic: MediaSelectionGroup] = [:]
    /// Whether the item can be opened more than once: a pipe cannot.
    public var isRepeatable = true
    /// Whether the item is opened at another place than its start.
    public var beginsElsewhere = false
    /// The newest seek that is not done: remembered until there is something to seek in. There is never a second one.
    var pendingSeek: PendingSeek?

    public init() {}

    /// Whether a seek is not done.
    public var isSought: Bool { pendingSeek != nil }

    /// The seek that a caller waits for.
    public var awaitedSeek: SeekID? { pendingSeek?.id }

    /// The newest seek's target until it is done, then the film's position.
    public func time(at now: MonotonicTime) -> MediaTime { pendingSeek?.target.time ?? timeline.time(at: now) }

    /// Remembers a seek.
    /// - Returns: the seek that it replaces.
    public mutating func remember(_ id: SeekID?, _ target: SeekTarget) -> SeekID? {
        defer { pendingSeek = PendingSeek(id: id, target: target) }
        return pendingSeek?.id
    }

    /// Forgets the pending seek.
    /// - Returns: the seek that is forgotten.
    public mutating func forgetSeek() -> SeekID? {
        defer { pendingSeek = nil }
        return pendingSeek?.id
    }

    public mutating func choose(_ choice: TrackChoice, of kind: MediaCharacteristic) { choices[kind] = choice }

    /// Resets the item before it is opened: only the choices stay.
    mutating func begin() {
        status = .unknown
        mediaInfo = nil
        timeline = Timeline()
        bufferedRanges = []
        groups = [:]
    }
}
