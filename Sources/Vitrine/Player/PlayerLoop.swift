internal import Dispatch
internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import Sound
internal import Synchronization
internal import Touch

/// Plays one film at a time, on a display with a touch panel: the one place that connects finger, scrub, seek, film and
/// OSD.
///
/// All its state belongs to one serial queue (`LoopExecutor`), where also the panel's, the timer's and the signals'
/// sources fire. It only decides and delegates: blocking work runs on the film's, the overlay's or a global queue.
///
/// A `PlaybackMachine`, hosted by `PlaybackCore`, decides what is played.
///
/// The main path: `handle(_: TouchNews)` → `Slider.handle` → `Scrubber.handle` → `perform` → `FilmPipeline.seek` →
/// `handle(_: MediaEvent)` → `Scrubber.handle` → `refreshOSD` → `OverlayPipeline.show`.
actor PlayerLoop {
    nonisolated let executor = LoopExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let log: Logger
    let options: PlayerOptions
    let clock: any LoopClock
    let makePipeline: MakePipeline
    let stage: Stage
    let input: TouchInput
    let soundOutput: SoundOutput
    private(set) var phase = Phase.waiting

    enum Phase {
        /// Requests are remembered until the start.
        case waiting
        case running
        /// Nothing is opened any more.
        case over
    }

    var isRunning: Bool { phase == .running }

    /// The film that plays, is being opened, or will be the first: another film has another session.
    private(set) var session: FilmSession
    /// Pipelines are closed and built one after another, because they need the same plane and, often, exclusive use of
    /// a sound card.
    var filmWork: Task<Void, Never>?
    var reconnection = Reconnection()
    var preferences: TrackPreferences
    /// The requested rate of films, as the machine sets it; a film may refuse it.
    var wantedRate = PlaybackRate.normal
    var liveness = Liveness()
    var logged = LoggedFilms()
    let counters = PlayerCounters()
    /// The newest change of the display's power: the next one waits for it.
    var powerWork: Task<Void, Never>?

    /// The link to the machine that decides what is played.
    var link = MachineLink()
    /// The link to the player's commander.
    var embedding: Embedding

    private var nextTick: MonotonicTime?

    /// - Parameters:
    ///   - options: the player's options.
    ///   - log: reports about playback, for people.
    ///   - locate: resolves an address, however long that takes.
    init(options: PlayerOptions, log: Logger, locate: @escaping Embedding.Locate = Embedding.locate) {
        self.init(
            options: options, log: log, clock: SystemClock(), locate: locate, listRoutes: { SoundRoutes.all() }
        ) {
            location, output, display, holdsPreroll, spare throws(MediaFailure) in
            var output = output
            if let known = options.avoidedDecoders?(location) { output.avoidedDecoders.formUnion(known) }
            return try FilmPipeline(
                location, output: output, display: display, holdsPreroll: holdsPreroll, spare: spare)
        }
    }

    /// A loop with a clock that the caller sets, and with its own pipelines.
    /// - Parameter listRoutes: lists sound outputs; `nil` uses ALSA's default.
    init(
        options: PlayerOptions, log: Logger, clock: any LoopClock,
        locate: @escaping Embedding.Locate = Embedding.locate, listRoutes: SoundOutput.ListRoutes? = nil,
        makePipeline: @escaping MakePipeline
    ) {
        self.options = options
        self.clock = clock
        self.makePipeline = makePipeline
        self.log = log
        embedding = Embedding(locate: locate)
        stage = Stage(window: options.window, gravity: options.gravity, controls: options.controls, log: log)
        input = TouchInput(wanted: options.touch, log: log)
        soundOutput = SoundOutput(options, listRoutes)
        session = FilmSession(wantsPlaying: false, rate: .normal)
        preferences = TrackPreferences(
            audio: options.audio, subtitle: options.subtitle, sound: FilmOutput.Sound(volume: Double(options.volume)))
    }

    var display: Display? { stage.display }
    var osd: OnScreenDisplay { stage.osd }

    /// Sets the display, or, with `nil`, none; the film must be closed.
    func take(_ display: Display?) {
        stage.take(display)
        // It was laid out for another display.
        input.visit.forgetLeftMenu()
        followSound(at: clock.now)
        guard display != nil else {
            osd.isEnabled = false
            return input.close()
        }
        osd.setScreen(stage.controlsScreen(hasSubtitles: osd.layout.hasSubtitles))
        // A film that was without a display until now.
        guard isRunning else { return }
        osd.isEnabled = options.hasOSD
        renewMenu()
        startTouch()
    }

    /// Turns to the next film.
    /// - Returns: the pipeline of the previous film, which the caller closes.
    func turnToNext() -> (any MediaPipeline)? {
        let before = session.leaveRun()
        session = session.next(rate: wantedRate)
        return before
    }

    // MARK: Lifetime

    /// Starts the loop with the first film, or the first message.
    func start() {
        guard phase == .waiting else { return }
        phase = .running
        osd.isEnabled = options.hasOSD && stage.screen != nil
        startTimer()
        startSound()
        // A message from before the start is visible already.
        if osd.isVisible { ensureOverlay() }
    }

    /// Ends the loop: no GStreamer object is left, and nothing is opened any more. Once.
    func end() async {
        let wasRunning = isRunning
        phase = .over
        guard wasRunning else { return }
        _ = takePreloaded(nil)
        clock.stop()
        input.close()
        soundOutput.close()
        let (pipeline, overlay, pipelines) = (
            session.pipeline, osd.forgetOverlay(), [session.pipeline, stage.outgoing]
        )
        _ = session.leaveRun()
        if let pipeline { close(pipeline) }
        clearOutgoing()
        // A service manager waits for 5 s: less in total, even if something is stuck.
        await closeFilms(and: pipelines, within: .milliseconds(2500), eachWithin: .milliseconds(500))
        if let overlay, await !overlay.stop(within: .milliseconds(500)) {
            log.error("GStreamer did not let go of the on-screen display")
        }
    }

    /// Waits for films that are being built and closed, because building a film has no time limit of its own. Stuck
    /// work is abandoned, also by later films; it is closed once it is built.
    /// - Parameter films: the films that are closed last, without waiting for stuck work.
    func closeFilms(
        and films: [(any MediaPipeline)?], within limit: Duration = .seconds(5),
        eachWithin eachLimit: Duration = .seconds(3)
    ) async {
        guard let work = filmWork, await !work.isOver(within: limit) else { return }
        log.error("GStreamer is stuck with a film")
        forgetFilmWork()
        for film in films { _ = await film?.close(within: eachLimit) }
    }

    // MARK: Touch

    private var wantsTouch: Bool { stage.display != nil }

    /// Opens the panels, unless they are open.
    func startTouch() {
        guard wantsTouch, !input.isOpen else { return }
        input.willOpen()
        let seat = options.seat
        Task {
            var reader: TouchReader?
            do throws(TouchError) {
                // A value that cannot be copied cannot be a task's result.
                let opened = Mutex<TouchReader.Panels?>(nil)
                try await runBlocking { () throws(TouchError) in
                    try opened.withLock { panels throws(TouchError) in panels = try TouchReader.Panels(seat: seat) }
                }
                if isRunning, wantsTouch, let panels = opened.withLock({ $0.take() }) {
                    reader = TouchReader(panels, queue: executor.queue)
                }
            } catch {
                log.error("\(error): the film plays, but cannot be touched")
            }
            input.didOpen(reader)
            guard let reader else { return }
            log.trace("touch begun")
            let news = reader.news
            Task { for await item in news { handle(item) } }
        }
    }

    // MARK: Time

    private func startTimer() {
        clock.start(on: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
    }

    /// Whether the position and the loaded part are observed.
    var isFollowed: Bool { embedding.isObserved || options.keepsTime }

    /// The interval of position reports while the film plays. At least 4 per second are required; a few more compensate
    /// for reports that are skipped while the machine is busy.
    static let tick: Duration = .milliseconds(240)

    /// All timers, by owner.
    private enum Timer: Hashable {
        case osd(OnScreenDisplay.Timer)
        case menu, leftMenu
        case film(FilmSession.Timer)
        case sound, preloading, position
    }

    private var timers: Timers<Timer> {
        osd.timers.named { .osd($0) }
            + Timers([.menu: input.visit.menu?.deadline, .leftMenu: input.visit.leftMenu?.until])
            + session.timers.named { .film($0) }
            + Timers([.sound: soundOutput.deadline, .preloading: stage.preloading.deadline, .position: nextTick])
    }

    func wake() {
        let now = clock.now
        var handled: Set<Timer> = []
        while let timer = timers.due(at: now, except: handled) {
            handled.insert(timer)
            handle(timer, at: now)
        }
        refreshOSD()
    }

    private func handle(_ timer: Timer, at now: MonotonicTime) {
        switch timer {
        case .osd(.fingers): if !input.hasUnreadNews { wakeFingers(at: now) }
        case .osd(.visibility): show(.deadlineReached, at: now)
        case .osd(.toast): toastEnded()
        case .osd(.clientText): clientTextEnded()
        case .menu: if !input.hasUnreadNews { wakeMenu(at: now) }
        case .leftMenu: input.visit.forgetLeftMenu()
        case .film(let timer): handle(timer, at: now)
        case .sound: wakeSound(at: now)
        case .position:
            // A steady beat: a late tick does not delay the next one.
            let next = nextTick.map { $0 + Self.tick }
            nextTick = next.map { $0 > now ? $0 : now + Self.tick }
            updatePosition()
            notifyMachineOfPosition()
        // `refreshOSD` and `reschedule`, which follow, do it.
        case .osd(.thumb), .preloading: break
        }
    }

    private func handle(_ timer: FilmSession.Timer, at now: MonotonicTime) {
        switch timer {
        case .seek:
            guard !input.hasUnreadNews else { break }
            if session.run.makesProgress() {
                scrub(.progress(isGroup: session.rate.isReverse), at: now)
                liveness.progress(at: now)
            }
            scrub(.wake, at: now)
        case .load: failedToOpen()
        // The sound's clock may drift from the system clock.
        case .subtitles: if session.mediaInfo?.hasVideo == false { session.pipeline?.reportPosition() }
        case .still: stillEnded()
        case .standstill: stoodStill(at: now)
        case .connection: connectAgain()
        case .silence: fellSilent()
        }
    }

    /// Sets the timer to the next deadline, or to none: a paused and untouched player does not wake up.
    func reschedule() {
        let isMoving =
            (session.run.state == .playing || session.run.buffering != nil)
            && (osd.isVisible || isFollowed)
        if !isMoving {
            nextTick = nil
        } else if nextTick == nil {
            nextTick = clock.now + Self.tick
        }
        observeLiveness(at: clock.now)
        observeNextItem(at: clock.now)
        observeStandstill(at: clock.now)
        clock.schedule(timers.next)
    }
}
