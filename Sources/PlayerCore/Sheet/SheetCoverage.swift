/// Which places of a scrub sheet have a picture. The harvest and the maker both ask it what to do with a frame.
public struct SheetCoverage: Hashable, Sendable {
    private enum State: UInt8 {
        case missing, filled
        /// The film has no frame there: the frame before is shown for longer.
        case empty
    }

    public let plan: SheetPlan
    private var states: [State]
    /// How many places have a picture.
    public private(set) var filled = 0
    /// How many places still want a picture.
    public private(set) var missing: Int
    /// Where the frame before began, if the film has been played on from there without a seek.
    private var previous: MediaTime?

    /// Nothing is there yet.
    public init(_ plan: SheetPlan) {
        self.plan = plan
        states = Array(repeating: .missing, count: plan.count)
        missing = plan.count
    }

    public var isComplete: Bool { missing == 0 }

    /// Whether a frame fills a missing place.
    public func wants(_ time: MediaTime) -> Bool { states[plan.place(of: time)] == .missing }

    /// The sheet has a picture of this frame now.
    public mutating func fill(_ time: MediaTime) {
        let place = plan.place(of: time)
        guard states[place] != .filled else { return }
        if states[place] == .missing { missing -= 1 }
        states[place] = .filled
        filled += 1
    }

    /// A frame comes out of the decoder. Between it and the frame before, the film has none.
    /// - Returns: whether it fills a missing place.
    public mutating func pass(_ time: MediaTime) -> Bool {
        if let previous, previous < time { skip(from: plan.place(of: previous) + 1, to: plan.place(of: time)) }
        previous = time
        return wants(time)
    }

    /// The next frame does not follow the one before: after a seek, or where frames were left out.
    public mutating func interrupt() { previous = nil }

    /// The film has ended by itself behind the frame that passed last.
    public mutating func end() {
        if let previous { skip(from: plan.place(of: previous) + 1, to: plan.count) }
        previous = nil
    }

    private mutating func skip(from first: Int, to end: Int) {
        for place in first..<max(first, end) where states[place] == .missing {
            states[place] = .empty
            missing -= 1
        }
    }

    /// Where pictures are missing, as parts of the film in rising order: from the first missing place to the last one before places that
    /// are done. Parts that lie closer than `gap` are one: a decoder that is under way reaches the next one sooner than a seek does.
    public func missingParts(joining gap: MediaTime) -> [Range<MediaTime>] {
        var parts: [Range<MediaTime>] = []
        let half = MediaTime(nanoseconds: plan.duration.nanoseconds / Int64(plan.count) / 2)
        for place in states.indices where states[place] == .missing {
            let start = max(plan.time(of: place) - half, .zero)
            let end = place == plan.count - 1 ? plan.duration : plan.time(of: place) + half
            guard start < end else { continue }
            if let last = parts.last, start <= last.upperBound + gap {
                parts[parts.count - 1] = last.lowerBound..<end
            } else {
                parts.append(start..<end)
            }
        }
        return parts
    }
}
