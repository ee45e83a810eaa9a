import Glibc
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

    private enum Outcome {
        case done
        /// Another program makes this sheet now, for example the player while the film plays.
        case later
        /// No sheet can be made now: there is no room, no memory, or no process.
        case nothing
    }

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
    /// What could not be made before is tried again then.
    func rest() {
        work?.cancel()
        work = Task {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            for film in films where film.path != nil && !done.contains(film) {
                let outcome = await make(film)
                guard !Task.isCancelled, outcome != .nothing else { return }
                if outcome == .done { done.insert(film) }
            }
        }
    }

    func finish() {
        work?.cancel()
        work = nil
    }

    private func make(_ film: MediaLocation) async -> Outcome {
        var arguments = ["prepare", "--idle", "--track", "\(options.trackPixels)"]
        arguments += ["--size", options.size == .large ? "large" : "small"]
        if let cache = options.cache { arguments += ["--cache", cache.folder] }
        // The process must not report to the service manager.
        let environment = Environment.inherit.updating(["NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil])
        // The task's cancellation kills the process. A sheet is valid up to its last complete record.
        let ended = try? await run(
            .path("/proc/self/exe"), arguments: Arguments(arguments + ["--", film.name]), environment: environment,
            output: .discarded, error: .discarded)
        switch ended?.terminationStatus {
        case .exited(ExitStatus.failure.rawValue): return .later
        case nil, .exited(ExitStatus.noRoom.rawValue), .signaled(SIGKILL): return .nothing
        // A film that crashes the process, or needs more memory than its limit, would do so again.
        case .exited, .signaled: return .done
        }
    }
}
