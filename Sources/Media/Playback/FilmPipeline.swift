internal import CGStreamer
internal import Dispatch
public import PlayerCore
internal import Synchronization

/// One film's GStreamer pipeline: `uridecodebin`, the film's branch to its plane, the sound's branch to its card.
///
/// Commands return at once. All calls into GStreamer run on the pipeline's own serial worker, so that only the worker waits for
/// a flip or a stuck driver. Results arrive as `events`.
///
/// `@unchecked Sendable` because all mutable state is confined to the worker queue.
public final class FilmPipeline: @unchecked Sendable {
    /// The film's events, in order. Unbounded, because events are rare and none may be lost. Ends with `close`.
    public let events: AsyncStream<MediaEvent>
    let news: AsyncStream<MediaEvent>.Continuation
    let worker = DispatchQueue(label: "vitrine.film", qos: .userInitiated)

    public let location: MediaLocation
    let pipeline: Element
    let source: FilmSource
    /// `nil` without a source.
    private(set) var linker: PadLinker?
    let video: VideoBranch
    let audio: AudioBranch
    let nextSink = NextSink()
    let failedPreroll = Atomic(false)

    // Worker only.
    let info: FilmInfo
    var seeks: FilmSeeks
    var teardown: FilmTeardown
    /// `nil` if the film is not preloaded, or no longer held.
    var prerollHold: PrerollHold?
    private(set) var isReady = false
    var isClosed = false
    private(set) var wantsPlaying = false
    var hasFailed = false
    var overload = Overload()
    var routing = SoundRouting()
    /// Missing plugins. GStreamer reports them before the error that they cause.
    var missing: [MediaFailure] = []
    /// Where the film begins. A place takes precedence over a time.
    private var start: (time: MediaTime?, place: StartPlace?)
    var busWatch: BusWatch?
    /// Counts as pending work of GStreamer, because any thread may release the last reference. The last property, so that it is
    /// released last.
    private let pendingWork = GStreamer.PendingWork()

    /// Builds the pipeline without opening anything. Any thread; may take 100 ms, because plugins are loaded.
    /// - Parameters:
    ///   - holdsPreroll: whether `preload` prepares the film while another one plays. For local films.
    ///   - spare: the spare sink of the film that plays.
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

    /// The video decoder; `nil` before there is one. Any thread, never blocks.
    public var decoder: VideoDecoder? { video.decoder.current }

    /// Whether this decoder is used only where the stream has no other one. Any thread, never blocks.
    public func isAvoided(_ decoder: VideoDecoder) -> Bool { video.decoder.isAvoided(decoder) }

    var hardwareDecoder: VideoDecoder? { decoder.flatMap { $0.isHardware ? $0 : nil } }

    // MARK: Commands

    /// Opens the film and shows its first frame, or the one at `time`. Then plays if `playing`. A preloaded film shows its
    /// waiting frame on the plane, which must be free, and continues with `takeCard`.
    public func open(at time: MediaTime?, from place: StartPlace? = nil, playing: Bool) {
        worker.async { [self] in
            guard !isClosed else { return }
            start = (time, place)
            wantsPlaying = playing
            teardown.hasPlane = true
            video.sink.expect(SeekRequest.initial)
            // The first frame that is shown must be the requested one.
            video.takePlane(isSeen: time == nil && place == nil)
            if prerollHold == nil {
                beginSound()
                watchBus()
                change(to: GST_STATE_PAUSED)
            } else if let screen = video.screen {
                nextSink.open(for: screen)
            }
            expectStart()
            expectFlow()
        }
    }

