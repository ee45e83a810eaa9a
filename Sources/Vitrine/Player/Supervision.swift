internal import Media
internal import PlayerCore

/// What the player owes to those who started it: the service manager, the supply of films, the record.
struct Supervision: Sendable {
    var liveness = Liveness()
    var isReady = false
    var isStallLogged = false
    var watchdogDeadline: MonotonicTime?
    /// As last reported to the service manager.
    var status: String?
    /// When films are looked for anew.
    var supplyDeadline: MonotonicTime?
    /// Those that all failed, and until when the same ones are not tried again; `nil`: for as long as they are the same.
    var failedFilms: (films: Set<MediaLocation>, until: MonotonicTime?)?
    /// Films that failed for what only somebody can change.
    private(set) var lastingFailures: Set<MediaLocation> = []
    var journal: PlaybackJournal?
}

extension Supervision {
    mutating func learn(_ failure: MediaFailure, of film: MediaLocation?) {
        if let film, failure.isLasting { lastingFailures.insert(film) }
    }

    /// - Parameter pause: before these films, which all failed, are tried again.
    mutating func wait(for films: Set<MediaLocation>, _ pause: Duration, at now: MonotonicTime) {
        failedFilms = (films, films.isSubset(of: lastingFailures) && !films.isEmpty ? nil : now + pause)
    }

    /// Whether these are the films that all failed.
    func areSame(_ films: [MediaLocation]) -> Bool { failedFilms.map { $0.films == Set(films) } ?? false }

    /// Whether films that are there now are to be tried.
    func mayTry(_ films: [MediaLocation], at now: MonotonicTime) -> Bool {
        guard !films.isEmpty else { return false }
        guard areSame(films) else { return true }
        return failedFilms?.until.map { $0 <= now } ?? false
    }
}

/// The films of which something was logged that is to be logged once.
struct LoggedFilms: Sendable {
    var warnings = ToldWarnings()
    /// It lost its sound in the middle, and goes on without. The next film tries the card again, and a display that is back.
    private(set) var silent: MediaLocation?
    /// It cannot be played at the rate that is wanted.
    var rateRefuser: MediaLocation?

    mutating func goOnSilently(_ film: MediaLocation?) { silent = film }

    /// Another film, or another display, is tried with sound.
    mutating func turn(to film: MediaLocation?) {
        if film != silent { silent = nil }
    }
}
