/// The playback state that the next start resumes from: small, and written often.
public struct PlaybackRecord: Codable, Hashable, Sendable {
    /// Consecutive starts of one film that crashed the program or the machine.
    public struct Crashes: Codable, Hashable, Sendable {
        public var count: Int
        /// The film's size in bytes: another file of the same name starts without crashes.
        public var size: Int64?
        /// The farthest place of a crash, if known.
        public var milliseconds: Int64?
        /// The machine's run in which the film is being started or preloaded; `nil` if it is not.
        public var boot: String?
        /// The number of crashes in `count` that took the whole machine down.
        public var cuts: Int?

        public init(count: Int, size: Int64?, milliseconds: Int64? = nil) {
            self.count = count
            self.size = size
            self.milliseconds = milliseconds
        }
    }

    /// The film's name in the playlist.
    public var film: String?
    /// The film's size in bytes: another film of the same name starts at its beginning.
    public var size: Int64?
    /// The film's position; 0 near its end, because nobody would resume there.
    public var milliseconds: Int64
    /// The position while the film played near its end: a value that is found at a start shows a crash there.
    public var tail: Int64?
    /// By the film's name.
    public var crashes: [String: Crashes]
    /// The decoders that films did not play with, by the film's name; `nil` for none.
    public var decoders: [String: Decoders]?

    public struct Decoders: Codable, Hashable, Sendable {
        /// As in `Crashes`.
        public var size: Int64?
        public var avoided: AvoidedDecoders

        public init(size: Int64?, avoided: AvoidedDecoders) {
            self.size = size
            self.avoided = avoided
        }
    }

    /// The user messages of local files that could not be played, by the film's name; `nil` for none.
    public var failures: [String: Failure]?

    public struct Failure: Codable, Hashable, Sendable {
        /// As in `Crashes`.
        public var size: Int64?
        /// As in `MediaFailure.userMessageParts`.
        public var what: String
        public var remedy: String

        public init(size: Int64?, what: String, remedy: String) {
            self.size = size
            self.what = what
            self.remedy = remedy
        }
    }

    private enum CodingKeys: String, CodingKey {
        case film, size, milliseconds, tail
        case crashes = "falls"
        case decoders, failures
    }

    public init(film: String? = nil, size: Int64? = nil, milliseconds: Int64 = 0, crashes: [String: Crashes] = [:]) {
        self.film = film
        self.size = size
        self.milliseconds = milliseconds
        self.crashes = crashes
    }

    /// The number of crashes after which a film avoids the hardware decoders.
    public static let crashesByDecoder = 2

    /// The number of crashes after which a film is skipped.
    public static let mostCrashes = 3

    /// The films to play, and where to start.
    public struct Resumption: Hashable, Sendable {
        /// Indices of the films to play, in their order.
        public var films: [Int]
        /// Indices of the films to skip.
        public var passedOver: [Int]
        /// The index of the first film, in `films`.
        public var first: Int
        /// The position in that film; `nil` for its start.
        public var start: MediaTime?
    }

    /// Resumes the last film at its position, or at its start if it crashed the program last time. Films that crash
    /// again and again are skipped, as long as others are left.
    /// - Parameters:
    ///   - films: names with sizes.
    ///   - hasOthers: whether there are other films besides these.
    public func resumption(of films: [(name: String, size: Int64?)], hasOthers: Bool = false) -> Resumption {
        let bad = films.indices.filter { crashes(of: films[$0]) >= Self.mostCrashes }
        let isHopeless = bad.count == films.count && !hasOthers
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

    /// Why this file could not be played; `nil` if it was played to its end since, or is another file by now.
    public func failure(of film: String, size: Int64?) -> Failure? {
        failures?[film].flatMap { $0.size == size ? $0 : nil }
    }

    private func crashes(of film: (name: String, size: Int64?)) -> Int {
        guard let crashes = crashes[film.name], crashes.size == film.size else { return 0 }
        return crashes.count
    }
}
