import Media
import PlayerCore
import ScrubSheet
import Subprocess
import SystemPackage
import Vitrine

/// Makes the scrub sheets that films lack while nobody touches the screen: one after another, each by a process of its own that runs
/// only when nothing else wants to. A film that brings that process down costs the player nothing.
actor SheetFiller {
    private let options: SheetMaker.Options
    /// How long nobody has touched the screen before.
    private let pause: Duration
    private var films: [MediaLocation] = []
    /// Films that had their turn: their sheets are complete, or cannot be made.
    private var done: Set<MediaLocation> = []
    private var work: Task<Void, Never>?

    init(_ options: SheetMaker.Options, pause: Duration) {
        self.options = options
        self.pause = pause
    }

    /// These are the films from now on, in the order of their turns.
    func follow(_ films: [MediaLocation]) {
        guard films != self.films else { return }
        self.films = films
        rest()
    }

    /// A finger is on the screen: the process ends at once, and what it has made is kept.
    func rest() {
        work?.cancel()
        work = Task {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            while let film = films.first(where: { $0.path != nil && !done.contains($0) }) {
                let isOver = await make(film)
                guard !Task.isCancelled else { return }
                if isOver { done.insert(film) }
            }
        }
    }

    func finish() {
        work?.cancel()
        work = nil
    }

    /// - Returns: whether the process ended by itself; not where it was ended, or could not begin.
    private func make(_ film: MediaLocation) async -> Bool {
        var arguments = ["prepare", "--idle", "--track", "\(options.trackPixels)"]
        arguments += ["--size", options.size == .large ? "large" : "small"]
        if let cache = options.cache { arguments += ["--cache", cache.folder] }
        // It is no service of its own.
        let environment = Environment.inherit.updating(["NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil])
        // A task that is cancelled kills it: what a sheet has by then is whole up to its last record.
        let ended = try? await run(
            .path("/proc/self/exe"), arguments: Arguments(arguments + ["--", film.name]), environment: environment,
            output: .discarded, error: .discarded)
        return ended != nil
    }
}
