import ArgumentParser
import Dispatch
import Glibc
import Media
import PlayerCore
import ScrubSheet
import Synchronization
import Vitrine

struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Makes scrub sheets: the picture under the finger at every move, on any film.",
        discussion: """
            A scrub sheet is a file beside the film, film.mp4.bif, with a small picture for every place that a finger on the bar can point \
            at. While a finger moves, the player shows these; when it rests, the film's own frame. Copy the sheet with the film: a copy of \
            the film on a card or a stick needs no other.

            A sheet takes up to 110 MB, however long the film is, and some seconds for each minute of the film to make. Run this on a \
            fast machine where you can. It may be stopped at any time; the same command goes on from there. Sheets that are complete \
            are left as they are, and a film that was replaced has its sheet made anew.

            The sheet is a BIF, the format of Roku's players, so other programs can read it, too.

            EXAMPLES
              vitrine prepare film.mp4                     makes film.mp4.bif
              vitrine prepare /media/stick/*.mp4           one after another
              vitrine prepare --size small *.mp4           for boards of 512 MB
            """)

    @Argument(help: ArgumentHelp("Films on a disk.", valueName: "film"), completion: .file())
    var films: [String]

    @Option(
        help: ArgumentHelp(
            "Keep the sheets in this folder, not beside the films: at most a quarter of its free space.",
            valueName: "folder"), completion: .directory)
    var cache: String?

    @Option(help: "Pictures of 640x360 (large) or 480x270 (small).")
    var size = PictureSize.large

    @Option(
        help: ArgumentHelp(
            "How long the longest bar is, in pixels: the sheet has two pictures for each.", valueName: "pixels"))
    var track = SheetMaker.Options().trackPixels

    @Flag(help: "Run only when nothing else wants to, and print nothing: beside a film that plays.")
    var idle = false

    enum PictureSize: String, ExpressibleByArgument, CaseIterable {
        case large, small
    }

    func validate() throws {
        guard !films.isEmpty else { throw ValidationError("Which film? A path is missing.") }
        guard (100...8192).contains(track) else { throw ValidationError("--track takes 100 to 8192 pixels.") }
    }

    func run() async throws {
        // In the idle class a signal ends the process at once, by the kernel's default: a half-written record is
        // ignored later.
        let signals = idle ? [] : StopNote.watch()
        defer { signals.forEach { $0.cancel() } }
        if idle { IdleClass.enter() }
        var options = SheetMaker.Options()
        options.size = size == .large ? .large : .small
        options.trackPixels = track
        options.cache = cache.map { SheetCache(folder: $0) }
        var status: ExitStatus?
        for film in films {
            do throws(SheetMaker.Failure) {
                try make(film, options)
            } catch {
                let (text, code) = Self.explain(error)
                printError(text)
                status = status ?? code
            }
        }
        if let status { throw status.code }
    }

    private func make(_ film: String, _ options: SheetMaker.Options) throws(SheetMaker.Failure) {
        let location: MediaLocation
        do throws(MediaFailure) { location = try MediaLocation(film) } catch { throw .media(error) }
        let bar = idle || isatty(STDERR_FILENO) == 0 ? nil : ProgressBar(location.title)
        let started = ContinuousClock.now
        let result = Result { () throws(SheetMaker.Failure) in
            try SheetMaker(location, options).make { progress in
                bar?.show(progress.done, of: progress.places)
            }
        }
        bar?.clear()
        let made = try result.get()
        guard !idle else { return }
        let megabytes = Self.tenths(made.bytes * 10 / 1_000_000)
        let time = (ContinuousClock.now - started).inNanoseconds / 100_000_000
        let end = made.wasComplete ? "complete already" : "made in \(Self.tenths(time)) s"
        say("\(film): \(made.pictures) pictures, \(megabytes) MB, \(end)")
    }

    private static func tenths(_ number: Int64) -> String { "\(number / 10).\(number % 10)" }

    private static func explain(_ failure: SheetMaker.Failure) -> (text: String, code: ExitStatus) {
        switch failure {
        case .media(let failure): (failure.advice, ExitStatus(failure))
        case .sheet(let error):
            switch error.reason {
            case .noRoom: ("\(error)", .noRoom)
            case .system(_, ENOSPC), .system(_, EDQUOT):
                ("\(error.path): the disk is full. Make room, and run the same command again.", .noRoom)
            case _ where error.isOfFolder:
                (
                    "\(error.path): nothing can be written there (\(error.what)). Keep the sheet elsewhere with --cache FOLDER.",
                    .noPermission
                )
            case .otherFilm: ("\(error.path): the film was changed meanwhile. Run the same command again.", .failure)
            case .system(_, ENOENT): ("\(error)", .noSuchFile)
            default: ("\(error)", .failure)
            }
        }
    }
}

/// Ends the program at a signal, and reports that nothing is lost.
private enum StopNote {
    static func watch() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                printError("stopped: the same command goes on from here")
                _exit(128 + number)
            }
            source.activate()
            return source
        }
    }
}

/// A progress line on standard error that is overwritten ten times a second at most.
private final class ProgressBar: Sendable {
    private struct State {
        var shown = ContinuousClock.now - .seconds(1)
        var began: (at: ContinuousClock.Instant, done: Int)?
    }

    private let title: String
    private let state = Mutex(State())

    init(_ title: String) { self.title = String(title.prefix(30)) }

    func show(_ done: Int, of all: Int) {
        let now = ContinuousClock.now
        let began = state.withLock { state -> (at: ContinuousClock.Instant, done: Int)? in
            let began = state.began ?? (now, done)
            state.began = began
            guard now - state.shown >= .milliseconds(100) else { return nil }
            state.shown = now
            return began
        }
        guard let began, all > 0 else { return }
        let width = 30
        let full = done * width / all
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        var line = "\r\(title) [\(bar)] \(done * 100 / all) %"
        let seconds = (now - began.at) / .seconds(1)
        if seconds > 3, done > began.done {
            let left = Int(seconds * Double(all - done) / Double(done - began.done))
            line += ", \(MediaTime.seconds(Int64(left)).text(.minutes)) left"
        }
        write(line + "\u{1B}[K")
    }

    func clear() { write("\r\u{1B}[K") }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