    /// Fails the film if its card hangs in the sound's format while the first frame is on the screen, or if a decoder has failed
    /// and no error is reported within a second.
    private func expectFlow(hasDecoderThatFailed: Bool = false) {
        worker.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self, !isReady, !hasFailed, !isClosed else { return }
            if audio.isStuck {
                let text = "\(location.name): the sound card takes no sound"
                return fail(MediaFailure(reason: .audioLost, message: text))
            }
            // Sources of a network go on without one of their streams.
            let failed = location.isLocal ? pipeline.decoderThatFailed : nil
            guard hasDecoderThatFailed, let failed else { return expectFlow(hasDecoderThatFailed: failed != nil) }
            let text = "\(location.name): Internal data stream error."
            var failure = missingPlugin ?? MediaFailure(reason: .broken, message: text, code: .streamFailed)
            if let decoder = hardwareDecoder, decoder.name == failed.factory {
                failure.decoder = decoder
                failure.needsOtherForm = failed.refusesFormat && video.decoder.isAskedForOtherForm
            }
            fail(failure)
        }
    }

    /// Fails a film that does not start. A file without an index can keep a demuxer searching silently. Network sources have
    /// their own time limits.
    private func expectStart() {
        guard location.isLocal else { return }
        // Loading libraries from a slow card can take as long.
        Self.whenLoaded { [weak self] in
            self?.worker.asyncAfter(deadline: .now() + .seconds(8)) { [weak self] in self?.failUnstarted() }
        }
    }

    private func failUnstarted() {
        guard !isReady, !hasFailed, !isClosed else { return }
        // The sound card keeps the film waiting.
        if let card = audio.card, card.isOpening || frames.shown > 0 {
            let text = "\(location.name): the sound card takes no sound within 8 s"
            return fail(MediaFailure(reason: .audioLost, message: text))
        }
        let text = "\(location.name): neither video nor sound within 8 s; the file is damaged or not a film"
        var failure = missingPlugin ?? MediaFailure(reason: .notMedia, message: text)
        // Otherwise the source is slow, and the decoder is not to blame.
        if isHeldByDecoder || frames.areTakenInVain(since: nil) { failure.decoder = hardwareDecoder }
        fail(failure)
    }

    /// Sets the wanted state. It is applied once the film is ready.
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

    /// Sets whether the film loops. A loop segment that began with an exact seek is followed by the next one without a flush, so
    /// that no frame is lost or shown twice. Its end is reported as `.passed`. Other segments end with `.endOfStream`.
    public func setLooping(_ looping: Bool) {
        worker.async { [self] in seeks.loop.isWanted = looping && location.isLocal }
    }

    /// Seeks. The answer is `.frame` with the request's ticket, then `.settled` once the sound has arrived; or `.seekFailed`. A
    /// seek that is replaced by a newer one is never answered.
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

    /// Sets the playback rate. It takes effect with the next seek that is not part of a drag.
    public func setRate(_ rate: PlaybackRate) {
        worker.async { [self] in seeks.rate = rate }
    }

    /// Sets volume and mute.
    public func setSound(_ sound: FilmOutput.Sound) {
        worker.async { [self] in audio.set(sound) }
    }

    /// Selects an audio track. It is heard after the next seek.
    public func selectAudio(_ number: Int) {
        worker.async { [self] in
            audio.select(.number(number), waits: isReady && mediaInfo.isSeekable && !mediaInfo.isLive)
            if isReady { update { $0.refresh(isReady: true) } }
        }
    }

    /// Takes the key frames that were found by reading the file, for later seeks.
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
            audio.input.valve.setDrop(scrubMuted)
        }
    }

    /// Keeps the film's frames off the plane, which shows something else. The frames count as shown. Waits for a frame that is on
    /// its way to the plane. Any thread that may wait.
    public func cover() { video.sink.cover() }

    /// Shows the newest frame on the plane again. Waits for its flip.
    public func uncover() { video.sink.uncover() }

    /// Requests one `.position`.
    /// - Parameter ofSound: whether to ask the sound's sink, if there is one. The video sink's time stands once the video has
    ///   ended. With GStreamer 1.26 it runs on without the sound.
    public func reportPosition(ofSound: Bool = false) {
        worker.async { [self] in
            guard !isClosed, isReady else { return }
            let place = (ofSound ? audio.sink?.position() : nil) ?? info.clockedSink?.position()
            if let time = place.flatMap({ mediaTime($0) }) { news.yield(.position(time)) }
        }
    }

    /// The last 256 frames that were shown, in order. Any thread, never blocks.
    public var recentFrames: [ShownFrame] { video.sink.recentFrames }

    /// The sink's counts since the pipeline was built. Any thread, never blocks.
    public var frames: FrameCount { FrameCount(video.sink, gate: video.gate, input: video.input.count) }

    /// Passes frames to the film's scrub sheet while the film plays, until the pipeline is freed. Any thread, never blocks.
    public func harvest(_ harvest: FrameHarvest) { video.harvest(harvest) }

    /// The number of buffers that have arrived at the audio decoder. Any thread, never blocks.
    public var soundInput: UInt64 { audio.input.count.arrived }

    /// Whether the decoder of the frames has not returned for a second from one that went in, and no decoded frame is on
    /// its way to the screen: any thread, never blocks. Always true of a decoder that is stuck.
    public var isHeldByDecoder: Bool { video.isHeldByDecoder }

    /// Blends the OSD surface into the shown frame and all later ones; `nil`: no surface. Waits for the plane's flip. Any thread
    /// that may wait. Only for an output that composes.
    /// - Returns: whether there is a shown frame.
    @discardableResult
    func show(_ surface: OSDSurface?) -> Bool { video.sink.show(surface) }

    // MARK: Worker

    func watchBus() {
        busWatch = pipeline.bus.map { BusWatch($0, on: worker) { [weak self] in self?.drainBus() } }
    }

    func change(to state: GstState) {
        // A command may arrive before the film's failure is handled.
        guard teardown.stage == .running else { return }
        if isReady { join(state) }
        debugLog(pipeline, "to \(String(cString: gst_element_state_get_name(state)))")
        let result = state == GST_STATE_PAUSED ? pause() : pipeline.set(state)
        if result == GST_STATE_CHANGE_NO_PREROLL {
            source.capabilities.isLiveSource = true
            info.becomeLive()
        }
        if result == GST_STATE_CHANGE_FAILURE, isReady {
            // The bus reports the reason later.
            news.yield(.warning("the pipeline refuses the state \(String(cString: gst_element_state_get_name(state)))"))
        }
        // A live source has no preroll, and delivers nothing before it plays.
        if mediaInfo.isLive, !isReady, state == GST_STATE_PAUSED { change(to: GST_STATE_PLAYING) }
    }

    /// Called once the pipeline has prerolled, or a live source has delivered.
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
            // The cover of a film without video does not answer the seek.
            if mediaInfo.hasVideo {
                video.sink.setPrerollHold(false)
            } else {
                video.sink.releasePreroll()
            }
            let initial = SeekRequest(ticket: SeekRequest.initial, target: start, method: .exact)
            if !mediaInfo.isSeekable || !seeks.perform(initial) {
                // The frame that was held back is gone; the next one is shown.
                _ = seeks.perform(SeekRequest(ticket: SeekRequest.initial, target: .zero, method: .advance))
                news.yield(.seekFailed(SeekRequest.initial))
            }
        }
        // A live film plays already.
        if wantsPlaying || mediaInfo.isLive { change(to: wantsPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED) }
        improveSound()
        // GStreamer does not report these chapters.
        if mediaInfo.chapters.isEmpty, let path = location.path { update { $0.learn(MP4Chapters.of(path)) } }
    }

    func drainBus() {
        while !isClosed, let message = pipeline.bus?.pop() { handle(message) }
    }
}

extension SeekRequest {
    /// The first frame of a film answers this one.
    public static let initial = Ticket(number: 0xFFFF_FFFF)
}
