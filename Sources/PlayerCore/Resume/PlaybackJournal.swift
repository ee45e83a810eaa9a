/// Keeps the record of playing, and says when it is worth writing: seldom, because cards wear out.
///
/// A value without a clock. A start of a film counts as a crash until the film has played for `healthyAfter`, or ended, or
/// said why it cannot be played, or the player was told to end. One that crashed before has to come past that place, too: what
/// is wrong with it may be in its middle, or near its end.
public struct PlaybackJournal: Hashable, Sendable {
    /// The least time between two writings that only tell that the film went on.
    public static let pace = Duration.seconds(5)
    /// A film that played for so long did not bring the program down at its start.
    public static let healthyAfter = Duration.seconds(10)
    /// So near to its end, a film starts anew.
    static let tail = MediaTime.seconds(10)

    private var record: PlaybackRecord
    private let boot: String
    private var written: PlaybackRecord
    private var writtenAt: MonotonicTime?
    private var isHealthy = true
    /// Nothing was opened yet: the record tells of a run before this one.
    private var isFresh = true
    /// The film that is made ready, and the one that plays meanwhile, which is well except for its end.
    private var quarantined: [String] = []
    private var played = Duration.zero
    /// Since when it plays, or was last looked at.
    private var playingSince: MonotonicTime?

    /// - Parameter boot: names the machine's run since it was switched on.
    public init(_ record: PlaybackRecord, boot: String = "") {
        self.record = record
        self.boot = boot
        written = record
        countCuts()
    }

    /// When `observe` is next due, while the film plays.
    public var deadline: MonotonicTime? { playingSince.map { $0 + Self.pace } }

    /// Another film is about to be made ready while this one plays: if the program goes down now, it was that one's start or
    /// this one's end.
    public mutating func expect(_ film: String, size: Int64?) {
        expectNothing()
        if isHealthy, let playing = record.film { quarantine(playing, record.size) }
        if film != record.film { quarantine(film, size) }
    }

    /// It is not made ready any more.
    public mutating func expectNothing() {
        for film in quarantined {
            guard let crashed = record.crashes[film] else { continue }
            if crashed.count > 1 { record.crashes[film]?.count -= 1 } else { record.crashes[film] = nil }
            record.crashes[film]?.boot = nil
        }
        quarantined = []
    }

    private mutating func quarantine(_ film: String, _ size: Int64?) {
        quarantined.append(film)
        countCrash(of: film, size)
        record.crashes[film]?.boot = boot
    }

    /// The whole machine went down while a film was made ready, as by a power cut: that is none of its decoder's.
    private mutating func countCuts() {
        for (film, crashes) in record.crashes {
            guard let boot = crashes.boot else { continue }
            record.crashes[film]?.boot = nil
            if boot != self.boot { record.crashes[film]?.cuts = (crashes.cuts ?? 0) + 1 }
        }
    }

    private mutating func countCrash(of film: String, _ size: Int64?, at place: Int64? = nil) {
        let before = record.crashes[film].flatMap { $0.size == size ? $0 : nil }
        record.crashes[film] = .init(
            count: (before?.count ?? 0) + 1, size: size,
            milliseconds: [before?.milliseconds, place].compactMap { $0 }.max())
        record.crashes[film]?.cuts = before?.cuts
    }

    /// Where this film was as the run before this one ended in it, and was not told to.
    private func crashPlace(of film: String, _ size: Int64?) -> Int64? {
        guard isFresh, record.film == film, record.size == size else { return nil }
        return record.tail ?? (record.crashes[film]?.size == size ? record.milliseconds : nil)
    }

    /// Whether this film is the one that was opened last, in this run.
    public func hasOpened(_ film: String) -> Bool { !isFresh && record.film == film }

