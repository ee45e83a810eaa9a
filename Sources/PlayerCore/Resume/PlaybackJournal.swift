/// Keeps the playback record, and decides when it is worth writing: seldom, because cards wear out.
///
/// A value without a clock. A start of a film counts as a crash until the film has played for `healthyAfter`, or has
/// ended, or has reported why it cannot be played, or the player was asked to end. A film that crashed before must also
/// pass the place of that crash: its defect may be in the middle, or near the end. A film that is opened again before
/// all this has crashed nothing meanwhile, and its start counts once.
public struct PlaybackJournal: Hashable, Sendable {
    /// The least time between two writes that only record progress.
    public static let pace = Duration.seconds(5)
    /// A film that played for so long did not crash the program at its start.
    public static let healthyAfter = Duration.seconds(10)
    /// A film that stops so near its end starts anew.
    static let tail = MediaTime.seconds(10)

    /// The state of the film that this run opened last.
    private enum OpenFilm: Hashable {
        /// Nothing was opened yet: the record describes an earlier run.
        case nothing
        /// Its start counts as a crash.
        case starting(played: Duration)
        case healthy
    }

    private var record: PlaybackRecord
    private let boot: String?
    private var written: PlaybackRecord
    private var writtenAt: MonotonicTime?
    private var openFilm = OpenFilm.nothing
    /// The films that were starting when another one was opened in this run. If a viewer requested that one, `markHealthy`
    /// may come only then; for a film that got stuck it does not come.
    private var outgoing: Set<String> = []
    /// The film that is preloaded, and the one that plays meanwhile, which is healthy except for its end.
    private var quarantined: [String] = []
    /// The film that is decoded for a poster while another one plays.
    private var pictured: String?
    /// When the film started to play, or was last observed.
    private var playingSince: MonotonicTime?

    /// - Parameter boot: names the machine's run since it was switched on; `nil` if that is unknown.
    public init(_ record: PlaybackRecord, boot: String? = nil) {
        self.record = record
        self.boot = boot
        written = record
        countCuts()
    }

    /// When `observe` is next due, while the film plays.
    public var deadline: MonotonicTime? { playingSince.map { $0 + Self.pace } }

    /// Notes that another film is about to be preloaded while this one plays: a crash from now on is due to that one's
    /// start or this one's end.
    public mutating func expect(_ film: String, size: Int64?) {
        expectNothing()
        if openFilm == .healthy, let playing = record.film { quarantine(playing, record.size) }
        if film != record.film { quarantine(film, size) }
    }

    /// Notes that the film is not preloaded any more.
    public mutating func expectNothing() {
        for film in quarantined { uncountCrash(of: film) }
        quarantined = []
    }

    /// Notes that a film is about to be decoded for a poster: a crash from now on is due to that film.
    public mutating func beginPicture(of film: String, size: Int64?) {
        endPicture()
        // A crash counts for it already.
        guard !quarantined.contains(film), !isStarting(film, size) else { return }
        countCrash(of: film, size)
        pictured = film
    }

    /// Notes that the film is not decoded for a poster any more.
    public mutating func endPicture() {
        if let pictured { uncountCrash(of: pictured) }
        pictured = nil
    }

    private mutating func uncountCrash(of film: String) {
        guard let crashed = record.crashes[film] else { return }
        if crashed.count > 1 { record.crashes[film]?.count -= 1 } else { record.crashes[film] = nil }
        record.crashes[film]?.boot = nil
    }

    private mutating func quarantine(_ film: String, _ size: Int64?) {
        quarantined.append(film)
        countCrash(of: film, size)
    }

    /// Counts crashes of the whole machine during a start or a preload, as in a power cut: the decoder is not blamed
    /// for them. The cost: a driver that takes the machine down is not recognised. Its film is skipped in the end.
    private mutating func countCuts() {
        for (film, crashes) in record.crashes {
            guard let boot = crashes.boot else { continue }
            record.crashes[film]?.boot = nil
            if boot != self.boot { record.crashes[film]?.cuts = (crashes.cuts ?? 0) + 1 }
        }
    }

    private mutating func countCrash(of film: String, _ size: Int64?, at place: Int64? = nil) {
        // One crash counts once.
        if film == pictured { endPicture() }
        let before = record.crashes[film].flatMap { $0.size == size ? $0 : nil }
        var crashes = PlaybackRecord.Crashes(
            count: (before?.count ?? 0) + 1, size: size,
            milliseconds: [before?.milliseconds, place].compactMap { $0 }.max())
        crashes.boot = boot
        crashes.cuts = before?.cuts
        record.crashes[film] = crashes
    }

    /// The place of this film when the run before this one crashed in it.
    private func crashPlace(of film: String, _ size: Int64?) -> Int64? {
        guard openFilm == .nothing, record.film == film, record.size == size else { return nil }
        return record.tail ?? (record.crashes[film]?.size == size ? record.milliseconds : nil)
    }

    /// Whether this film was the last to be opened, in this run.
    public func hasOpened(_ film: String) -> Bool { openFilm != .nothing && record.film == film }

    /// Whether the film's start in this run counts as a crash at present.
    private func isStarting(_ film: String, _ size: Int64?) -> Bool {
        guard case .starting = openFilm else { return false }
        return record.film == film && record.size == size
    }

