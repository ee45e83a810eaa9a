/// When the film that follows is made ready, so that it is there as soon as the one before has ended; and when it is not wanted
/// any more.
///
/// A value without a clock. A `Film` is all that a film made ready depends on: with another sound it is another one.
public struct Preloading<Film: Hashable & Sendable>: Hashable, Sendable {
    /// So long before the end, of the viewer's time, the next film is made ready, but not before a brief one has half of it behind
    /// it: its start is costly by itself.
    public static var lead: Duration { .seconds(3) }
    /// So much further from the end it is kept: who looks at the last seconds once more has not left them.
    public static var slack: Duration { .seconds(2) }

    /// The film that plays.
    public struct Situation: Hashable, Sendable {
        /// What follows at its end by itself, and can be made ready.
        public var next: Film?
        /// What a viewer may choose at any moment: kept ready, before what follows by itself.
        public var choice: Film?
        /// How long it goes on for the viewer; `nil`: it does not come to its end, or nobody knows when.
        public var rest: Duration?
        /// How long all of it takes.
        public var length: Duration?
        /// Whether it goes on now.
        public var isRunning: Bool
        /// Where it will go on is not known yet.
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
        /// Close what was made ready.
        case drop
    }

    public private(set) var preloaded: Film?
    /// When `observe` is due if nothing else happens.
    public private(set) var deadline: MonotonicTime?

    public init() {}

    /// Called after everything that may have changed something.
    /// - Returns: what to do, in this order.
    public mutating func observe(_ situation: Situation, at now: MonotonicTime) -> [Action] {
        deadline = nil
        if let choice = situation.choice {
            if preloaded == choice { return [] }
            let before: [Action] = preloaded == nil ? [] : [.drop]
            preloaded = nil
            // The film that plays comes first: while it is sought in, nothing else is opened.
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

    /// A film is opened, or nothing more is.
    /// - Returns: whether it is the one that was made ready.
    public mutating func end(with film: Film?) -> Bool {
        defer { (preloaded, deadline) = (nil, nil) }
        return film != nil && film == preloaded
    }
}
