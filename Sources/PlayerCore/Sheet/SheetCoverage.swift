/// The places of a scrub sheet that have a picture. The harvest and the maker both ask it which frames they need.
public struct SheetCoverage: Hashable, Sendable {
    private enum State: UInt8 {
        case missing, filled
        /// The film has no frame there: the frame before is longer.
        case empty
    }

    public private(set) var plan: SheetPlan
    private let most: Int
    private var states: [State]
    /// The number of places that have a picture.
    public private(set) var filled = 0
    /// The number of places that still need a picture.
    public private(set) var missing: Int
    /// The start of the frame before, if the film has played on from there without a seek.
    private var previous: MediaTime?

    /// The longest time between two frames of a film: a frame that is farther behind the film's end has a damaged time.
    private static let longestGap = MediaTime.seconds(30)

    /// A coverage without pictures.
    /// - Parameter most: the number of places that it may have if the film is longer than the plan.
    public init(_ plan: SheetPlan, most: Int = SheetPlan.mostPlaces) {
        self.plan = plan
        self.most = most
        states = Array(repeating: .missing, count: plan.count)
        missing = plan.count
    }

    public var isComplete: Bool { missing == 0 }

    /// Notes a frame of the film before it is passed or filled. Recorders write no length, and the length of program
    /// streams is counted from before their first frame: the film may go on behind the plan's end, which is then moved.
    public mutating func extend(to time: MediaTime) {
        guard time - plan.duration < Self.longestGap, let (plan, step) = plan.reaching(time, most: most) else { return }
        if step > 1 { states = stride(from: 0, to: states.count, by: step).map { states[$0] } }
        states += Array(repeating: .missing, count: max(plan.count - states.count, 0))
        self.plan = plan
        filled = states.count { $0 == .filled }
        missing = states.count { $0 == .missing }
    }

    /// Whether a frame fills a missing place.
    public func wants(_ time: MediaTime) -> Bool { states[plan.place(of: time)] == .missing }

    /// Notes that the sheet has a picture of this frame.
    public mutating func fill(_ time: MediaTime) {
        let place = plan.place(of: time)
        guard states[place] != .filled else { return }
        if states[place] == .missing { missing -= 1 }
        states[place] = .filled
        filled += 1
    }

    /// Notes a decoded frame. The film has no frame between it and the frame before.
    /// - Returns: whether it fills a missing place.
    public mutating func pass(_ time: MediaTime) -> Bool {
        if let previous, previous < time { skip(from: plan.place(of: previous) + 1, to: plan.place(of: time)) }
        previous = time
        return wants(time)
    }

    /// Notes that the next frame does not follow the one before: after a seek, or if frames were dropped.
    public mutating func interrupt() { previous = nil }

    /// Notes that the film has ended behind the last frame.
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

    /// The parts of the film where pictures are missing, in rising order: from the first missing place to the last one
    /// before places that are done. Parts closer than `gap` are joined: a running decoder reaches the next one sooner
    /// than a seek does.
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
