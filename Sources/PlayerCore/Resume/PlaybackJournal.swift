/// Keeps the record of playing, and says when it is worth writing: seldom, because cards wear out.
///
/// A value without a clock. A start of a film counts as one that fell until the film has played for `proof`, or ended, or
/// said why it cannot be played, or the player was told to end. One that fell before has to come past that place, too: what
/// is wrong with it may be in its middle, or near its end.
public struct PlaybackJournal: Hashable, Sendable {
    /// The least time between two writings that only tell that the film went on.
    public static let pace = Duration.seconds(5)
    /// A film that played for so long did not bring the program down at its start.
    public static let proof = Duration.seconds(10)
    /// So near to its end, a film starts anew.
    static let tail = MediaTime.seconds(10)

    private var record: PlaybackRecord
    private let boot: String
    private var written: PlaybackRecord
    private var writtenAt: MonotonicTime?
    private var isProved = true
    /// Nothing was opened yet: the record tells of a run before this one.
    private var isFresh = true
    /// The film that is made ready, and the one that plays meanwhile, which is well but for its end.
    private var suspects: [String] = []
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
        if isProved, let playing = record.film { suspect(playing, record.size) }
        if film != record.film { suspect(film, size) }
    }

    /// It is not made ready any more.
    public mutating func expectNothing() {
        for film in suspects {
            guard let fallen = record.falls[film] else { continue }
            if fallen.count > 1 { record.falls[film]?.count -= 1 } else { record.falls[film] = nil }
            record.falls[film]?.boot = nil
        }
        suspects = []
    }

    private mutating func suspect(_ film: String, _ size: Int64?) {
        suspects.append(film)
        countFall(of: film, size)
        record.falls[film]?.boot = boot
    }

    /// The whole machine went down while a film was made ready, as by a power cut: that is none of its decoder's.
    private mutating func countCuts() {
        for (film, falls) in record.falls {
            guard let boot = falls.boot else { continue }
            record.falls[film]?.boot = nil
            if boot != self.boot { record.falls[film]?.cuts = (falls.cuts ?? 0) + 1 }
        }
    }

    private mutating func countFall(of film: String, _ size: Int64?, at place: Int64? = nil) {
        let before = record.falls[film].flatMap { $0.size == size ? $0 : nil }
        record.falls[film] = .init(
            count: (before?.count ?? 0) + 1, size: size,
            milliseconds: [before?.milliseconds, place].compactMap { $0 }.max())
        record.falls[film]?.cuts = before?.cuts
    }

    /// Where this film was as the run before this one ended in it, and was not told to.
    private func fall(of film: String, _ size: Int64?) -> Int64? {
        guard isFresh, record.film == film, record.size == size else { return nil }
        return record.tail ?? (record.falls[film]?.size == size ? record.milliseconds : nil)
    }

    /// Whether this film is the one that was opened last, in this run.
    public func hasOpened(_ film: String) -> Bool { !isFresh && record.film == film }

    /// A film is about to be opened.
    public mutating func open(_ film: String, size: Int64?, at start: MediaTime?) {
        expectNothing()
        let place = fall(of: film, size)
        // What was well until then has no other fall.
        if let tail = record.tail, place == tail, record.falls[film] == nil { countFall(of: film, size, at: tail) }
        isFresh = false
        record.film = film
        record.tail = nil
        record.milliseconds = (start?.nanoseconds ?? 0) / 1_000_000
        record.size = size
        isProved = false
        played = .zero
        playingSince = nil
        countFall(of: film, size, at: place)
    }

    // MARK: Decoders

    /// With which decoders a film did not play. One that has brought the program down twice in a row may have done so by the
    /// hardware's: it has none of them from then on.
    public mutating func avoidedDecoders(of film: String, size: Int64?) -> AvoidedDecoders {
        var fallen = record.falls[film].map { $0.size == size ? $0.count - ($0.cuts ?? 0) : 0 } ?? 0
        // That it is made ready now is no fall yet.
        if suspects.contains(film) { fallen -= 1 }
        if fallen >= PlaybackRecord.fallsByDecoder { avoid(film, size) { $0.allHardware = true } }
        return record.decoders?[film].flatMap { $0.size == size ? $0.avoided : nil } ?? AvoidedDecoders()
    }

    /// A film did not play with a decoder.
    public mutating func avoid(_ decoder: PictureDecoder, for film: String, size: Int64?) {
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
        let isPast = record.film.flatMap { record.falls[$0]?.milliseconds }.map { milliseconds >= $0 + Self.margin }
        if played >= Self.proof, isPast ?? true { prove() }
        record.tail = isAtEnd && isPlaying ? milliseconds : nil
    }

    /// A place is noted each `pace`, and what comes of a picture may take as long again.
    private static let margin: Int64 = 10_000

    /// It came to its end, or said why it did not, or whoever may end the player did so.
    /// - Parameter film: of another one than is open by now nothing is learned; `nil`: of the one that is open.
    public mutating func prove(_ film: String? = nil) {
        guard film == nil || film == record.film else { return }
        record.tail = nil
        guard !isProved, let film = record.film else { return }
        isProved = true
        record.falls[film] = nil
        // The machine is well: a film that was passed over, after quick power cuts perhaps, gets one try at the next start.
        for (other, fallen) in record.falls where !suspects.contains(other) && fallen.count >= PlaybackRecord.mostFalls
        {
            record.falls[other]?.count = PlaybackRecord.mostFalls - 1
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
            record.film != written.film || record.falls != written.falls || record.decoders != written.decoders
        if !isUrgent, !isNews, let writtenAt, now - writtenAt < Self.pace { return nil }
        written = record
        writtenAt = now
        return record
    }
}
