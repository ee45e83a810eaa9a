/// Decides when the next film is preloaded, so that it starts as soon as the current one has ended, and when the
/// preloaded film is dropped.
///
/// A value without a clock. A `Film` contains everything that a preloaded film depends on: with another sound it is
/// another `Film`.
public struct Preloading<Film: Hashable & Sendable>: Hashable, Sendable {
    /// The next film is preloaded so long before the end, in the viewer's time. A short film has half of it behind it
    /// first, because its own start is costly.
    public static var lead: Duration { .seconds(3) }
    /// A preloaded film is kept for so much longer when the position moves back, so that a look at the last seconds
    /// does not drop it.
    public static var slack: Duration { .seconds(2) }

    /// The state of the film that plays.
    public struct Situation: Hashable, Sendable {
        /// The film that follows by itself and can be preloaded.
        public var next: Film?
        /// A film that a viewer may choose at any moment. It is preloaded in preference to `next`.
        public var choice: Film?
        /// The time to the end for the viewer; `nil` if the film has no end, or it is unknown.
        public var rest: Duration?
        /// The time that the whole film takes.
        public var length: Duration?
        /// Whether the film runs now.
        public var isRunning: Bool
        /// Whether a seek is under way, so that the position is unknown.
        public var isSeeking: Bool

        public init(
            next: Film?, choice: Film? = nil, rest: Duration?, length: Duration? = nil, isRunning: Bool, isSeeking: Bool
        ) {
            self.next = next
            self.choice = choice
            self.rest = rest
            self.length = length
            self.isRunning = isRunning
            self.isSeeking = isSeeking
        }
    }

    public enum Action: Hashable, Sendable {
        case preload(Film)
        /// Close the preloaded film.
        case drop
    }

    public private(set) var preloaded: Film?
    /// When `observe` is due if nothing else happens.
    public private(set) var deadline: MonotonicTime?

    public init() {}

    /// Decides anew. Called after everything that may have changed the situation.
    /// - Returns: the actions, in order.
    public mutating func observe(_ situation: Situation, at now: MonotonicTime) -> [Action] {
        deadline = nil
        if let choice = situation.choice {
            if preloaded == choice { return [] }
            let before: [Action] = preloaded == nil ? [] : [.drop]
            preloaded = nil
            // The film that plays comes first: nothing else is opened while it seeks.
            guard !situation.isSeeking else { return before }
            preloaded = choice
            return before + [.preload(choice)]
        }
        let keeps = situation.isSeeking || situation.rest.map { $0 <= Self.lead + Self.slack } ?? false
        if preloaded != nil, preloaded == situation.next, keeps { return [] }
        let before: [Action] = preloaded == nil ? [] : [.drop]
        preloaded = nil
        guard let next = situation.next, let rest = situation.rest, situation.isRunning, !situation.isSeeking else {
            return before
        }
        let lead = situation.length.map { min(Self.lead, $0 / 2) } ?? Self.lead
        guard rest <= lead else {
            deadline = now + (rest - lead)
            return before
        }
        preloaded = next
        return before + [.preload(next)]
    }

    /// Ends preloading because a film is opened, or playback stops.
    /// - Returns: whether `film` is the preloaded one.
    public mutating func end(with film: Film?) -> Bool {
        defer { (preloaded, deadline) = (nil, nil) }
        return film != nil && film == preloaded
    }
}
