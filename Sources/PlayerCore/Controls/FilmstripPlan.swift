/// Which pictures of a film its filmstrip has, which one is read next, and when.
///
/// What costs least comes first: a picture of the scrub sheet, or a key frame near enough. Then come the places that have neither, for
/// which a few seconds of the film are decoded. One is read at a time, and the reader rests as long as it has worked.
///
/// A value without a clock: answers come with their time.
public struct FilmstripPlan: Hashable, Sendable {
    /// So many from the film's start to its end.
    public static let count = 20
    /// So much of the film is decoded for one picture, at the most.
    public static let mostDecoded = MediaTime.seconds(10)

    /// A picture that is to be read.
    public struct Request: Hashable, Sendable {
        public var place: Int
        public var time: MediaTime
        public var way: Way

        public init(place: Int, time: MediaTime, way: Way) {
            (self.place, self.time, self.way) = (place, time, way)
        }
    }

    public enum Way: Hashable, Sendable {
        /// What decodes by itself.
        case single
        /// The very frame, whatever has to be decoded before it.
        case exact
    }

    public enum Answer: Hashable, Sendable {
        /// It is that frame's.
        case picture(MediaTime)
        /// No frame that decodes by itself is near enough. Decoding would begin with the key frame at this time.
        case sparse(after: MediaTime)
        case none
        /// Nothing can be read of this film any more.
        case failed
    }

    private enum Place: Hashable, Sendable {
        case missing
        case sparse
        case filled
        case empty
    }

    /// Farther away a frame would be another place's.
    public let tolerance: MediaTime
    /// Where each picture leads: to its very frame, once that is known.
    public private(set) var times: [MediaTime]
    private var places = [Place](repeating: .missing, count: count)
    /// When the next one may be read.
    public private(set) var due = MonotonicTime(nanoseconds: .min)

    public init(_ duration: MediaTime) {
        tolerance = duration.scaled(by: 0.5 / Double(Self.count))
        times = (0..<Self.count).map { duration.scaled(by: Double($0) / Double(Self.count)) }
    }

    /// What is read next, from the middle of what is seen outwards.
    /// - Returns: `nil` once there is nothing more to be had.
    public func next(around middle: Int) -> Request? {
        func nearest(_ kind: Place) -> Int? {
            places.indices.filter { places[$0] == kind }.min { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
        }
        if let place = nearest(.missing) { return Request(place: place, time: times[place], way: .single) }
        if let place = nearest(.sparse) { return Request(place: place, time: times[place], way: .exact) }
        return nil
    }

    /// - Parameters:
    ///   - cost: how long it took.
    ///   - now: when the answer came.
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

    /// The pictures are gone; their times stay known. What could not be read may be by now.
    public mutating func forget() { places = places.map { _ in .missing } }
}
