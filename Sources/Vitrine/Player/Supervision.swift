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
    /// Those that all failed, and until when the same ones are not tried again.
    var failedFilms: (films: Set<MediaLocation>, until: MonotonicTime)?
    var journal: PlaybackJournal?
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
