import Media
import PlayerCore
import ScrubSheet
import Subprocess
import SystemPackage
import Vitrine

/// Makes missing scrub sheets while nobody touches the screen: one film after another, each in a process of the idle class. A film that
/// crashes that process does not disturb the player.
actor SheetFiller {
    private let options: SheetMaker.Options
    /// The time without a touch before it starts.
    private let pause: Duration
    private var films: [MediaLocation] = []
    /// The films whose sheets are complete, or cannot be made.
    private var done: Set<MediaLocation> = []
    private var work: Task<Void, Never>?

    init(_ options: SheetMaker.Options, pause: Duration) {
        self.options = options
        self.pause = pause
    }

    /// Sets the films, in the order in which their sheets are made.
    func follow(_ films: [MediaLocation]) {
        guard films != self.films else { return }
        self.films = films
        rest()
    }

    /// Ends the process, because a finger is on the screen, and starts again after the pause. The pictures of the sheet so far are kept.
    func rest() {
        work?.cancel()
        work = Task {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            while let film = films.first(where: { $0.path != nil && !done.contains($0) }) {
                // A process that cannot be started is tried again after the next touch.
                guard await make(film), !Task.isCancelled else { return }
                done.insert(film)
            }
        }
    }

    func finish() {
        work?.cancel()
        work = nil
    }

    /// - Returns: whether the process ran to its end; `false` also if it could not be started.
    private func make(_ film: MediaLocation) async -> Bool {
        var arguments = ["prepare", "--idle", "--track", "\(options.trackPixels)"]
        arguments += ["--size", options.size == .large ? "large" : "small"]
        if let cache = options.cache { arguments += ["--cache", cache.folder] }
        // The process must not report to the service manager.
        let environment = Environment.inherit.updating(["NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil])
        // The task's cancellation kills the process. A sheet is valid up to its last complete record.
        let ended = try? await run(
            .path("/proc/self/exe"), arguments: Arguments(arguments + ["--", film.name]), environment: environment,
            output: .discarded, error: .discarded)
        return ended != nil
    }
}
