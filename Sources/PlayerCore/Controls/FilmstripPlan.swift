/// Chooses the pictures of a filmstrip, the order in which they are read, and when.
///
/// The cheapest pictures come first: those of the scrub sheet, or a key frame that is near enough. For the other places
/// a few seconds of a local film are decoded. One picture is read at a time, and the reader rests as long as it has
/// worked.
///
/// A value without a clock: answers carry their time.
public struct FilmstripPlan: Hashable, Sendable {
    /// The number of pictures from the film's start to its end.
    public static let count = 20
    /// The most of the film that is decoded for one picture.
    public static let mostDecoded = MediaTime.seconds(10)

    /// A picture to read.
    public struct Request: Hashable, Sendable {
        public var place: Int
        public var time: MediaTime
        public var way: Way

        public init(place: Int, time: MediaTime, way: Way) {
            (self.place, self.time, self.way) = (place, time, way)
        }
    }

    public enum Way: Hashable, Sendable {
        /// A key frame.
        case single
        /// The exact frame, however much must be decoded before it.
        case exact
    }

    /// The order in which pictures are read.
    public enum Order: Hashable, Sendable {
        /// From this place outwards: the middle of the visible part, or the place under a finger.
        case around(Int)
        /// Each as far as possible from the ones before, so that wherever a finger will touch, one is near.
        case spread
    }

    public enum Answer: Hashable, Sendable {
        /// A picture of the frame at this time.
        case picture(MediaTime)
        /// No key frame is near enough. Decoding would start at the key frame at this time.
        case sparse(after: MediaTime)
        case none
        /// Nothing can be read from this film: from a server, for now.
        case failed
    }

    private enum Place: Hashable, Sendable {
        case missing
        case sparse
        case filled
        case empty
    }

    /// The greatest distance of a frame from its place. Beyond it the frame would belong to another place.
    public let tolerance: MediaTime
    /// The seek target of each picture: the frame's exact time once it is known.
    public private(set) var times: [MediaTime]
    private var places = [Place](repeating: .missing, count: count)
    /// When the next picture may be read.
    public private(set) var due = MonotonicTime(nanoseconds: .min)
    private let decodes: Bool
    /// The number of failures in a row.
    private var failures = 0

    /// A server that does not answer is asked again after this time, at most twice.
    public static let pause = Duration.seconds(10)
    private static let mostFailures = 3

    /// - Parameter decodes: whether parts of the film are decoded where no key frame is near: not over a network, which
    ///   the film that plays needs.
    public init(_ duration: MediaTime, decodes: Bool = true) {
        self.decodes = decodes
        tolerance = duration.scaled(by: 0.5 / Double(Self.count))
        times = (0..<Self.count).map { duration.scaled(by: Double($0) / Double(Self.count)) }
    }

    /// The next picture to read.
    /// - Returns: `nil` if there is nothing left to read.
    public func next(_ order: Order) -> Request? {
        if let place = first(.missing, order) { return Request(place: place, time: times[place], way: .single) }
        if let place = first(.sparse, order) { return Request(place: place, time: times[place], way: .exact) }
        return nil
    }

    private func first(_ kind: Place, _ order: Order) -> Int? {
        let wanted = places.indices.filter { places[$0] == kind }
        func room(_ place: Int) -> Int {
            switch order {
            case .around(let middle): -abs(place - middle)
            case .spread: places.indices.filter { places[$0] != .missing }.map { abs($0 - place) }.min() ?? 0
            }
        }
        return wanted.max { (room($0), -$0) < (room($1), -$1) }
    }

    /// Reads nothing before this time, because a finger is moving.
    public mutating func rest(until time: MonotonicTime) { due = max(due, time) }

    /// - Parameters:
    ///   - cost: how long the reading took.
    ///   - now: when the answer arrived.
    public mutating func take(_ answer: Answer, to request: Request, cost: Duration, at now: MonotonicTime) {
        due = max(due, now + cost)
        let place = request.place
        switch answer {
        case .picture(let time):
            failures = 0
            places[place] = .filled
            times[place] = time
        case .sparse(let keyframe):
            let isNear = keyframe <= request.time && request.time - keyframe <= Self.mostDecoded
            places[place] = request.way == .single && decodes && isNear ? .sparse : .empty
        case .none: places[place] = .empty
        case .failed where !decodes && failures + 1 < Self.mostFailures:
            failures += 1
            due = now + Self.pause
        case .failed:
            places = places.map { $0 == .filled ? .filled : .empty }
        }
    }

    /// Forgets the pictures and keeps their times. Reading may succeed now where it failed before.
    public mutating func forget() { places = places.map { _ in .missing } }
}
