import Dispatch
import FoundationEssentials
import Media
import PlayerCore
import Vitrine

/// The record of what plays, which outlives the program: kept before each film that may bring it down, and as it goes on.
///
/// Any thread: films are opened beside the kiosk's own news. Nothing waits but a film that is about to start, for the card.
///
/// `@unchecked Sendable` because the journal is confined to the file's queue, on which all that is noted comes in its order.
final class FilmRecord: @unchecked Sendable {
    private let file: StateFile
    private var journal: PlaybackJournal
    /// How often something was made ready.
    private var expectations = 0

    init(_ file: StateFile) {
        self.file = file
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        journal = PlaybackJournal(file.record, boot: boot ?? "")
    }

    func take(_ step: FilmStep) {
        let now = MonotonicTime.now
        switch step {
        case .dropped: return note { $0.expectNothing() }
        case .avoids(let film, let decoder): return note { $0.avoid(decoder, for: film.name, size: film.size) }
        case .opens, .preloads: break
        }
        file.queue.sync {
            switch step {
            // One that waited for a display is opened as one that is opened anew is.
            case .opens(let film, _, isRebuild: true) where journal.hasOpened(film.name): break
            case .opens(let film, let time, _): journal.open(film.name, size: film.size, at: time)
            case .preloads(let film):
                journal.expect(film.name, size: film.size)
                expectations += 1
                let number = expectations
                // One that is kept ready for a visitor has brought nothing down by then, and power cuts are no crashes of its own.
                file.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(PlaybackJournal.healthyAfter.inNanoseconds)))
                {
                    [self] in
                    if number == expectations { note { $0.expectNothing() } }
                }
            case .dropped, .avoids: break
            }
            if let record = journal.take(isUrgent: true, at: now) { file.takeStart(record) }
        }
    }

    /// With which decoders a film did not play, in this version of the program. Any thread that may wait.
    func avoidedDecoders(of film: MediaLocation) -> AvoidedDecoders {
        file.queue.sync { journal.avoidedDecoders(of: film.name, size: film.size) }
    }

    /// - Parameter isUrgent: a pause, the end of a seek or of the program: not only the film's going on.
    func observe(_ time: MediaTime, of duration: MediaTime?, isPlaying: Bool, isUrgent: Bool) {
        let now = MonotonicTime.now
        note(isUrgent: isUrgent) { $0.observe(time, of: duration, isPlaying: isPlaying, at: now) }
    }

    /// The film does not go on for now.
    func rest() { note(isUrgent: false) { $0.close() } }

    /// The film came to its end, or said why it did not, or whoever may end it did so; `nil`: whichever plays.
    func markHealthy(_ film: MediaLocation?) { note { $0.markHealthy(film?.name) } }

    private func note(isUrgent: Bool = true, _ change: @escaping @Sendable (inout PlaybackJournal) -> Void) {
        let now = MonotonicTime.now
        file.queue.async { [self] in
            change(&journal)
            if let record = journal.take(isUrgent: isUrgent, at: now) { file.take(record) }
        }
    }
}
