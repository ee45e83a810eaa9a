import Media
import PlayerCore
import Synchronization
import Vitrine

/// The record of what plays, which outlives the program: kept before each film that may bring it down, and as it goes on.
///
/// Any thread: films are opened beside the kiosk's own news.
final class FilmRecord: Sendable {
    private let journal: Mutex<PlaybackJournal>
    /// Of the film that was opened last.
    private let opened = Mutex<String?>(nil)
    private let file: StateFile

    init(_ file: StateFile) {
        self.file = file
        journal = Mutex(PlaybackJournal(file.record))
    }

    /// Waits for the card where a film is about to start.
    func take(_ step: FilmStep) {
        let now = MonotonicTime.now
        var isKnown = false
        if case .opens(let film, _, let isRebuild) = step {
            // One that waited for a display is opened as one that is opened anew is.
            isKnown = opened.withLock { opened in
                defer { opened = film.name }
                return isRebuild && opened == film.name
            }
        }
        let record: PlaybackRecord? = journal.withLock { [isKnown] journal in
            switch step {
            case .opens where isKnown: break
            case .opens(let film, let time, _): journal.open(film.name, size: film.size, at: time)
            case .preloads(let film): journal.expect(film.name, size: film.size)
            case .dropped:
                journal.expectNothing()
                return nil
            }
            return journal.take(isUrgent: true, at: now)
        }
        if let record { file.keepStart(record) }
    }

    /// - Parameter isUrgent: a pause, the end of a seek or of the program: not only the film's going on.
    func observe(_ time: MediaTime, of duration: MediaTime?, isPlaying: Bool, isUrgent: Bool) {
        keep(isUrgent: isUrgent) { $0.observe(time, of: duration, isPlaying: isPlaying, at: .now) }
    }

    /// The film came to its end, or said why it did not, or whoever may end it did so; `nil`: whichever plays.
    func prove(_ film: MediaLocation?) { keep(isUrgent: true) { $0.prove(film?.name) } }

    /// What has changed since it was kept.
    func keep() { keep(isUrgent: true) { _ in } }

    private func keep(isUrgent: Bool, _ change: (inout PlaybackJournal) -> Void) {
        let record = journal.withLock { journal in
            change(&journal)
            return journal.take(isUrgent: isUrgent, at: .now)
        }
        if let record { file.keep(record) }
    }
}
