internal import CGStreamer
internal import PlayerCore
internal import Synchronization

extension FilmPipeline {
    /// Turns a bus message into events. Worker only.
    func handle(_ message: Message) {
        let isOurs = message.isFrom(pipeline)
        switch message.content {
        case .element(let structure): handleElement(message, structure)
        case .application(let structure): handleApplication(message, structure)
        case .asyncDone where isOurs && prerollHold != nil: becomeFull()
        case .asyncDone where isOurs: if isReady { news.yield(.settled) } else if !mediaInfo.isLive { becomeReady() }
        case .stateChanged(let state) where isOurs:
            leadSecondSound()
            if let state = PipelineState(state) { news.yield(.state(state)) }
        case .durationChanged: if isReady { update { $0.refresh(isReady: true) } }
        case .tags(let tags): update { $0.learn(tags, from: message.sourceAddress) }
        // The table of contents that a demuxer has read. Each sink reports it.
        case .chapters(let chapters): update { $0.learn(chapters) }
        case .buffering(let percent): if !mediaInfo.isLive { news.yield(.buffering(percent: percent)) }
        case .latency:
            pipeline.recalculateLatency()
            leadSecondSound()
        // A sink or a decoder dropped a frame that was late.
        case .late: if message.isFrom(video.sink) { news.yield(.dropped) } else { decoderWasLate() }
        case .end where isOurs: news.yield(.endOfStream)
        // An earlier message named the missing plugin.
        case .warning(let report): if !report.isOfMissingPlugin { news.yield(.warning(discreet(report.text))) }
        // The window was closed. The sink's text is translated, so the code is compared: the sink has no other "not found".
        case .error(let report) where isInWindow && message.isFrom(video.sink) && report.code == .notFound:
            windowClosed()
        case .error(let report) where message.sourceName == SoundCard.elementName:
            // Errors of a replaced sink are ignored.
            if audio.isSink(message.source) { loseSound(failure(report, message)) }
        case .error(let report):
            var failure = failure(report, message)
            failure.decoder = blamed(for: report, message)
            failure.needsOtherForm =
                video.decoder.isAskedForOtherForm && (report.isOfNegotiation || failure.code == .negotiation)
            fail(failure)
        default: break
        }
    }

    private func handleElement(_ message: Message, _ structure: Structure) {
        switch structure.name {
        case "vitrine-frame":
            let decoding = video.gate.decodingTime
            func time(_ field: String) -> MediaTime? { mediaTime(structure.int64(field) ?? 0) }
            var frame = SeekFrame(
                ticket: .init(number: structure.uint("ticket") ?? 0), time: time("stream-time"), start: time("start"),
                duration: time("duration"), shownAt: MonotonicTime(nanoseconds: structure.int64("time") ?? 0),
                decodingTime: decoding > 0 ? .nanoseconds(decoding) : nil)
            frame.canPlayOn = seeks.beginPlaying(from: frame, structure)
            news.yield(.frame(frame))
        case "vitrine-sound-refused":
            loseSound(
                MediaFailure(reason: .audioLost, message: "\(location.name): the sound card refuses the film's sound"))
        case "vitrine-sound-ends":
            soundEnds(
                at: GstClockTime(structure.int64("end") ?? 0), place: structure.int64("place").flatMap { mediaTime($0) }
            )
        case "vitrine-loop-segment": seeks.loopSegmentEnded(structure.uint("seqnum") ?? 0)
        case "vitrine-scaling-refused": news.yield(.scalingRefused)
        default:
            if let offersRanges = structure.offersRanges {
                source.capabilities.offersRanges = offersRanges
            } else if let event = message.navigation {
                if let screen = video.screen,
                    let pointer = WindowPointer(event, width: screen.width, height: screen.height)
                {
                    news.yield(.pointer(pointer))
                }
            } else if let (detail, what) = message.missingPlugin {
                learnMissing(detail, what)
            }
        }
    }

    private func learnMissing(_ detail: String, _ what: String) {
        guard !MissingDecoder(detail).isOfData else { return debugLog(pipeline, "a track of data: \(what)") }
        let package = DebianPackage.having(installerDetail: detail)
        let remedy = package.map { ": sudo apt install \($0)" } ?? ""
        let text = "missing plugin: \(what)\(remedy)"
        missing.append(
            MediaFailure(reason: .missingPlugin(package: package), message: text, details: detail, code: .missingPlugin)
        )
        // If the film cannot be opened without it, the failure names it.
        if isReady { news.yield(.warning(text)) }
    }

    /// Fails a film with video tracks that no decoder can decode. GStreamer would play the sound alone, with at most a warning.
    private func checkVideo() {
        let isNeeded = { (failure: MediaFailure) in failure.details.map { MissingDecoder($0).isVideo } ?? false }
        if let number = missing.firstIndex(where: isNeeded) { fail(missingPlugin(number)) }
    }

