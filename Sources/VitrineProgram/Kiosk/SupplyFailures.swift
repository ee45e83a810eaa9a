import Media
import PlayerCore

/// The failed films of the supply, and when to try them again.
struct SupplyFailures: Sendable {
    /// The films that all failed, and the time until which the same ones are not tried again; `nil` for as long as they
    /// are the same.
    private var all: (films: Set<MediaLocation>, until: MonotonicTime?)?
    /// Films that failed for a reason that only a person can remove.
    private var lasting: Set<MediaLocation> = []

    /// Films whose failure was on the screen.
    private var reported: Set<MediaLocation> = []

    mutating func learn(_ failure: MediaFailure, of film: MediaLocation?) {
        if let film, failure.isLasting { lasting.insert(film) }
    }

    /// Notes that its failure is on the screen; returns whether the message is to be readable while the next film
    /// plays: once for each film of the card. In a loop it would come back for ever.
    mutating func markReported(_ film: MediaLocation?) -> Bool {
        film.map { !$0.isLocal || reported.insert($0).inserted } ?? true
    }

    /// - Parameter pause: the delay before these films, which all failed, are tried again.
    mutating func wait(for films: Set<MediaLocation>, _ pause: Duration, at now: MonotonicTime) {
        all = (films, films.isSubset(of: lasting) && !films.isEmpty ? nil : now + pause)
    }

    /// Whether these are the films that all failed.
    func areSame(_ films: [MediaLocation]) -> Bool { all.map { $0.films == Set(films) } ?? false }

    /// Whether to try the films that exist now.
    func mayTry(_ films: [MediaLocation], at now: MonotonicTime) -> Bool {
        guard !films.isEmpty else { return false }
        guard areSame(films) else { return true }
        return all?.until.map { $0 <= now } ?? false
    }
}
