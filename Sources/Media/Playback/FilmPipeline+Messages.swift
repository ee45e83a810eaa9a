internal import CGStreamer
internal import CPictureSink
internal import PlayerCore
internal import Synchronization

extension FilmPipeline {
    /// Turns one bus message into news. Worker only.
    func handle(_ message: UnsafeMutablePointer<GstMessage>) {
        let isOurs = message.pointee.src == pipeline.cast(to: GstObject.self)
        switch message.pointee.type {
        case GST_MESSAGE_ELEMENT: handleElement(message)
        case GST_MESSAGE_APPLICATION: handleApplication(message)
        case GST_MESSAGE_ASYNC_DONE where isOurs && hold != nil: becomeFull()
        case GST_MESSAGE_ASYNC_DONE where isOurs:
            if isReady { news.yield(.settled) } else if !facts.isLive { becomeReady() }
        case GST_MESSAGE_STATE_CHANGED where isOurs:
            var (old, new, pending) = (GST_STATE_NULL, GST_STATE_NULL, GST_STATE_NULL)
            gst_message_parse_state_changed(message, &old, &new, &pending)
            if let state = PipelineState(new) { news.yield(.state(state)) }
        case GST_MESSAGE_DURATION_CHANGED:
            if isReady { tellFacts() }
        case GST_MESSAGE_TAG: handleTags(message)
        case GST_MESSAGE_TOC: readChapters(message)
        case GST_MESSAGE_BUFFERING:
            var percent: gint = 0
            gst_message_parse_buffering(message, &percent)
            if !facts.isLive { news.yield(.buffering(percent: Int(percent))) }
        case GST_MESSAGE_CLOCK_LOST:
            // The clock's provider went away; a new one is chosen on the way up (M12).
            if wantsPlaying {
                change(to: GST_STATE_PAUSED)
                change(to: GST_STATE_PLAYING)
            }
        case GST_MESSAGE_LATENCY: gst_bin_recalculate_latency(pipeline.cast(to: GstBin.self))
        // The sink's word that a picture came too late for the screen.
        case GST_MESSAGE_QOS where message.pointee.src == video.sink.cast(to: GstObject.self): news.yield(.dropped)
        case GST_MESSAGE_QOS: decoderWasLate()
        case GST_MESSAGE_EOS where isOurs: news.yield(.endOfStream)
        case GST_MESSAGE_WARNING: handleWarning(message)
        case GST_MESSAGE_ERROR where isWindowClosed(message): windowClosed()
        case GST_MESSAGE_ERROR: fail(failure(of: message))
        default: break
        }
    }

    private func handleWarning(_ message: UnsafeMutablePointer<GstMessage>) {
        let (domain, code, text, _) = parse(message, gst_message_parse_warning)
        // A message of what is missing, and with what package it comes, was there before.
        guard !isMissingPlugin(domain, code) else { return }
        news.yield(.warning(discreet(text)))
    }

    private func handleElement(_ message: UnsafeMutablePointer<GstMessage>) {
        guard let structure = gst_message_get_structure(message) else { return }
        if gst_structure_has_name(structure, "vitrine-picture") != 0 {
            let decoding = vitrine_frame_gate_decoding_time(video.gate)
            let decodingTime: Duration? = decoding > 0 ? .nanoseconds(decoding) : nil
            var ticket: guint = 0
            var (time, start, duration, shown) = (gint64(0), gint64(0), gint64(0), gint64(0))
            gst_structure_get_uint(structure, "ticket", &ticket)
            gst_structure_get_int64(structure, "stream-time", &time)
            gst_structure_get_int64(structure, "start", &start)
            gst_structure_get_int64(structure, "duration", &duration)
            gst_structure_get_int64(structure, "time", &shown)
            var picture = Picture(
                ticket: .init(number: ticket), time: mediaTime(Int64(time)), start: mediaTime(Int64(start)),
                duration: mediaTime(Int64(duration)), shownAt: MonotonicTime(nanoseconds: Int64(shown)),
                decodingTime: decodingTime)
            picture.canPlayOn = beginPlaying(from: picture, structure)
            news.yield(.picture(picture))
        } else if gst_structure_has_name(structure, "vitrine-pass") != 0 {
            var seqnum: guint = 0
            gst_structure_get_uint(structure, "seqnum", &seqnum)
            passEnded(seqnum)
        } else if gst_structure_has_name(structure, "vitrine-scaling-refused") != 0 {
            news.yield(.scalingRefused)
        } else if let offersRanges = Structure(structure)?.offersRanges {
            delivery.offersRanges = offersRanges
        } else if gst_navigation_message_get_type(message) == GST_NAVIGATION_MESSAGE_EVENT {
            handleNavigation(message)
        } else if gst_is_missing_plugin_message(message) != 0 {
            learnMissing(message)
        }
    }

