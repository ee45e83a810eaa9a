/// How long things may take, and what becomes of those that take longer.
extension Scrubber {
    /// A seek that is not answered by then, nor has come further, never will be.
    public static let patience: Duration = .seconds(2)
    /// Nor is one that still goes on then: a small board may take seconds from a key frame to a picture far from it.
    static let slowPatience: Duration = .seconds(20)
    /// Over a network, what is sought has to come first.
    static let remotePatience: Duration = .seconds(20)
    /// Nor are those that one another made void for so long: each touch-up sends one without waiting for the one before.
    static let longPatience: Duration = .seconds(6)

    /// When `handle(.wake)` is due; may have passed already.
    public var deadline: MonotonicTime? {
        if let inFlight {
            if facts?.isLocal == false { return inFlight.sentAt + Self.remotePatience }
            let last = inFlight.sentAt + Self.slowPatience
            if inFlight.isDecodingGroup { return last }
            return min(inFlight.aliveAt + Self.patience, last, inFlight.silentSince + Self.longPatience)
        }
        // Only a finger that has just stopped is waited for.
        guard isOpen, isDragging, isFollowing, let target, let moved = speed.lastMove, target != abandoned,
            !isShown(target)
        else { return nil }
        return moved + Self.rest
    }

    mutating func wake(_ now: MonotonicTime) -> [Action] {
        guard let flight = inFlight else { return chase(now, isWake: true) }
        guard let deadline, now >= deadline else { return [] }
        return rebuild(at: flight.asked)
    }

    mutating func rebuild(at asked: MediaTime? = nil) -> [Action] {
        let lost = search ?? target ?? asked ?? position
        losePipeline()
        if !isDragging {
            phase = .idle
            target = nil
        }
        // Whoever builds the new pipeline opens it there.
        position = lost
        return [.rebuild(at: lost)]
    }
}