    /// Notes that a film is about to be opened.
    public mutating func open(_ film: String, size: Int64?, at start: MediaTime?) {
        expectNothing()
        let place = crashPlace(of: film, size)
        // A film that was healthy up to its tail has no other crash.
        if let tail = record.tail, place == tail, record.crashes[film] == nil { countCrash(of: film, size, at: tail) }
        if !isStarting(film, size) {
            // A power cut from now on is none of a film that got stuck before.
            if case .starting = openFilm, let before = record.film {
                record.crashes[before]?.boot = nil
                outgoing.insert(before)
            }
            countCrash(of: film, size, at: place)
        }
        openFilm = .starting(played: .zero)
        outgoing.remove(film)
        record.film = film
        record.tail = nil
        record.milliseconds = (start?.nanoseconds ?? 0) / 1_000_000
        record.size = size
        playingSince = nil
    }

    // MARK: Decoders

    /// The decoders that a film did not play with. A film that has crashed the program, and not the machine, twice in a
    /// row avoids all hardware decoders from then on, because they may be the cause.
    public mutating func avoidedDecoders(of film: String, size: Int64?) -> AvoidedDecoders {
        var crashed = record.crashes[film].map { $0.size == size ? $0.count - ($0.cuts ?? 0) : 0 } ?? 0
        // The current start, or preload, is no crash yet.
        if quarantined.contains(film) || film == pictured || isStarting(film, size) { crashed -= 1 }
        if crashed >= PlaybackRecord.crashesByDecoder { avoid(film, size) { $0.allHardware = true } }
        return record.decoders?[film].flatMap { $0.size == size ? $0.avoided : nil } ?? AvoidedDecoders()
    }

    /// Notes that a film did not play with a decoder.
    public mutating func avoid(_ decoder: VideoDecoder, for film: String, size: Int64?) {
        avoid(film, size) { $0.names.insert(decoder.name) }
    }

    private mutating func avoid(_ film: String, _ size: Int64?, _ change: (inout AvoidedDecoders) -> Void) {
        let before = record.decoders?[film].flatMap { $0.size == size ? $0.avoided : nil }
        var avoided = before ?? AvoidedDecoders()
        change(&avoided)
        record.decoders = (record.decoders ?? [:]).merging([film: .init(size: size, avoided: avoided)]) { $1 }
    }

    /// Notes the film's position, and whether it plays.
    public mutating func observe(
        _ position: MediaTime, of duration: MediaTime?, isPlaying: Bool, at now: MonotonicTime
    ) {
        if case .starting(let played) = openFilm, let playingSince {
            openFilm = .starting(played: played + (now - playingSince))
        }
        playingSince = isPlaying ? now : nil
        let isAtEnd = duration.map { position > $0 - Self.tail } ?? false
        let milliseconds = max(position.nanoseconds, 0) / 1_000_000
        record.milliseconds = isAtEnd ? 0 : milliseconds
        let isPast = record.film.flatMap { record.crashes[$0]?.milliseconds }.map { milliseconds >= $0 + Self.margin }
        if case .starting(let played) = openFilm, played >= Self.healthyAfter, isPast ?? true { markHealthy() }
        record.tail = isAtEnd && isPlaying ? milliseconds : nil
    }

    /// A place is recorded each `pace`, and a frame's effect may take as long again.
    private static let margin: Int64 = 10_000

    /// Marks a film healthy: it ended, or reported an error, or another one was requested, or the player was asked to
    /// end.
    /// - Parameter film: ignored unless it was opened in this run; `nil` for the one that is open.
    public mutating func markHealthy(_ film: String? = nil) {
        if let film, film != record.film {
            guard outgoing.remove(film) != nil else { return }
            // A preload or a poster of it counts on.
            if quarantined.contains(film) || film == pictured {
                uncountCrash(of: film)
            } else {
                record.crashes[film] = nil
            }
            return
        }
        record.tail = nil
        guard case .starting = openFilm, let film = record.film else { return }
        openFilm = .healthy
        record.crashes[film] = nil
        // The machine is healthy: a film that was skipped, perhaps because of quick power cuts, gets one attempt at the
        // next start.
        for (other, crashed) in record.crashes
        where !quarantined.contains(other) && other != pictured && crashed.count >= PlaybackRecord.mostCrashes {
            let forgiven = crashed.count - (PlaybackRecord.mostCrashes - 1)
            record.crashes[other]?.count -= forgiven
            record.crashes[other]?.cuts = crashed.cuts.map { max($0 - forgiven, 0) }
        }
    }

    /// Notes that a film was played to its end. A damaged one may play for long before that.
    public mutating func end(_ film: String) {
        record.failures?[film] = nil
        markHealthy(film)
    }

    /// Notes that a film reported why it cannot be played, so that it crashed nothing.
    public mutating func fail(_ film: String, _ failure: PlaybackRecord.Failure) {
        markHealthy(film)
        record.failures = (record.failures ?? [:]).merging([film: failure]) { $1 }
    }

    /// Notes that the film is closed, or paused.
    public mutating func close() {
        playingSince = nil
    }

    /// The record to write now; `nil` if it is written already, or it is too soon.
    /// - Parameter isUrgent: whether there is more than progress to write: a pause, the end of a seek or of the
    ///   program.
    public mutating func take(isUrgent: Bool, at now: MonotonicTime) -> PlaybackRecord? {
        guard record != written else { return nil }
        let isNews =
            record.film != written.film || record.crashes != written.crashes || record.decoders != written.decoders
            || record.failures != written.failures
        if !isUrgent, !isNews, let writtenAt, now - writtenAt < Self.pace { return nil }
        written = record
        writtenAt = now
        return record
    }
}