    private func learnMissing(_ message: UnsafeMutablePointer<GstMessage>) {
        let detail = takeString(gst_missing_plugin_message_get_installer_detail(message)) ?? ""
        let what = takeString(gst_missing_plugin_message_get_description(message)) ?? "a plugin"
        guard !MissingDecoder(detail).isOfData else { return debugLog(pipeline, "a track of data: \(what)") }
        let package = DebianPackage.having(installerDetail: detail)
        let remedy = package.map { ": sudo apt install \($0)" } ?? ""
        let text = "missing plugin: \(what)\(remedy)"
        missing.append(
            MediaFailure(reason: .missingPlugin(package: package), message: text, details: detail, code: .missingPlugin)
        )
        // A film that cannot be opened for it tells the reason itself.
        if isReady { news.yield(.warning(text)) }
    }

    /// Sound alone is not the film that was asked for, where nothing decodes any of its video tracks. GStreamer has a warning
    /// for it at most.
    private func checkPictures() {
        let isNeeded = { (failure: MediaFailure) in failure.details.map { MissingDecoder($0).isOfPictures } ?? false }
        if let number = missing.firstIndex(where: isNeeded) { fail(missingPlugin(number)) }
    }

    private func handleApplication(_ message: UnsafeMutablePointer<GstMessage>) {
        guard let structure = gst_message_get_structure(message) else { return }
        switch String(cString: gst_structure_get_name(structure)) {
        case "vitrine-has-video":
            let before = facts
            facts.hasVideo = true
            if let caps = caps(in: structure) {
                readSize(caps)
                gst_caps_unref(caps)
            }
            if isReady, facts != before { news.yield(.facts(facts)) }
            if facts.isLive { becomeReady() }
        case "vitrine-has-audio": facts.hasAudio = true
        case "vitrine-has-no-video": checkPictures()
        case "vitrine-is-adaptive": delivery.isAdaptive = true
        case "vitrine-is-multipart":
            // What has a size is a recording. A source without one answers with -1.
            delivery.isEndless = !location.isLocal && readingPlace().map { $0.size <= 0 } ?? true
            if delivery.isEndless { facts.isLive = true }
        case "vitrine-stalls-in-loops": loop.isRefused = true
        case "vitrine-begins-at-key-frames": beginsAtKeyFrames = true
        case "vitrine-lands-anywhere": landsAnywhere = true
        case "vitrine-is-complete": if facts.isLive { becomeReady() }
        case PassWatch.name: passDecoding(gst_message_get_seqnum(message))
        case TrackMessage.name:
            if let track = TrackMessage.track(in: structure) { learn(track) }
        case PadLinker.failure:
            let failure = PadLinker.failure(in: structure, of: location)
            fail(failure.reason == .notMedia ? missingPlugin ?? failure : failure)
        // Whoever looks on, a tracer of GStreamer's, may post messages of its own.
        default: break
        }
    }

    private func learn(_ track: MediaOption) {
        if let place = facts.tracks.firstIndex(where: { $0.kind == track.kind && $0.number == track.number }) {
            guard facts.tracks[place] != track else { return }
            facts.tracks[place] = track
        } else {
            facts.tracks.append(track)
        }
        facts.heardTrack = audio.number
        if isReady { news.yield(.facts(facts)) }
    }

