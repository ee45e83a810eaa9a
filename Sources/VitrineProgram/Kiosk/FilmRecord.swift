import Dispatch
import FoundationEssentials
import Logging
import Media
import PlayerCore
import Vitrine

/// The playback record, which outlives the program: written before each film that may crash it, and during playback.
///
/// Any thread: films are opened concurrently with the kiosk's own events. Only a film that is about to start waits for
/// the card.
///
/// `@unchecked Sendable` because the journal is confined to the file's queue, where all notes arrive in order.
final class FilmRecord: @unchecked Sendable {
    private let file: StateFile
    private var journal: PlaybackJournal
    private let log: Logger
    private var logged = ReportedWarnings()
    /// The number of preloads.
    private var expectations = 0
    /// The number of films that were decoded for posters.
    private var pictures = 0

    /// - Parameter films: those that there are now: failures of others are forgotten.
    init(_ file: StateFile, of films: [MediaLocation], log: Logger) {
        self.file = file
        self.log = log
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        var record = file.record
        let names = Set(films.map(\.name))
        record.failures = record.failures?.filter { names.contains($0.key) }
        journal = PlaybackJournal(record, boot: boot)
    }

    func take(_ step: FilmStep) {
        let now = MonotonicTime.now
        switch step {
        case .dropped: return note { $0.expectNothing() }
        case .pictured: return note { $0.endPicture() }
        case .avoids(let film, let decoder): return note { $0.avoid(decoder, for: film.name, size: film.size) }
        case .opens, .preloads, .pictures: break
        }
        file.queue.sync {
            switch step {
            // A film that waited for a display is opened like one that is opened anew.
            case .opens(let film, _, isRebuild: true) where journal.hasOpened(film.name): break
            case .opens(let film, let time, _): journal.open(film.name, size: film.size, at: time)
            case .preloads(let film):
                journal.expect(film.name, size: film.size)
                expectations += 1
                let number = expectations
                // A film that is kept preloaded for a visitor has crashed nothing by then, and power cuts are not its
                // own crashes.
                whenHealthy { [self] in if number == expectations { note { $0.expectNothing() } } }
            case .pictures(let film):
                journal.beginPicture(of: film.name, size: film.size)
                pictures += 1
                let number = pictures
                // A decoder that is stuck has crashed nothing by then, either.
                whenHealthy { [self] in if number == pictures { note { $0.endPicture() } } }
            case .dropped, .pictured, .avoids: break
            }
            if let record = journal.take(isUrgent: true, at: now) { file.takeStart(record) }
        }
    }

    private func whenHealthy(_ act: @escaping @Sendable () -> Void) {
        let pause = Int(PlaybackJournal.healthyAfter.inNanoseconds)
        file.queue.asyncAfter(deadline: .now() + .nanoseconds(pause), execute: act)
    }

    /// The decoders that a film did not play with, in this version of the program; in the log once. Any thread that may
    /// wait.
    func avoidedDecoders(of film: MediaLocation) -> AvoidedDecoders {
        file.queue.sync {
            let avoided = journal.avoidedDecoders(of: film.name, size: film.size)
            report(avoided, of: film.name)
            return avoided
        }
    }

    private func report(_ avoided: AvoidedDecoders, of film: String) {
        // The player reports those of this run.
        let earlier = avoided.names.intersection(file.record.decoders?[film]?.avoided.names ?? [])
        if avoided.allHardware {
            let text = "\(film) brought the program down twice: it is played without the hardware's decoders"
            if logged.isNew(text, of: film) { log.warning("\(text)") }
        } else if !earlier.isEmpty {
            let names = earlier.sorted().joined(separator: ", ")
            let text = "\(film) is played without \(names): an earlier start of the program could not play it with that"
            if logged.isNew(text, of: film) { log.notice("\(text)") }
        }
    }

    /// - Parameter isUrgent: whether there is more than progress to write: a pause, the end of a seek or of the
    ///   program.
    func observe(_ time: MediaTime, of duration: MediaTime?, isPlaying: Bool, isUrgent: Bool) {
        let now = MonotonicTime.now
        note(isUrgent: isUrgent) { $0.observe(time, of: duration, isPlaying: isPlaying, at: now) }
    }

    /// Notes that the film is paused.
    func rest() { note(isUrgent: false) { $0.close() } }

    /// Marks a film healthy: it ended, or reported an error, or another one was requested, or the program was asked to
    /// end; `nil` for the one that plays.
    func markHealthy(_ film: MediaLocation?) { note { $0.markHealthy(film?.name) } }

    /// Notes that a film reported why it cannot be played, so that it crashed nothing; a file that is to blame is named
    /// at the next start.
    func fail(_ film: MediaLocation?, _ failure: MediaFailure) {
        guard let film, film.isLocal, failure.isOfTheFile else { return markHealthy(film) }
        let parts = failure.userMessageParts(isLocal: true)
        note { $0.fail(film.name, .init(size: film.size, what: parts.what, remedy: parts.remedy)) }
    }

    /// Notes that a film was played to its end.
    func end(_ film: MediaLocation?) {
        guard let film else { return markHealthy(nil) }
        note { $0.end(film.name) }
    }

    private func note(isUrgent: Bool = true, _ change: @escaping @Sendable (inout PlaybackJournal) -> Void) {
        let now = MonotonicTime.now
        file.queue.async { [self] in
            change(&journal)
            if let record = journal.take(isUrgent: isUrgent, at: now) { file.take(record) }
        }
    }
}
