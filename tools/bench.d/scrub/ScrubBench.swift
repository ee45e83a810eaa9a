internal import Dispatch
internal import Glibc
internal import Media
internal import PlayerCore

/// Vitrine's part in the bench's drag without a display: its scrub state machine and its film pipeline, whose sink only
/// keeps time. Speaks as tutorial.c beside it: "down", "move PERCENT", "up PERCENT" and "quit" in, "ready" and
/// "done keyframe|exact" out.
@main
struct ScrubBench {
    static func main() async throws {
        let location = try MediaLocation(CommandLine.arguments[1])
        let film = try FilmPipeline(location, output: FilmOutput(screen: nil, hasSound: false))
        let drag = Drag(film)
        let news = Task {
            for await event in film.events { await drag.handle(event) }
        }
        film.open(at: nil, playing: true)
        await drag.perform(.keyframes(KeyframeMap(KeyframeScan(location).find().times)))
        for await line in lines() {
            if line == "quit" { break }
            await drag.obey(line)
        }
        _ = await film.close()
        await news.value
    }

    private static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            DispatchQueue(label: "vitrine.bench.input").async {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }
}

/// Connects scrub and film as the player does, for one drag.
actor Drag {
    private let film: FilmPipeline
    private var scrubber = Scrubber(wantsPlaying: true)
    /// The place at which the finger lifted.
    private var released: MediaTime?
    private var duration = MediaTime.zero

    init(_ film: FilmPipeline) {
        self.film = film
    }

    func obey(_ line: String) {
        let words = line.split(separator: " ")
        let value = words.count > 1 ? (Double(words[1]) ?? 0) / 100 : 0
        let now = MonotonicTime.now
        switch words.first {
        // The first move follows at once, with the place.
        case "down": released = nil
        case "move" where scrubber.isDragging: perform(.slider(.valueChanged(value, at: now)))
        case "move": perform(.slider(.touchDown(value, at: now)))
        case "up":
            released = duration.scaled(by: value)
            perform(.slider(.valueChanged(value, at: now)))
            perform(.slider(.touchUp(value, at: now)))
        default: break
        }
    }

    func handle(_ event: MediaEvent) {
        switch event {
        case .ready(let mediaInfo):
            duration = mediaInfo.duration ?? .zero
            perform(.ready(mediaInfo))
            say("ready")
        case .mediaInfo(let mediaInfo): perform(.mediaInfo(mediaInfo))
        case .frame(let frame):
            if let time = frame.time, frame.ticket.number != .max {
                let isExact = released.map { time <= $0 && $0 < time + (frame.duration ?? .zero) } ?? false
                say(isExact ? "done exact" : "done keyframe")
            }
            perform(.frame(frame))
        case .settled: perform(.settled)
        case .seekFailed(let ticket): perform(.seekFailed(ticket))
        default: break
        }
    }

    /// At once: the bench reads a pipe and takes the time. (To flush all streams would wait for the input's, on which
    /// another thread is reading.)
    private func say(_ line: String) {
        Array("\(line)\n".utf8).withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    func perform(_ input: Scrubber.Input) {
        for action in scrubber.handle(input, at: .now) {
            switch action {
            case .setPlaying(let playing): film.setPlaying(playing)
            case .setScrubMuted(let scrubMuted): film.setScrubMuted(scrubMuted)
            case .seek(let request): film.seek(request)
            // The bench then finds no exact frame.
            case .rebuild: break
            }
        }
        guard let deadline = scrubber.deadline else { return }
        Task {
            let wait = deadline - MonotonicTime.now
            try? await Task.sleep(for: wait)
            if let due = scrubber.deadline, due <= .now { perform(.wake) }
        }
    }
}

extension MonotonicTime {
    fileprivate static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
