/// Chooses the pictures of a filmstrip, the order in which they are read, and when.
///
/// The cheapest pictures come first: those of the scrub sheet, or a key frame that is near enough. For the other places
/// a few seconds of the film are decoded. One picture is read at a time, and the reader rests as long as it has worked.
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

    public enum Answer: Hashable, Sendable {
        /// A picture of the frame at this time.
        case picture(MediaTime)
        /// No key frame is near enough. Decoding would start at the key frame at this time.
        case sparse(after: MediaTime)
        case none
        /// Nothing more can be read from this film.
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

    public init(_ duration: MediaTime) {
        tolerance = duration.scaled(by: 0.5 / Double(Self.count))
        times = (0..<Self.count).map { duration.scaled(by: Double($0) / Double(Self.count)) }
    }

    /// The next picture to read, from the middle of the visible part outwards.
    /// - Returns: `nil` if there is nothing left to read.
    public func next(around middle: Int) -> Request? {
        func nearest(_ kind: Place) -> Int? {
            places.indices.filter { places[$0] == kind }.min { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
        }
        if let place = nearest(.missing) { return Request(place: place, time: times[place], way: .single) }
        if let place = nearest(.sparse) { return Request(place: place, time: times[place], way: .exact) }
        return nil
    }

    /// - Parameters:
    ///   - cost: how long the reading took.
    ///   - now: when the answer arrived.
    public mutating func take(_ answer: Answer, to request: Request, cost: Duration, at now: MonotonicTime) {
        due = now + cost
        let place = request.place
        switch answer {
        case .picture(let time):
            places[place] = .filled
            times[place] = time
        case .sparse(let keyframe):
            let isNear = keyframe <= request.time && request.time - keyframe <= Self.mostDecoded
            places[place] = request.way == .single && isNear ? .sparse : .empty
        case .none: places[place] = .empty
        case .failed:
            places = places.map { $0 == .filled ? .filled : .empty }
        }
    }

    /// Forgets the pictures and keeps their times. Reading may succeed now where it failed before.
    public mutating func forget() { places = places.map { _ in .missing } }
}