    private func caps(in structure: UnsafePointer<GstStructure>) -> UnsafeMutablePointer<GstCaps>? {
        guard let value = gst_structure_get_value(structure, "caps"), let boxed = g_value_get_boxed(value) else {
            return nil
        }
        return gst_caps_ref(boxed.assumingMemoryBound(to: GstCaps.self))
    }

    /// The film's size in square pixels, upright, and how long a picture stands (M13).
    private func readSize(_ caps: UnsafeMutablePointer<GstCaps>) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return }
        (facts.codedWidth, facts.codedHeight) = (Int(info.width), Int(info.height))
        facts.orientation = video.upright
        let width = Int(info.width) * Int(info.par_n) / max(Int(info.par_d), 1)
        (facts.width, facts.height) = facts.orientation.size(width: width, height: Int(info.height))
        if let length = MediaTime(value: Int64(info.fps_d), timescale: Int64(info.fps_n), rounding: .down) {
            // Longer ones are a damaged header's.
            facts.frameDuration = length <= .seconds(3600) ? length : nil
        }
    }

    /// Asks the pipeline what only it knows. Worker only.
    func refreshFacts() {
        facts.heardTrack = audio.number
        // Its demuxer answers only between two downloads.
        guard !facts.isLive || !isReady || !delivery.isAdaptive else { return }
        var duration: gint64 = -1
        if gst_element_query_duration(pipeline, GST_FORMAT_TIME, &duration) != 0 {
            facts.duration = mediaTime(Int64(duration))
        }
        if let least = leastDuration { facts.duration = isJoined ? least : max(facts.duration ?? .zero, least) }
        // What was live stays so.
        if delivery.isLive(lasting: facts.duration) { facts.isLive = true }
        // A server may give the length of what it sends again and again.
        if facts.isLive { facts.duration = nil }
        let query = gst_query_new_seeking(GST_FORMAT_TIME)
        defer { gst_query_unref(query) }
        if withClockedSink({ gst_element_query($0, query) != 0 }) {
            var seekable: gboolean = 0
            gst_query_parse_seeking(query, nil, &seekable, nil, nil)
            facts.isSeekable = !facts.isLive && !isJoined && delivery.isSeekable(seekable != 0, lasting: facts.duration)
        }
        setReadAhead()
    }

    func tellFacts() {
        let old = facts
        refreshFacts()
        if facts != old { news.yield(.facts(facts)) }
    }

    private func handleTags(_ message: UnsafeMutablePointer<GstMessage>) {
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_message_parse_tag(message, &tags)
        guard let tags else { return }
        defer { gst_tag_list_unref(tags) }
        let before = facts
        let stream = gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_GLOBAL ? nil : UInt(bitPattern: message.pointee.src)
        metadata.learn(of: stream) { tagText($0, in: tags) }
        // A track's is none of the film's, but where it is all there is: MP3 and Ogg.
        let isAlone = facts.tracks.count == 1 && !facts.hasVideo
        if let title = tagText(GST_TAG_TITLE, in: tags), isAlone || !facts.tracks.contains(where: { $0.title == title })
        {
            facts.title = title
            metadata.title = title
        }
        facts.metadata = metadata.texts
        if let codec = tagText(GST_TAG_VIDEO_CODEC, in: tags) { facts.videoCodec = codec }
        if isReady, facts != before { news.yield(.facts(facts)) }
    }

    // MARK: Errors

    /// Told once; the pipeline goes to NULL, so that nothing of it goes on (T4).
    func fail(_ failure: MediaFailure) {
        guard !hasFailed else { return }
        hasFailed = true
        if hold != nil { failedHeld.store(true, ordering: .releasing) }
        news.yield(.failed(failure))
        // It may be back in a moment.
        if failure.reason == .network { freeze() } else { stop() }
    }

    private var isInWindow: Bool {
        guard case .window? = video.screen?.sink else { return false }
        return true
    }

    /// Told as an error by the sink, whose words are translated; nothing else of it is "not found".
    private func isWindowClosed(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
        guard isInWindow, message.pointee.src == video.sink.cast(to: GstObject.self) else { return false }
        let (domain, code, _, _) = parse(message, gst_message_parse_error)
        return domain == gst_resource_error_quark() && code == Int32(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)
    }

    private func windowClosed() {
        guard !hasFailed else { return }
        hasFailed = true
        news.yield(.windowClosed)
        stop()
    }

    private typealias Parser = (
        UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
        UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    ) -> Void

    private func parse(
        _ message: UnsafeMutablePointer<GstMessage>, _ parser: Parser
    ) -> (domain: GQuark, code: Int32, text: String, debug: String?) {
        var error: UnsafeMutablePointer<GError>?
        var debug: UnsafeMutablePointer<gchar>?
        parser(message, &error, &debug)
        defer { g_clear_error(&error) }
        let text = error.map { String(cString: $0.pointee.message) } ?? "unknown"
        return (error?.pointee.domain ?? 0, Int32(error?.pointee.code ?? 0), text, takeString(debug))
    }

    /// What the film cannot be opened without, as far as is known.
    var missingPlugin: MediaFailure? {
        missing.isEmpty ? nil : missingPlugin(0)
    }

    private func missingPlugin(_ number: Int) -> MediaFailure {
        var failure = missing[number]
        failure.message = "\(location.name): \(failure.message)"
        return failure
    }

    /// As decodebin and uridecodebin tell it.
    private func isMissingPlugin(_ domain: GQuark, _ code: Int32) -> Bool {
        domain == gst_core_error_quark() && code == Int32(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)
            || domain == gst_stream_error_quark() && code == Int32(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue)
    }

    /// What comes of streams that nobody takes. Servers, files and sound cards have errors of their own.
    private func isOfStreams(_ domain: GQuark) -> Bool {
        domain == gst_stream_error_quark() || domain == gst_core_error_quark()
    }

    private func failure(of message: UnsafeMutablePointer<GstMessage>) -> MediaFailure {
        let (domain, code, text, debug) = parse(message, gst_message_parse_error)
        let number = GStreamerCode(domain: .init(quark: String(cString: g_quark_to_string(domain))), number: code)
        let element = message.pointee.src.flatMap { takeString(gst_object_get_name($0)) } ?? "?"
        let isUnknown =
            isMissingPlugin(domain, code)
            || domain == gst_stream_error_quark()
                && [GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE].contains {
                    Int32($0.rawValue) == code
                }
        if isUnknown, location.isRemoteList {
            let text = "a list of films is not read from a server; copy it here, or name its films"
            return MediaFailure(reason: .remoteList, message: "\(location.name): \(text)", code: number)
        }
        // A page in the film's place, such as a portal's. No plugin decodes it.
        if isUnknown, missing.contains(where: { $0.details?.hasSuffix("|decoder-text/html") == true }) {
            let message = "\(location.name): this is a page of HTML, not a film"
            return MediaFailure(reason: .notMedia, message: message, details: debug, code: number)
        }
        if var failure = missingPlugin, isMissingPlugin(domain, code) || !isReady && isOfStreams(domain) {
            failure.code = number
            return failure
        }
        let reason: MediaFailure.Reason =
            switch (domain, code) {
            case _ where element == "sound": .audioLost
            case _ where !location.isLocal: remoteReason(message, domain, code)
            case (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)): .noSuchFile
            case (gst_resource_error_quark(), Int32(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue)): .noPermission
            case (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue)),
                (gst_stream_error_quark(), Int32(GST_STREAM_ERROR_WRONG_TYPE.rawValue)):
                .notMedia
            case (gst_stream_error_quark(), _): .broken
            default: .other
            }
        if !location.isLocal { return remoteFailure(reason, message, element, text, debug, number) }
        return MediaFailure(
            reason: reason, message: "\(location.name): Error received from element \(element): \(text)",
            details: debug,
            code: number)
    }
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