    private func handleApplication(_ message: Message, _ structure: Structure) {
        switch structure.name {
        case "vitrine-has-video":
            update { $0.learnVideo(structure.caps("caps")?.videoInfo) }
            if mediaInfo.isLive { becomeReady() }
        case "vitrine-has-audio":
            info.learnSound()
            // Opens the second place in the background.
            improveSound()
        case "vitrine-has-no-video": checkVideo()
        case "vitrine-is-adaptive": source.capabilities.isAdaptive = true
        case "vitrine-is-multipart":
            // A source with a size is a recording. Others report -1.
            source.capabilities.isEndless = !location.isLocal && source.readingPlace().map { $0.size <= 0 } ?? true
            if source.capabilities.isEndless { info.becomeLive() }
        case "vitrine-stalls-in-loops": seeks.refuseLoops()
        case "vitrine-begins-at-key-frames": seeks.beginsAtKeyFrames = true
        case "vitrine-lands-anywhere": seeks.landsAnywhere = true
        case "vitrine-is-complete": if mediaInfo.isLive { becomeReady() }
        case LoopSegmentWatch.name: seeks.loopSegmentDecoding(message.seqnum)
        case TrackMessage.name: if let track = TrackMessage.track(in: structure) { update { $0.learn(track) } }
        case PadLinker.failure:
            var failure = PadLinker.failure(in: structure, of: location)
            if failure.reason == .cannotBuild {
                failure.decoder = hardwareDecoder
                failure.needsOtherForm = video.decoder.isAskedForOtherForm
            }
            fail(failure.reason == .notMedia ? missingPlugin ?? failure : failure)
        // GStreamer's tracers may post their own messages.
        default: break
        }
    }

    /// Changes the media info and reports it. Before the film is ready, `.ready` will report it.
    func update(_ change: (FilmInfo) -> Void) {
        let before = mediaInfo
        change(info)
        if isReady, mediaInfo != before { news.yield(.mediaInfo(mediaInfo)) }
    }

    /// Handles a frame that the decoder left out because it was late. If each frame depends on the one before, the decoder never
    /// catches up and leaves out all frames for ever. Then the sink stops reporting lateness to the decoder, and still shows one
    /// frame per second (gst_base_sink_is_too_late).
    private func decoderWasLate() {
        // Before, no frame is late: the decoder left it out for another reason.
        guard isReady else { return }
        let now = MonotonicTime(nanoseconds: Int64(g_get_monotonic_time()) * 1000)
        guard overload.observe(shown: frames.shown, at: now) else { return }
        video.sink.set("qos", to: false)
        news.yield(.warning("\(location.name): too much for this computer's processor, most frames are left out"))
    }

    // MARK: Errors

    /// Reports the first failure and stops the pipeline.
    func fail(_ failure: MediaFailure) {
        guard !hasFailed else { return }
        hasFailed = true
        if prerollHold != nil { failedPreroll.store(true, ordering: .releasing) }
        news.yield(.failed(failure))
        // The film may continue after the network returns, or with another decoder, so the last frame stays.
        if failure.reason == .network || failure.decoder != nil { teardown.freeze() } else { teardown.stop() }
    }

    /// The hardware decoder, if it failed or no format could be agreed on with it.
    private func blamed(for report: ErrorReport, _ message: Message) -> VideoDecoder? {
        guard let decoder = hardwareDecoder else { return nil }
        let isOfDecoder = message.source.flatMap { VideoDecoder(message.sourceName, of: $0.factoryClass) } != nil
        return isOfDecoder || report.isOfNegotiation ? decoder : nil
    }

    private var isInWindow: Bool {
        guard case .window? = video.screen?.sink else { return false }
        return true
    }

    private func windowClosed() {
        guard !hasFailed else { return }
        hasFailed = true
        news.yield(.windowClosed)
        teardown.stop()
    }

    /// The first missing plugin as a failure of this film.
    var missingPlugin: MediaFailure? {
        missing.isEmpty ? nil : missingPlugin(0)
    }

    private func missingPlugin(_ number: Int) -> MediaFailure {
        var failure = missing[number]
        failure.message = "\(location.name): \(failure.message)"
        return failure
    }

    private func failure(_ report: ErrorReport, _ message: Message) -> MediaFailure {
        let (code, element) = (report.code, message.sourceName)
        let isUnknown = report.isOfMissingPlugin || [.typeNotFound, .wrongType].contains(code)
        if isUnknown, location.isRemoteList {
            let text = "a list of films is not read from a server; copy it here, or name its films"
            return MediaFailure(reason: .remoteList, message: "\(location.name): \(text)", code: code)
        }
        // A page of HTML instead of the film, such as a portal's. No plugin decodes it.
        if isUnknown, missing.contains(where: { $0.details?.hasSuffix("|decoder-text/html") == true }) {
            let message = "\(location.name): this is a page of HTML, not a film"
            return MediaFailure(reason: .notMedia, message: message, details: report.debug, code: code)
        }
        // Errors of streams that no element accepts. Servers, files and sound cards have other errors.
        let isOfStreams = [.stream, .core].contains(code.domain)
        if var failure = missingPlugin, report.isOfMissingPlugin || !isReady && isOfStreams {
            failure.code = code
            return failure
        }
        let reason: MediaFailure.Reason =
            switch (code.domain, code) {
            case _ where element == SoundCard.elementName: .audioLost
            case _ where !location.isLocal: remoteReason(message, code)
            case (_, .notFound): .noSuchFile
            case (_, .notAuthorized): .noPermission
            case (_, .typeNotFound), (_, .wrongType): .notMedia
            case (.stream, _): .broken
            default: .other
            }
        if !location.isLocal { return remoteFailure(reason, report, from: element) }
        return MediaFailure(
            reason: reason, message: "\(location.name): Error received from element \(element): \(report.text)",
            details: report.debug, code: code)
    }
}

extension ErrorReport {
    /// No format was agreed on. The element that starts the stream reports it, whichever element refused.
    fileprivate var isOfNegotiation: Bool { debug?.contains("not-negotiated") == true }
}

extension PipelineState {
    init?(_ state: GstState) {
        switch state {
        case GST_STATE_NULL: self = .null
        case GST_STATE_READY: self = .ready
        case GST_STATE_PAUSED: self = .paused
        case GST_STATE_PLAYING: self = .playing
        default: return nil
        }
    }
}
