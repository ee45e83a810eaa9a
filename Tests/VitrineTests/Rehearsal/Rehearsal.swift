import Dispatch
import Foundation
import Logging
import PlayerCore
import Synchronization

@testable import Media
@testable import Vitrine

/// A clock that a test sets. Only `Rehearsal.turn` wakes its player.
final class TurnedClock: LoopClock {
    private let state = Mutex((now: MonotonicTime(nanoseconds: 1_000_000_000_000), due: MonotonicTime?.none))

    var now: MonotonicTime { state.withLock { $0.now } }
    var due: MonotonicTime? { state.withLock { $0.due } }

    func set(_ now: MonotonicTime) { state.withLock { $0.now = now } }
    func start(on queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {}
    func schedule(_ deadline: MonotonicTime?) { state.withLock { $0.due = deadline } }
    func stop() { state.withLock { $0.due = nil } }
}

/// A pipeline that only records its commands.
final class ScriptedPipeline: MediaPipeline {
    let location: MediaLocation
    let decoder: VideoDecoder?
    private let avoided: AvoidedDecoders
    let events: AsyncStream<MediaEvent>
    private let ending: AsyncStream<MediaEvent>.Continuation
    let state = Mutex(State())

    struct State {
        var loads: [MediaTime?] = []
        var places: [StartPlace?] = []
        var isPlaying = false
        var rates: [PlaybackRate] = []
        var seeks: [SeekRequest] = []
        var isClosed = false
        var isHeldByDecoder = false
        var frames = FrameCount(
            shown: 0, heldBack: 0, time: nil, start: nil, filmTime: nil, arrived: 0, newest: nil, duration: nil,
            shownAt: MonotonicTime(nanoseconds: 0), hasEnded: false, isLast: false)
    }

    init(_ location: MediaLocation, _ decoder: VideoDecoder? = nil, avoiding avoided: AvoidedDecoders) {
        self.location = location
        self.decoder = decoder
        self.avoided = avoided
        (events, ending) = AsyncStream.makeStream(of: MediaEvent.self)
    }

    var loads: [MediaTime?] { state.withLock { $0.loads } }
    var isPlaying: Bool { state.withLock { $0.isPlaying } }
    var seeks: [SeekRequest] { state.withLock { $0.seeks } }
    var rates: [PlaybackRate] { state.withLock { $0.rates } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The film has played on.
    func run(_ before: MonotonicTime, _ now: MonotonicTime) {
        state.withLock { state in
            guard let time = state.frames.time, now > before else { return }
            let place = time + MediaTime(nanoseconds: (now - before).inNanoseconds)
            state.frames.shown += 1
            state.frames.arrived += 1
            (state.frames.time, state.frames.start, state.frames.filmTime) = (place, place, place)
            (state.frames.newest, state.frames.shownAt) = (place, now)
        }
    }

    var frames: FrameCount { state.withLock { $0.frames } }
    var recentFrames: [ShownFrame] { [] }
    var soundInput: UInt64 { 0 }
    var isHeldByDecoder: Bool { state.withLock { $0.isHeldByDecoder } }
    var hasFailedPreroll: Bool { false }

    func isAvoided(_ decoder: VideoDecoder) -> Bool { avoided.contains(decoder) }
    func preload() {}
    func takeCard() {}
    func takeSpare() -> SpareSink? { nil }
    func open(at time: MediaTime?, from place: StartPlace?, playing: Bool) {
        state.withLock { state in
            state.loads.append(time)
            state.places.append(place)
            state.isPlaying = playing
        }
    }
    func setPlaying(_ playing: Bool) { state.withLock { $0.isPlaying = playing } }
    func setLooping(_ looping: Bool) {}
    func setRate(_ rate: PlaybackRate) { state.withLock { $0.rates.append(rate) } }
    func setSound(_ sound: FilmOutput.Sound) {}
    func selectAudio(_ number: Int) {}
    func setScrubMuted(_ scrubMuted: Bool) {}
    func seek(_ request: SeekRequest) { state.withLock { $0.seeks.append(request) } }
    func learn(_ found: Keyframes) {}
    func cover() {}
    func uncover() {}
    func reportPosition(ofSound: Bool) {}
    func reportBuffered() {}
    func copyFrame() -> FilmFrame? { nil }
    func close(_ frame: FilmPipeline.LastFrame, within deadline: Duration) async -> Bool {
        state.withLock { $0.isClosed = true }
        ending.finish()
        return true
    }
}

/// A playlist with scripted pipelines and a clock that a test sets: nothing in it takes time.
final class Rehearsal {
    let clock = TurnedClock()
    /// The playlist's: as late as the player's.
    private let listClock = TurnedClock()
    let list: QueuePlayer
    let player: PlayerLoop
    private let made = Made()
    private let folder: TemporaryFolder

    private final class Made: Sendable {
        let pipelines = Mutex<[ScriptedPipeline]>([])
        let avoided = Mutex<[VideoDecoder]>([])
        let pictured = Mutex<[MediaLocation?]>([])
    }

