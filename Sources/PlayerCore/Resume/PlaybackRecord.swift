/// What is kept of playing, so that the next start goes on where this one was: small, and written often.
public struct PlaybackRecord: Codable, Hashable, Sendable {
    /// Starts of one film in a row that did not last: the program, or the machine, went down with it.
    public struct Crashes: Codable, Hashable, Sendable {
        public var count: Int
        /// The film's size in bytes: another one of the same name has another chance.
        public var size: Int64?
        /// The farthest of the places where it was then, if any is known.
        public var milliseconds: Int64?
        /// The machine's run in which it is being made ready; `nil`: it is not.
        public var boot: String?
        /// How many of `count` came as it was made ready, and took the whole machine along.
        public var cuts: Int?

        public init(count: Int, size: Int64?, milliseconds: Int64? = nil) {
            self.count = count
            self.size = size
            self.milliseconds = milliseconds
        }
    }

    /// As the playlist names it.
    public var film: String?
    /// Its size in bytes: another film of the same name begins at its start.
    public var size: Int64?
    /// Where it was; 0 near its end, from where nobody would go on.
    public var milliseconds: Int64
    /// Where it was then, while it played: what is found here at a start went down near its end.
    public var tail: Int64?
    /// By the film's name.
    public var crashes: [String: Crashes]
    /// With which decoders films did not play, by the film's name; `nil`: none.
    public var decoders: [String: Decoders]?

    public struct Decoders: Codable, Hashable, Sendable {
        /// As of `Crashes`.
        public var size: Int64?
        public var avoided: AvoidedDecoders

        public init(size: Int64?, avoided: AvoidedDecoders) {
            self.size = size
            self.avoided = avoided
        }
    }

    private enum CodingKeys: String, CodingKey {
        case film, size, milliseconds, tail
        case crashes = "falls"
        case decoders
    }

    public init(film: String? = nil, size: Int64? = nil, milliseconds: Int64 = 0, crashes: [String: Crashes] = [:]) {
        self.film = film
        self.size = size
        self.milliseconds = milliseconds
        self.crashes = crashes
    }

    /// So often a film may bring the program down before it is not to have the hardware's decoders.
    public static let crashesByDecoder = 2

    /// So often a film may bring the program down before it is passed over.
    public static let mostCrashes = 3

    /// Which films to play, and where to begin.
    public struct Resumption: Hashable, Sendable {
        /// Indices of the films that are played, in their order.
        public var films: [Int]
        /// Indices of those that are passed over.
        public var passedOver: [Int]
        /// Among `films`.
        public var first: Int
        /// Where in it; `nil`: from its start.
        public var start: MediaTime?
    }

    /// Goes on with the film that was on, from where it was; from its start if that brought the program down last time.
    /// Films that bring the program down again and again are passed over, as long as others are left.
    /// - Parameter films: names with sizes.
    public func resumption(of films: [(name: String, size: Int64?)]) -> Resumption {
        let bad = films.indices.filter { crashes(of: films[$0]) >= Self.mostCrashes }
        let isHopeless = bad.count == films.count
        let played = isHopeless ? Array(films.indices) : films.indices.filter { !bad.contains($0) }
        var resumption = Resumption(films: played, passedOver: isHopeless ? [] : bad, first: 0)
        guard let film, let was = films.firstIndex(where: { $0.name == film }) else { return resumption }
        guard let first = played.firstIndex(of: was) else {
            // The next one in its place.
            resumption.first = played.firstIndex { $0 > was } ?? 0
            return resumption
        }
        resumption.first = first
        if milliseconds > 0, crashes(of: films[was]) < 2, size == nil || size == films[was].size {
            resumption.start = .milliseconds(milliseconds)
        }
        return resumption
    }

    private func crashes(of film: (name: String, size: Int64?)) -> Int {
        guard let crashes = crashes[film.name], crashes.size == film.size else { return 0 }
        return crashes.count
    }
}
