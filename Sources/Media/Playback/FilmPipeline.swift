internal import CGStreamer
internal import CVideoSink
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// One film's GStreamer pipeline: `uridecodebin`, the film's branch to its plane, the sound's branch to its card.
///
/// Commands go down and return at once; everything of GStreamer's happens on the pipeline's own serial worker, which may
/// wait for a plane's flip or a stuck driver without anyone else waiting. News comes up as `events`.
///
/// `@unchecked Sendable` because all mutable state is confined to the worker queue.
public final class FilmPipeline: @unchecked Sendable {
    /// What happens, in order; unbounded, because each of these events is rare and none may be lost. Ends with `close`.
    public let events: AsyncStream<MediaEvent>
    let news: AsyncStream<MediaEvent>.Continuation
    let worker = DispatchQueue(label: "vitrine.film", qos: .userInitiated)

    public let location: MediaLocation
    let pipeline: Element
    let source: FilmSource
    /// `nil` where there is no source.
    private(set) var linker: PadLinker?
    let video: VideoBranch
    let audio: AudioBranch
    let nextSink = NextSink()
    let failedPreroll = Atomic(false)

    // Worker only.
    let info: FilmInfo
    var seeks: FilmSeeks
    var teardown: FilmTeardown
    /// `nil`: it is opened as any film, or has been.
    var prerollHold: PrerollHold?
    private(set) var isReady = false
    var isClosed = false
    private(set) var wantsPlaying = false
    var hasFailed = false
    var overload = Overload()
    var routing = SoundRouting()
    /// Missing plugins, reported before the error that they cause.
    var missing: [MediaFailure] = []
    /// Where it is to begin; a place goes before a time.
    private var start: (time: MediaTime?, place: StartPlace?)
    var busWatch: BusWatch?
    /// Whoever has the last reference may be a thread that nobody waits for. The last property: it goes last.
    private let pendingWork = GStreamer.PendingWork()

    /// Builds the pipeline; nothing is opened yet. Any thread; may take 100 ms (plugins are loaded).
    /// - Parameters:
    ///   - isHeld: to be made ready by `prepare` while another film plays, and opened later. For local films.
    ///   - spare: of the film that plays.
    public init(
        _ location: MediaLocation, output: FilmOutput, display: FilmDisplay? = nil, holdsPreroll: Bool = false,
        spare: SpareSink? = nil
    ) throws(MediaFailure) {
        try GStreamer.start()
        self.location = location
        (events, news) = AsyncStream.makeStream(of: MediaEvent.self)
        video = try VideoBranch(
            screen: output.screen, setColor: display?.setColor, holdsPreroll: holdsPreroll, spare: spare,
            avoiding: output.avoidedDecoders)
        audio = AudioBranch(
            devices: output.hasSound ? output.soundDevices.first : nil, sound: output.sound, preference: output.audio)
        routing.places.second.devices = output.soundDevices.second
        if !holdsPreroll { audio.begin() }
        source = try FilmSource(location)
        pipeline = Element(pipeline: "film-pipeline")
        audio.clock.lead(pipeline)
        info = FilmInfo(location, pipeline: pipeline, source: source, video: video, audio: audio)
        seeks = FilmSeeks(pipeline: pipeline, video: video, audio: audio, info: info, news: news)
        teardown = FilmTeardown(
            hasPlane: !holdsPreroll, pipeline: pipeline, video: video, audio: audio, display: display)
        guard let element = source.element else {
            try linkTestPicture()
            return
        }
        if !location.isLocal { ServerTrust.watch() }
        pipeline.add(element)
        prerollHold = holdsPreroll ? PrerollHold() : nil
        linker = linkPads(of: element, holdsPreroll: holdsPreroll)
    }

    var mediaInfo: MediaInfo { info.mediaInfo }

    /// What decodes its video; `nil` before there is one. Any thread, never blocks.
    public var decoder: VideoDecoder? { video.decoder.current }

    var hardwareDecoder: VideoDecoder? { decoder.flatMap { $0.isHardware ? $0 : nil } }

    // MARK: Commands

    /// Opens the film and shows its first frame, or the one at `time`; plays on if `playing`. One that was made ready shows
    /// what waits for the plane, which is free, and goes on with `takeCard`.
    public func open(at time: MediaTime?, from place: StartPlace? = nil, playing: Bool) {
        worker.async { [self] in
            guard !isClosed else { return }
            start = (time, place)
            wantsPlaying = playing
            teardown.hasPlane = true
            vitrine_sink_expect(video.sink.raw, SeekRequest.opening.number, 0, .min)
            // The first frame on the screen is the one asked for.
            video.takePlane(isSeen: time == nil && place == nil)
            if prerollHold == nil {
                beginSound()
                watchBus()
                change(to: GST_STATE_PAUSED)
            } else if let screen = video.screen {
                nextSink.open(for: screen)
            }
            expectStart()
            expectSound()
        }
    }