    /// - Parameters:
    ///   - films: names of files, which are created, or addresses.
    ///   - decoders: the decoders of all films, by rank.
    ///   - remembered: those that earlier runs avoided.
    ///   - time: what the text beside the bar counts.
    ///   - prepare: requests before the first film is opened.
    init(
        _ films: [String], decoders: [VideoDecoder] = [], remembered: AvoidedDecoders = AvoidedDecoders(),
        time: TimeDisplay = .total, _ preload: (QueuePlayer) -> Void = { _ in }
    ) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let locations = try films.map { name in
            guard !name.contains("://") else { return try MediaLocation(name) }
            let file = folder.url.appending(path: name)
            try Data("no film".utf8).write(to: file)
            return try MediaLocation(file.path)
        }
        var options = PlayerOptions(hasOSD: false, hasSound: false)
        options.timeDisplay = time
        let made = made
        options.beforeFilm = { step in
            switch step {
            case .avoids(_, let decoder): made.avoided.withLock { $0.append(decoder) }
            case .pictures(let film): made.pictured.withLock { $0.append(film) }
            case .pictured: made.pictured.withLock { $0.append(nil) }
            case .opens, .preloads, .dropped: break
            }
        }
        let player = PlayerLoop(
            options: options, log: Logger(label: "rehearsal") { _ in SwiftLogNoOpLogHandler() }, clock: clock
        ) { location, output, _, _, _ throws(MediaFailure) in
            var avoided = output.avoidedDecoders
            avoided.formUnion(remembered)
            let decoder = decoders.first { !avoided.contains($0) } ?? decoders.first
            let pipeline = ScriptedPipeline(location, decoder, avoiding: avoided)
            made.pipelines.withLock { $0.append(pipeline) }
            return pipeline
        }
        self.player = player
        let core = PlaybackCore(engine: player, PlaybackMachine(playlistOf: options, .rewind), clock: listClock)
        list = QueuePlayer(playlist: locations.map { PlayerItem(Asset($0)) }, core)
        preload(list)
        list.play()
        list.start()
        await settle()
    }

    /// Makes a request to the playlist, and waits for its immediate effects.
    func ask(_ request: (QueuePlayer) -> Void) async {
        request(list)
        await settle()
    }

    /// All created pipelines, the newest last.
    var pipelines: [ScriptedPipeline] { made.pipelines.withLock { $0 } }

    /// The pipeline that was opened last.
    var pipeline: ScriptedPipeline { pipelines.last { !$0.loads.isEmpty } ?? pipelines[0] }

    /// The pipelines that were opened, not those that are only preloaded.
    var opened: [ScriptedPipeline] { pipelines.filter { !$0.loads.isEmpty } }

    /// The decoders that the record was to remember.
    var avoided: [VideoDecoder] { made.avoided.withLock { $0 } }

    /// The films that were decoded for posters, each followed by `nil`.
    var pictured: [MediaLocation?] { made.pictured.withLock { $0 } }

    /// Waits until pending builds and closings are done.
    func settle() async {
        // Reports and commands pass between list and player on the player's loop.
        for _ in 1...8 {
            var work = await player.filmWork
            while let current = work {
                await current.value
                let next = await player.filmWork
                work = next == current ? nil : next
            }
        }
    }

    /// Reports events from the pipeline.
    func report(_ events: MediaEvent...) async {
        await player.act { player in for event in events { player.handle(event) } }
        await settle()
    }

    /// Opens the film, and shows its first frame.
    func open(
        _ duration: MediaTime? = .seconds(10), isSeekable: Bool = true, isLive: Bool = false, hasAudio: Bool = false
    ) async {
        let location = list.currentItem?.asset.location
        var mediaInfo = MediaInfo(
            duration: duration, isSeekable: isSeekable, isLive: isLive, isLocal: location?.isLocal ?? true,
            hasAudio: hasAudio, frameDuration: .milliseconds(40))
        mediaInfo.title = location?.title
        await report(.ready(mediaInfo), .state(.playing))
        await show(.zero, SeekRequest.initial)
    }

    /// Shows a frame, as the answer to a seek.
    func show(_ time: MediaTime, _ ticket: SeekRequest.Ticket? = nil) async {
        let now = clock.now
        pipeline.state.withLock { state in
            state.frames.shown += 1
            state.frames.arrived += 1
            (state.frames.time, state.frames.start, state.frames.filmTime) = (time, time, time)
            (state.frames.newest, state.frames.shownAt) = (time, now)
        }
        let ticket = ticket ?? pipeline.seeks.last?.ticket ?? SeekRequest.initial
        await report(
            .frame(SeekFrame(ticket: ticket, time: time, start: time, duration: .milliseconds(40), shownAt: now)))
    }

    /// Advances the clock; everything that becomes due is done at its time.
    /// - Parameter runs: whether a film that plays shows frames meanwhile.
    func turn(_ time: Duration, runs: Bool = true) async {
        let end = clock.now + time
        // Each turn wakes the player at most this often, because a deadline that stays due would never end.
        for _ in 1...10_000 {
            await player.act { [clock, listClock, pipeline] player in
                player.reschedule()
                let before = clock.now
                let due = [clock.due, listClock.due].compactMap { $0 }.min()
                clock.set(min(max(due ?? end, before), end))
                listClock.set(clock.now)
                if runs, pipeline.isPlaying, player.session.run.state == .playing { pipeline.run(before, clock.now) }
                player.wake()
            }
            list.core.wake()
            await settle()
            guard clock.now < end else { return }
        }
        preconditionFailure("a deadline stays due")
    }

    func end() async { await list.close() }
}
