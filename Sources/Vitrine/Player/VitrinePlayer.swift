internal import Control
internal import Dispatch
public import KMS
public import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore
public import ServiceLifecycle
internal import Synchronization
internal import Touch

/// A player on a display with a touch panel: the one place that joins finger, scrub, seek, film and OSD.
///
/// All its state lives on one serial queue (`LoopExecutor`), where also the panel's, the timer's and the signals' sources
/// fire. It only decides and passes on: what may block happens on the film's, the overlay's or a global queue.
///
/// The main path: `handle(_: TouchNews)` → `Slider.handle` → `Scrubber.handle` → `perform` → `FilmPipeline.seek` →
/// `handle(_: MediaEvent)` → `Scrubber.handle` → `refreshOSD` → `OverlayPipeline.show`.
public actor VitrinePlayer: Service {
    nonisolated let executor = LoopExecutor()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let log: Logger
    nonisolated let hub = NewsHub()
    let options: PlayerOptions
    /// `nil` plays in `options.window`, or, where there is none, unseen.
    private(set) var display: Display?
    private(set) var layout: OSDLayout
    /// Whether there is a screen to show the bar on, and the bar is wanted.
    private(set) var hasOSD = false
    /// Before that, what clients ask for is remembered.
    private(set) var isRunning = false

    // The display comes and goes.
    var isDisplayGone = false
    /// As last told to the service manager.
    var statusWords: String?
    /// The film's plane was to scale and did not: as long as this display is ours.
    var isScalingRefused = false
    var isMoving = false
    var hasPower = true
    var laterOpening: LaterOpening?

    // The playlist.
    var playlist: NumberedList<MediaLocation>
    /// What holds for single entries, by their numbers.
    var fileOptions: [Int: FileOptions] = [:]
    var optionsInForce: FileOptionsInForce?
    /// Of which entry clients were told that it starts, and not yet that it ended.
    var toldEntry: Int?
    /// Where the first film starts.
    var start: MediaTime?
    var index = 0
    /// Nothing of the playlist is open, nor asked for.
    var isIdle: Bool
    /// Once nothing is to be repeated.
    var atEnd: PlayerOptions.AtEnd
    var repetitions = Repetitions()
    /// Those that could not be played.
    var failures = FailedFilms()

    // The film.
    var film: FilmPipeline?
    /// The one before, whose last picture stands until the next film's first is there.
    var departed: FilmPipeline?
    /// The last pictures of the films before.
    var earlierPictures: [ShownPicture] = []
    /// Films are closed and built one after another: they want the same plane and, often, a sound card to themselves.
    var filmWork: Task<Void, Never>?
    /// When a film was last opened, and which one is to be opened when.
    var openedAt = MonotonicTime(nanoseconds: 0)
    var nextFilm: NextFilm?
    /// Which film is made ready while this one plays; the film itself, `nil` where it cannot be built.
    var succession = Succession<Successor>()
    var preparedFilm: Task<FilmPipeline?, Never>?
    /// How the film that plays is opened once more; `nil` where it was not made ready before.
    var heldOpening: LaterOpening?
    /// When an opening film is given up.
    var openingDeadline: MonotonicTime?
    /// Where it was asked to open; `nil`: at its start.
    var openingTime: MediaTime?
    /// Where it is to start once its length is known.
    var openingPlace: StartPlace?
    /// Tells a film's news from that of the one before.
    var filmNumber = 0
    var facts: MediaFacts?
    var pipelineState = PipelineState.null
    var buffering: Int?
    /// What of a remote film is loaded.
    var loaded: LoadedPart?
    var reconnection = Reconnection()
    var laterConnection: LaterConnection?
    /// When the pipeline was last set going.
    var playingSince = MonotonicTime(nanoseconds: 0)
    /// Said of a film that is over for good, and until when it is to be read.
    var farewell: (words: String, until: MonotonicTime)?
    var message: String?
    /// What a client wants to be read, numbered: the end of an earlier one's time is not its own.
    var clientText: (text: String, number: Int)?
    var clientTexts = 0
    var hasEnded = false
    /// What there is of an end if what is sought comes to nothing.
    var unsettledEnd: UnsettledEnd?
    /// Notices a film that does not go on.
    var standstill = Standstill()
    /// How many frames had been shown when the film was last sought to its start because it had ended, where the last one is, and when
    /// that was.
    var rewound: (shown: UInt64, from: MediaTime?, at: MonotonicTime)?
    /// When the picture that is all of the film has stood for long enough.
    var stillDeadline: MonotonicTime?
    /// What the end has under way, while that is sought.
    var endSeek: EndSeek?
    /// How many pictures had come to the decoder when the seek in flight was sent, or was last seen to be on its way.
    var cameBefore: UInt64?
    /// The newest seek for the last picture.
    var lastPictureSeek: SeekRequest.Ticket?
    var toldWarnings = ToldWarnings()
    /// It lost its sound in the middle, and goes on without. The next film tries the card again, and a display that is back.
    var silentFilm: MediaLocation?
    var scan: KeyframeScan?

    var choice: TrackSelection
    /// Whether the subtitles that are chosen are shown.
    var areSubtitlesShown = true
    /// How fast films are to play; below 0 backwards.
    var rate: PlaybackRate
    /// The film that plays does not at that rate, but at its own.
    var isRateRefused = false
    /// Of which film that was said.
    var rateRefuser: MediaLocation?
    /// How fast it played when it was opened.
    var openedRate = PlaybackRate.normal
    /// Where it was to go then.
    var openedScreen: FilmOutput.Screen?
    var gravity: VideoGravity
    /// What of the display films are fitted into; `nil`: all of it.
    var area: OSDLayout.Rectangle?

    // The finger.
    var slider = Slider()
    var scrubber: Scrubber
    var visibility = OSDVisibility()
    var visibilityState = OSDVisibility.State(isVisible: false)
    private var touch: TouchReader?
    private var isTouchComing = false
    var panels: [TouchPanel.ID: TouchPanel] = [:]
    /// Fingers on panels of other displays.
    var foreignSlots: Set<Int32> = []
    var windowFingers = WindowFingers()

    // The OSD.
    var overlay: OverlayPipeline?
    /// Where the screen has no plane for the OSD.
    var compositor: StripCompositor?
    var isOverlayComing = false
    /// What was last handed to the overlay, and when; when a thumb that moved since is due.
    var shownModel = OSDModel()
    var shownAt = MonotonicTime(nanoseconds: 0)
    var osdDeadline: MonotonicTime?

    // The service.
    var liveness = Liveness()
    var isReadyTold = false
    var isStallTold = false
    var watchdogDeadline: MonotonicTime?
    /// When films are looked for anew.
    var supplyDeadline: MonotonicTime?
    /// Those that all failed, and until when the same ones are not tried again.
    var failedFilms: (films: Set<MediaLocation>, until: MonotonicTime)?
    var journal: PlaybackJournal?

    /// Where the library decides what is played.
    var leader: Leader?

    var counters = PlayerCounters()
    /// The newest slider event that no picture has answered, and the one that the seek in flight was sent for.
    var unansweredTouch: MonotonicTime?
    var soughtTouch: MonotonicTime?
    private var timer: (any DispatchSourceTimer)?
    private var nextTick: MonotonicTime?
    private(set) var outcome: PlayerOutcome?
    private var ending: CheckedContinuation<PlayerOutcome, Never>?

    /// - Parameters:
    ///   - options: what it plays, and how.
    ///   - display: an open display; the player draws on it and does not give it back, its owner does.
    ///   - log: of what it plays, for people.
    public init(options: PlayerOptions, display: Display?, log: Logger = Logger(label: "vitrine")) {
        self.options = options
        self.display = display
        self.log = log
        playlist = NumberedList(options.playlist)
        isIdle = options.playlist.isEmpty
        start = options.start
        rate = options.rate
        gravity = options.gravity
        choice = TrackSelection(
            audio: options.audio, subtitle: options.subtitle,
            sound: FilmOutput.Sound(volume: Double(options.volume)),
            stated: [.audible: options.audio, .legible: options.subtitle])
        atEnd = options.atEnd
        if options.atEnd == .loop { repetitions.playlist = .forever }
        index = options.playlist.indices.contains(options.first) ? options.first : 0
        journal = options.keeper.map { PlaybackJournal($0.record) }
        let window = options.window
        compositor = display.map { Self.makeCompositor(for: $0, log) } ?? window.map { _ in Self.makeCompositor() }
        layout =
            display.map { OSDLayout($0) } ?? window.map { OSDLayout($0) }
            ?? OSDLayout(displayWidth: 1280, displayHeight: 720, millimetres: nil)
        scrubber = Scrubber(wantsPlaying: !options.isPaused)
    }

    /// A display that came after the player was made; before `play`.
    func use(_ display: Display) {
        precondition(!isRunning)
        take(display)
    }

    func take(_ display: Display) {
        self.display = display
        setLayout(hasSubtitles: layout.hasSubtitles)
        compositor = Self.makeCompositor(for: display, log)
        // One that was without a display until now.
        guard isRunning, leader != nil else { return }
        hasOSD = options.hasOSD
        startTouch()
    }

    /// Plays on unseen; the film must be closed.
    func dropDisplay() {
        display = nil
        compositor = nil
        hasOSD = false
        touch?.stop()
        touch = nil
    }

    func setLayout(hasSubtitles: Bool) {
        if let display {
            layout = OSDLayout(display, hasSubtitles: hasSubtitles)
        } else if let window = options.window {
            layout = OSDLayout(window, hasSubtitles: hasSubtitles)
        }
    }

    // MARK: Life

    /// Plays until the playlist, a client or the service's shutdown ends it.
    public func run() async throws {
        _ = await play()
    }

    /// Plays until the playlist, a client or the service's shutdown ends it; then nothing of GStreamer's is left.
    public func play() async -> PlayerOutcome {
        isRunning = true
        hasOSD = options.hasOSD && screen != nil
        startTimer()
        answerWatchdog(at: .now)
        if !isIdle {
            open(at: start)
        } else if let supply = options.supply {
            waitForFilms(supply.message)
        } else {
            hub.send(.idle)
        }
        if isIdle { settle() }
        // Words from before.
        if visibilityState.isVisible { ensureOverlay() }
        let outcome = await withTaskCancellationOrGracefulShutdownHandler {
            await untilEnd()
        } onCancelOrGracefulShutdown: {
            Task { await self.end(.ended(code: 0)) }
        }
        await tearDown()
        return outcome
    }

    /// Ends the run. Any number of times; the first one counts.
    public func end(_ outcome: PlayerOutcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        ending?.resume(returning: outcome)
        ending = nil
    }

    private func untilEnd() async -> PlayerOutcome {
        if let outcome { return outcome }
        return await withCheckedContinuation { ending = $0 }
    }

    private func tearDown() async {
        // From here on nothing is opened, whatever a client asks for.
        note(isUrgent: true)
        if case .ended? = outcome { journal?.prove() }
        _ = takePrepared(nil)
        keep(isUrgent: true)
        isRunning = false
        options.service?.stopping()
        tellEndOfEntry(.quit)
        hub.send(.shutdown)
        timer?.cancel()
        timer = nil
        touch?.stop()
        touch = nil
        laterOpening = nil
        scan?.cancel()
        filmNumber += 1
        let (film, overlay, films) = (film, overlay, [film, departed])
        self.film = nil
        self.overlay = nil
        if let film { close(film) }
        clearDeparted()
        // A service manager waits for 5 s: less in all, whatever is stuck.
        await closeFilms(and: films, within: .seconds(3), eachWithin: .milliseconds(500))
        if let overlay, await !overlay.stop(within: .milliseconds(500)) {
            log.error("GStreamer did not let go of the on-screen display")
        }
        hub.finish()
    }

    /// Waits for what is being built and closed: building a film has no time limit of its own. What is stuck then is waited for
    /// no longer, by films that follow neither; it is closed once it is built.
    /// - Parameter films: those that are closed last; they do not wait for what is stuck.
    func closeFilms(
        and films: [FilmPipeline?], within limit: Duration = .seconds(5), eachWithin eachLimit: Duration = .seconds(3)
    ) async {
        guard let work = filmWork, await !work.isOver(within: limit) else { return }
        log.error("GStreamer is stuck with a film")
        filmWork = nil
        for film in films { _ = await film?.close(within: eachLimit) }
    }

    // MARK: Touch

    private var wantsTouch: Bool { display != nil || options.window == nil && leader == nil }

    /// Opens the panels, unless that was done.
    func startTouch() {
        guard wantsTouch, touch == nil, !isTouchComing else { return }
        isTouchComing = true
        let seat = options.seat
        Task {
            defer { isTouchComing = false }
            do throws(TouchError) {
                // A value that cannot be copied is no task's result.
                let opened = Mutex<TouchReader.Panels?>(nil)
                try await offLoop { () throws(TouchError) in
                    try opened.withLock { panels throws(TouchError) in panels = try TouchReader.Panels(seat: seat) }
                }
                guard isRunning, wantsTouch, let panels = opened.withLock({ $0.take() }) else { return }
                let reader = TouchReader(panels, queue: executor.queue)
                touch = reader
                log.trace("touch begun")
                let news = reader.news
                Task { for await item in news { handle(item) } }
            } catch {
                log.error("\(error): the film plays, but cannot be touched")
            }
        }
    }

    // MARK: Time

    private func startTimer() {
        let timer = DispatchSource.makeTimerSource(queue: executor.queue)
        timer.setEventHandler { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        timer.activate()
        self.timer = timer
    }

    /// How often the position is told while the film plays. M2 asks for 4 times a second: a few more than that make up for
    /// those that are left out while the machine is busy.
    static let tick: Duration = .milliseconds(240)

    private func wake() {
        let now = MonotonicTime.now
        // Where the processor is busy, the finger's moves may be late, and it seems to rest.
        if let due = slider.deadline, due <= now, touch?.hasUnreadNews != true { wakeFingers(at: now) }
        if let due = scrubber.deadline, due <= now, touch?.hasUnreadNews != true {
            if hasCome() {
                scrub(.progress(isGroup: filmRate.isReverse), at: now)
                liveness.progress(at: now)
            }
            scrub(.wake, at: now)
        }
        if let due = visibilityState.deadline, due <= now { show(visibility.handle(.deadlineReached, at: now)) }
        if let due = openingDeadline, due <= now { failedToOpen() }
        if let due = watchdogDeadline, due <= now { answerWatchdog(at: now) }
        if let due = supplyDeadline, due <= now { lookForFilms() }
        // The sound's clock may run a little otherwise than the machine's.
        if let due = choice.deadline, due <= now, facts?.hasVideo == false { film?.reportPosition() }
        if let due = nextFilm?.due, due <= now { openNext() }
        if let due = stillDeadline, due <= now { stillEnded() }
        if let due = standstill.deadline, due <= now { stoodStill(at: now) }
        if let due = laterConnection?.due, due <= now { connectAgain() }
        if let due = silenceDeadline, due <= now { fellSilent() }
        if let due = farewell?.until, due <= now { farewellEnded() }
        if let due = recordDeadline, due <= now { note(at: now) }
        if let due = nextTick, due <= now {
            // A steady beat: how late one is makes the next one no later.
            let next = due + Self.tick
            nextTick = next > now ? next : now + Self.tick
            updatePosition()
            hub.changed(RemoteProperty.ofPosition)
            tellLeaderPosition()
        }
        refreshOSD()
    }

    /// Sets the timer to the next thing that is due, or to nothing: a paused or untouched player does not wake up.
    func reschedule() {
        let isMoving =
            (pipelineState == .playing || buffering != nil)
            && (visibilityState.isVisible || hub.hasListeners || leader != nil)
        if !isMoving {
            nextTick = nil
        } else if nextTick == nil {
            nextTick = MonotonicTime.now + Self.tick
        }
        observeLiveness(at: .now)
        observeSuccession(at: .now)
        observeStandstill(at: .now)
        let due = [
            slider.deadline, scrubber.deadline, visibilityState.deadline, nextTick, osdDeadline, openingDeadline,
            watchdogDeadline, supplyDeadline, recordDeadline, choice.deadline, nextFilm?.due, stillDeadline,
            laterConnection?.due, silenceDeadline, farewell?.until, succession.deadline, standstill.deadline,
        ].compactMap { $0 }.min()
        guard let timer else { return }
        if let due {
            let wait = max(due.nanoseconds - MonotonicTime.now.nanoseconds, 0)
            timer.schedule(deadline: .now() + .nanoseconds(Int(wait)), leeway: .milliseconds(2))
        } else {
            timer.schedule(deadline: .distantFuture)
        }
    }
}