    /// A film is about to be opened.
    public mutating func open(_ film: String, size: Int64?, at start: MediaTime?) {
        expectNothing()
        let place = crashPlace(of: film, size)
        // What was well until then has no other crash.
        if let tail = record.tail, place == tail, record.crashes[film] == nil { countCrash(of: film, size, at: tail) }
        isFresh = false
        record.film = film
        record.tail = nil
        record.milliseconds = (start?.nanoseconds ?? 0) / 1_000_000
        record.size = size
        isHealthy = false
        played = .zero
        playingSince = nil
        countCrash(of: film, size, at: place)
    }

    // MARK: Decoders

    /// With which decoders a film did not play. One that has brought the program down twice in a row may have done so by the
    /// hardware's: it has none of them from then on.
    public mutating func avoidedDecoders(of film: String, size: Int64?) -> AvoidedDecoders {
        var crashed = record.crashes[film].map { $0.size == size ? $0.count - ($0.cuts ?? 0) : 0 } ?? 0
        // That it is made ready now is no crash yet.
        if quarantined.contains(film) { crashed -= 1 }
        if crashed >= PlaybackRecord.crashesByDecoder { avoid(film, size) { $0.allHardware = true } }
        return record.decoders?[film].flatMap { $0.size == size ? $0.avoided : nil } ?? AvoidedDecoders()
    }

    /// A film did not play with a decoder.
    public mutating func avoid(_ decoder: VideoDecoder, for film: String, size: Int64?) {
        avoid(film, size) { $0.names.insert(decoder.name) }
    }

    private mutating func avoid(_ film: String, _ size: Int64?, _ change: (inout AvoidedDecoders) -> Void) {
        let before = record.decoders?[film].flatMap { $0.size == size ? $0.avoided : nil }
        var avoided = before ?? AvoidedDecoders()
        change(&avoided)
        record.decoders = (record.decoders ?? [:]).merging([film: .init(size: size, avoided: avoided)]) { $1 }
    }

    /// Where the film is, and whether it plays.
    public mutating func observe(
        _ position: MediaTime, of duration: MediaTime?, isPlaying: Bool, at now: MonotonicTime
    ) {
        if let playingSince { played = played + (now - playingSince) }
        playingSince = isPlaying ? now : nil
        let isAtEnd = duration.map { position > $0 - Self.tail } ?? false
        let milliseconds = max(position.nanoseconds, 0) / 1_000_000
        record.milliseconds = isAtEnd ? 0 : milliseconds
        let isPast = record.film.flatMap { record.crashes[$0]?.milliseconds }.map { milliseconds >= $0 + Self.margin }
        if played >= Self.healthyAfter, isPast ?? true { markHealthy() }
        record.tail = isAtEnd && isPlaying ? milliseconds : nil
    }

    /// A place is noted each `pace`, and what comes of a frame may take as long again.
    private static let margin: Int64 = 10_000

    /// It came to its end, or said why it did not, or whoever may end the player did so.
    /// - Parameter film: of another one than is open by now nothing is learned; `nil`: of the one that is open.
    public mutating func markHealthy(_ film: String? = nil) {
        guard film == nil || film == record.film else { return }
        record.tail = nil
        guard !isHealthy, let film = record.film else { return }
        isHealthy = true
        record.crashes[film] = nil
        // The machine is well: a film that was passed over, after quick power cuts perhaps, gets one try at the next start.
        for (other, crashed) in record.crashes
        where !quarantined.contains(other) && crashed.count >= PlaybackRecord.mostCrashes {
            record.crashes[other]?.count = PlaybackRecord.mostCrashes - 1
        }
    }

    /// The film is closed, or stands.
    public mutating func close() {
        playingSince = nil
    }

    /// What is to be written now; `nil`: nothing, because it stands there already or because it is too soon.
    /// - Parameter isUrgent: a pause, the end of a seek or of the program: not only the film's going on.
    public mutating func take(isUrgent: Bool, at now: MonotonicTime) -> PlaybackRecord? {
        guard record != written else { return nil }
        let isNews =
            record.film != written.film || record.crashes != written.crashes || record.decoders != written.decoders
        if !isUrgent, !isNews, let writtenAt, now - writtenAt < Self.pace { return nil }
        written = record
        writtenAt = now
        return record
    }
}