    /// Fails the film when its card hangs with the sound's format, while the first frame is on the screen.
    private func expectSound() {
        worker.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self, !isReady, !hasFailed, !isClosed else { return }
            guard audio.isStuck else { return expectSound() }
            fail(MediaFailure(reason: .audioLost, message: "\(location.name): the sound card takes no sound"))
        }
    }

    /// A file without an index can keep a demuxer searching without a word. Network sources have time limits of their own.
    private func expectStart() {
        guard location.isLocal else { return }
        // From a slow card libraries take as long as that.
        Self.whenLoaded { [weak self] in
            self?.worker.asyncAfter(deadline: .now() + .seconds(8)) { [weak self] in self?.failUnstarted() }
        }
    }

    private func failUnstarted() {
        guard !isReady, !hasFailed, !isClosed else { return }
        // The film waits for the card, and is not to blame.
        if let card = audio.card, card.isOpening || frames.shown > 0 {
            let text = "\(location.name): the sound card takes no sound within 8 s"
            return fail(MediaFailure(reason: .audioLost, message: text))
        }
        let text = "\(location.name): neither video nor sound within 8 s; the file is damaged or not a film"
        var failure = missingPlugin ?? MediaFailure(reason: .notMedia, message: text)
        failure.decoder = hardwareDecoder
        fail(failure)
    }

    /// The wanted state; until the film is ready it is remembered.
    public func setPlaying(_ playing: Bool) {
        worker.async { [self] in
            guard !isClosed else { return }
            wantsPlaying = playing
            if !playing { takeSoundBack() }
            overload.startAnew()
            if isReady { change(to: playing ? GST_STATE_PLAYING : GST_STATE_PAUSED) }
            followNewClock()
        }
    }

    /// Looping, a loop segment that began with an exact seek is followed by the next one without a flush: no frame is lost or shown
    /// twice. The end of each loop segment is reported as `.passed`; that of one which cannot be followed so as `.endOfStream`.
    public func setLooping(_ looping: Bool) {
        worker.async { [self] in seeks.loop.isWanted = looping && location.isLocal }
    }

    /// Seeks; answered by `.frame` with the request's ticket, by `.settled` once the sound is there too, or by
    /// `.seekFailed`. A newer seek may be sent before: the older one is then never answered.
    public func seek(_ request: SeekRequest) {
        worker.async { [self] in
            guard !isClosed else { return }
            overload.startAnew()
            takeSoundBack()
            audio.expectSeek()
            if !seeks.perform(request) {
                audio.selectNow()
                news.yield(.seekFailed(request.ticket))
            }
        }
    }

    /// How fast it plays, from the next seek on that is none of a drag's.
    public func setRate(_ rate: PlaybackRate) {
        worker.async { [self] in seeks.rate = rate }
    }

    /// How loud it is from now on.
    public func setSound(_ sound: FilmOutput.Sound) {
        worker.async { [self] in audio.set(sound) }
    }

    /// Another track of sound, heard after the next seek.
    public func selectAudio(_ number: Int) {
        worker.async { [self] in
            audio.select(.number(number), waits: isReady && mediaInfo.isSeekable && !mediaInfo.isLive)
            if isReady { update { $0.refresh(isReady: true) } }
        }
    }

    /// What reading the film has found out; for the seeks that follow.
    public func learn(_ found: Keyframes) {
        worker.async { [self] in
            if !found.areKnown { seeks.unknownKeyframes = KeyframeMap(found.times) }
            info.learn(found)
            if isReady { update { $0.refresh(isReady: true) } }
        }
    }

    /// While the sound is muted for scrubbing, a drag's seeks neither decode nor wait for sound. Takes effect with the next seek.
    public func setScrubMuted(_ scrubMuted: Bool) {
        worker.async { [self] in
            seeks.isScrubMuted = scrubMuted
            vitrine_valve_set_drop(audio.input.valve, scrubMuted)
        }
    }

    /// Something else is shown on the film's plane from now on: its frames are kept from the screen, and count as shown. Waits for one
    /// that is on its way there; any thread that may.
    public func cover() { vitrine_sink_cover(video.sink.raw) }

    /// The newest of its frames is shown again. Waits for its flip.
    public func uncover() { vitrine_sink_uncover(video.sink.raw) }

    /// Asks for one `.position`.
    /// - Parameter ofSound: as far as the sound has come, if there is any, in place of the frames: their sink's time stands
    ///   from their stream's end on, or, with GStreamer 1.26, runs on without the sound.
    public func reportPosition(ofSound: Bool = false) {
        worker.async { [self] in
            guard !isClosed, isReady else { return }
            let place = (ofSound ? audio.sink?.position() : nil) ?? info.clockedSink?.position()
            if let time = place.flatMap({ mediaTime($0) }) { news.yield(.position(time)) }
        }
    }

    /// The last frames on the screen, at most 256, in order: any thread, never blocks.
    public var recentFrames: [ShownFrame] {
        withUnsafeTemporaryAllocation(of: VitrineShown.self, capacity: Int(VITRINE_RECENT)) { shown in
            let count = Int(vitrine_sink_recent(video.sink.raw, shown.baseAddress))
            return shown.prefix(count).map {
                ShownFrame(
                    time: mediaTime($0.stream_time), shownAt: MonotonicTime(nanoseconds: $0.time))
            }
        }
    }

    /// What the sink has shown since the pipeline was made: any thread, never blocks.
    public var frames: FrameCount {
        let frames = vitrine_sink_frames(video.sink.raw)
        return FrameCount(
            shown: frames.shown, heldBack: vitrine_frame_gate_held(video.gate), time: mediaTime(frames.place),
            start: mediaTime(frames.stream_time),
            filmTime: frames.stream_time < 0 ? nil : mediaTime(frames.film_time),
            arrived: vitrine_input_count_arrived(video.input.count),
            newest: mediaTime(vitrine_input_count_newest(video.input.count)), duration: mediaTime(frames.duration),
            shownAt: MonotonicTime(nanoseconds: frames.time),
            hasEnded: frames.ended, isLast: frames.is_last)
    }

    /// Gives frames away for the film's scrub sheet while it plays, for as long as this pipeline lives. Any thread, never blocks.
    public func harvest(_ harvest: FrameHarvest) { video.harvest(harvest) }

    /// Buffers that have arrived at the sound's decoder: any thread, never blocks.
    public var soundInput: UInt64 { vitrine_input_count_arrived(audio.input.count) }

    /// Whether the decoder of the frames has not returned from one that went in, and none that came out is on its way to
    /// the screen: any thread, never blocks. True again and again while it works; from a decoder that is stuck, always.
    public var isHeldByDecoder: Bool { video.isHeldByDecoder }

    /// Blends the OSD surface into the frames, from the one on the screen on; `nil`: none. Waits for the plane's flip.
    /// Any thread that may wait; only for an output that composes.
    /// - Returns: whether there is a frame that it was blended into.
    @discardableResult
    func show(_ surface: OSDSurface?) -> Bool {
        guard let surface else { return vitrine_sink_set_surface(video.sink.raw, nil, 0, 0, 0, 0) }
        let place = surface.place
        return vitrine_sink_set_surface(
            video.sink.raw, surface.buffer?.raw, guint32(place.width), guint32(place.height), gint32(place.x),
            gint32(place.y))
    }

    // MARK: Worker

    func watchBus() {
        busWatch = pipeline.bus.map { BusWatch($0, on: worker) { [weak self] in self?.drainBus() } }
    }

    func change(to state: GstState) {
        // A command may come before the news that it failed are heard.
        guard teardown.stage == .running else { return }
        if isReady { join(state) }
        debugLog(pipeline, "to \(String(cString: gst_element_state_get_name(state)))")
        let result = state == GST_STATE_PAUSED ? pause() : pipeline.set(state)
        if result == GST_STATE_CHANGE_NO_PREROLL {
            source.capabilities.isLiveSource = true
            info.becomeLive()
        }
        if result == GST_STATE_CHANGE_FAILURE, isReady {
            // The reason follows on the bus.
            news.yield(.warning("the pipeline refuses the state \(String(cString: gst_element_state_get_name(state)))"))
        }
        // A live source has no preroll to wait for, and gives nothing out before it plays.
        if mediaInfo.isLive, !isReady, state == GST_STATE_PAUSED { change(to: GST_STATE_PLAYING) }
    }

    /// Called once the pipeline has prerolled, or when something comes of what is live.
    func becomeReady() {
        guard !isReady else { return }
        isReady = true
        info.refresh(isReady: true)
        news.yield(.ready(mediaInfo))
        for one in missing { news.yield(.warning(one.message)) }
        let place = start.place.map { $0.time(in: mediaInfo.duration) ?? .zero }
        if var start = (place ?? start.time)?.clamped(to: .zero ... .farthest) {
            if let duration = mediaInfo.duration {
                start = start.clamped(to: .zero...max(duration - (mediaInfo.frameDuration ?? .milliseconds(40)), .zero))
            }
            // A sound's cover is no answer to what is sought.
            if mediaInfo.hasVideo {
                vitrine_sink_set_preroll_hold(video.sink.raw, false)
            } else {
                vitrine_sink_release_preroll(video.sink.raw)
            }
            let opening = SeekRequest(ticket: SeekRequest.opening, target: start, method: .exact)
            if !mediaInfo.isSeekable || !seeks.perform(opening) {
                // The frame that was kept from the screen is gone; the next one follows it.
                _ = seeks.perform(SeekRequest(ticket: SeekRequest.opening, target: .zero, method: .advance))
                news.yield(.seekFailed(SeekRequest.opening))
            }
        }
        // One that is live plays already.
        if wantsPlaying || mediaInfo.isLive { change(to: wantsPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED) }
        improveSound()
        // Those that GStreamer does not report.
        if mediaInfo.chapters.isEmpty, let path = location.path { update { $0.learn(MP4Chapters.of(path)) } }
    }

    func drainBus() {
        while !isClosed, let message = pipeline.bus?.pop() { handle(message) }
    }
}

extension SeekRequest {
    /// The first frame of a film answers this one.
    public static let opening = Ticket(number: 0xFFFF_FFFF)
}
