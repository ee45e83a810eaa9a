internal import CGStreamer
internal import CPictureSink
internal import PlayerCore
internal import Synchronization

/// Links the decoder's pads to the film's and the sound's branch as they appear.
///
/// Called on GStreamer's streaming threads, one at a time for one source, and once by the film's worker, while those threads
/// wait (`release`); what goes wrong is posted on the bus.
final class PadLinker {
    /// Borrowed: it lives as long as the film, which owns this object.
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let video: VideoBranch
    private let audio: AudioBranch
    private let texts: @Sendable (Int, Cue) -> Void
    private let passes: PassWatch
    private let lateStart: LateStart
    /// Video tracks, until all of a decoder's pads are there; where a source has several decoders, as RTSP, each has a thread. Their
    /// pads by their addresses.
    private struct Film {
        var hasVideo = false
        var candidates: [UInt] = []
    }
    private let film = Mutex(Film())
    private var hasVideo: Bool { film.withLock(\.hasVideo) }
    private var counts: [MediaCharacteristic: Int] = [:]
    private var isComplete = false
    /// The demuxer may begin in the middle of a group.
    private var awaitsKeyFrames = false
    private var outlets = PadOutlets()
    private let hold: PadHold
    private var hasAudio: Bool { counts[.audible] != nil && !audio.isSilent }

    /// - Parameters:
    ///   - isHeld: pads wait for `release`, but for the pictures', whose sink is veiled.
    ///   - texts: is told subtitles, by their track's number, on streaming threads.
    init(
        pipeline: UnsafeMutablePointer<GstElement>, video: VideoBranch, audio: AudioBranch, passes: PassWatch,
        lateStart: LateStart, isHeld: Bool = false, texts: @escaping @Sendable (Int, Cue) -> Void
    ) {
        self.pipeline = pipeline
        self.video = video
        self.audio = audio
        self.passes = passes
        self.lateStart = lateStart
        self.texts = texts
        hold = PadHold(isHolding: isHeld)
    }

    /// Links what waited, all of whose pads are there.
    /// - Returns: whether the pipeline waits for what came of it.
    func release(_ source: UnsafeMutablePointer<GstElement>) -> Bool {
        var waits = false
        hold.release {
            link($0)
        } whenLinked: {
            complete(source)
            // Asked before things flow.
            waits = gst_element_get_state(pipeline, nil, nil, 0) == GST_STATE_CHANGE_ASYNC
        }
        return waits
    }

    func link(_ pad: UnsafeMutablePointer<GstPad>) {
        let kind = Self.kind(of: pad)
        let mayFlow = kind == "video" && video.isVeiled
        if !mayFlow, hold.take(pad) { return }
        // A stream that comes in another bitrate comes by another pad.
        if let kind, outlets.reuse(pad, kind) {
            guard kind == "video" else { return }
            announce("vitrine-has-video", pad)
            return watchSize(of: pad)
        }
        if kind == "video" {
            film.withLock { $0.candidates.append(UInt(bitPattern: pad)) }
            return
        }
        defer { outlets.note(pad, kind) }
        do throws(MediaFailure) {
            switch kind {
            case "audio":
                let track = announceTrack(.audible, pad)
                guard !audio.isSilent else { break }
                try audio.link(pad, track, in: pipeline)
                passes.watch(pad, in: pipeline)
                if track.number == 1 { announce("vitrine-has-audio", pad) }
            case "text": try TextTap.link(pad, announceTrack(.legible, pad), in: pipeline, to: texts)
            default: break
            }
        } catch {
            post(error)
        }
    }

    /// Links the video track that is the film, once all of a decoder's pads are there and before anything flows. The others are
    /// not decoded.
    func linkFilm() {
        let (taken, isFirst) = film.withLock { film in
            let taken = film.candidates
            let isFirst = !film.hasVideo && !taken.isEmpty
            film = Film(hasVideo: film.hasVideo || isFirst)
            return (taken, isFirst)
        }
        var others = taken.compactMap { UnsafeMutablePointer<GstPad>(bitPattern: $0) }
        if isFirst, let best = PictureTrack.best(of: others.map { Pad(sharing: $0) })?.raw {
            do throws(MediaFailure) {
                try video.link(best, in: pipeline)
                passes.watch(best, in: pipeline)
                announce("vitrine-has-video", best)
                watchSize(of: best)
            } catch {
                post(error)
            }
            outlets.note(best, "video")
            others.removeAll { $0 == best }
        }
        for pad in others {
            let entry = decoderEntry(of: pad)
            vitrine_pad_shut(entry)
            gst_object_unref(entry)
            outlets.note(pad, "video")
        }
    }

    func forget(_ pad: UnsafeMutablePointer<GstPad>) {
        film.withLock { $0.candidates.removeAll { $0 == UInt(bitPattern: pad) } }
        hold.forget(pad)
        outlets.release(pad)
    }

    /// Puts probes before a decoder as it appears, and tells what kind of demuxer does; of some it watches where they begin.
    func guardDecoder(_ element: UnsafeMutablePointer<GstElement>) {
        guard let factory = gst_element_get_factory(element) else { return }
        let klass = gst_element_factory_get_metadata(factory, "klass").map { String(cString: $0) } ?? ""
        if klass.contains("Adaptive") { Self.announce("vitrine-is-adaptive", nil, on: pipeline) }
        let name = takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory)))
        if let name, SegmentLoop.stalls(name) { Self.announce("vitrine-stalls-in-loops", nil, on: pipeline) }
        if let name, LateStart.isNeeded(by: name) { lateStart.watch(element) }
        if let name, SeekNumber.isNeeded(by: name) { SeekNumber.keep(of: element) }
        if name == "multipartdemux" {
            showAtOnce(Element(sharing: element))
            Self.announce("vitrine-is-multipart", nil, on: pipeline)
        }
        if name == "flvdemux" { Self.announce("vitrine-begins-at-key-frames", nil, on: pipeline) }
        if name == "decodebin" { linkFilmOnceExposed(by: element) }
        if let name, LateStart.landsAnywhere(name) {
            awaitsKeyFrames = true
            Self.announce("vitrine-lands-anywhere", nil, on: pipeline)
        }
        guard Self.isDecoder(klass), !isPart(element), let pad = gst_element_get_static_pad(element, "sink") else {
            return
        }
        if klass.contains("Audio") {
            audio.input.attach(to: pad)
        } else {
            video.input.attach(to: pad, awaitsKeyFrames: awaitsKeyFrames)
        }
        gst_object_unref(pad)
        if let name, FrameTimes.areNeeded(by: name) { FrameTimes.keep(of: element) }
    }

    private static func isDecoder(_ klass: String) -> Bool {
        klass.contains("Decoder") && (klass.contains("Audio") || klass.contains("Video"))
    }

    /// Whether it decodes within another decoder: that of frames with alpha has one for the colours and one for the alpha.
    private func isPart(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
        guard let parent = gst_object_get_parent(element.cast(to: GstObject.self)) else { return false }
        defer { gst_object_unref(parent) }
        let bin = UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)
        guard let factory = gst_element_get_factory(bin),
            let klass = gst_element_factory_get_metadata(factory, "klass")
        else { return false }
        return Self.isDecoder(String(cString: klass))
    }

    /// Of several sources, as RTSP's streams are, each tells when its own pads are there: none waits for one that is silent.
    private func linkFilmOnceExposed(by decoder: UnsafeMutablePointer<GstElement>) {
        let exposed: @convention(c) (UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = { _, data in
            guard let data else { return }
            Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().linkFilm()
        }
        g_signal_connect_data(
            decoder, "no-more-pads", unsafeBitCast(exposed, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(),
            { data, _ in Unmanaged<PadLinker>.fromOpaque(data!).release() }, .init(rawValue: 0))
    }

    /// The name of the sink that sound goes to where there is no card.
    static let silence = "silence"
    /// The message on the bus that tells what went wrong.
    static let failure = "vitrine-cannot-link"

    /// All pads are known. Sound alone without a card still needs a clock to play by; nothing at all is an error.
    func complete(_ source: UnsafeMutablePointer<GstElement>) {
        linkFilm()
        if Self.pad(of: source, "video") == nil { Self.announce("vitrine-has-no-video", nil, on: pipeline) }
        guard !isComplete, !hold.isHolding else { return }
        isComplete = true
        defer { Self.announce("vitrine-is-complete", nil, on: pipeline) }
        if !hasAudio { audio.card?.releaseLater() }
        if !hasVideo, let sound = Self.pad(of: source, "audio"), !addCover(of: sound) { awaitCover(of: sound) }
        guard !hasVideo, !hasAudio else { return }
        do throws(MediaFailure) {
            guard let silent = Self.pad(of: source, "audio") else {
                throw MediaFailure(
                    reason: .notMedia, message: "there is neither film nor sound in it", code: .wrongType)
            }
            let sink = try makeElement("fakesink", name: Self.silence)
            setProperty(sink, "sync", to: true)
            gst_bin_add(pipeline.cast(to: GstBin.self), sink)
            gst_element_sync_state_with_parent(sink)
            let entry = gst_element_get_static_pad(sink, "sink")
            gst_pad_link(silent, entry)
            gst_object_unref(entry)
            outlets.note(silent, "audio")
            announce("vitrine-has-audio", silent)
        } catch {
            post(error)
        }
    }

    /// Tags may come with a sound's first samples: FLAC's do.
    private func awaitCover(of sound: UnsafeMutablePointer<GstPad>) {
        gst_pad_add_probe(
            sound, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { pad, info, data in
                guard let pad, let data, let event = gst_pad_probe_info_get_event(info),
                    event.pointee.type == GST_EVENT_TAG
                else { return GST_PAD_PROBE_OK }
                let isThere = Unmanaged<PadLinker>.fromOpaque(data).takeUnretainedValue().addCover(of: pad)
                return isThere ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<PadLinker>.fromOpaque($0!).release() })
    }

    /// Shows a sound's cover while it plays.
    /// - Returns: whether it has one.
    private func addCover(of sound: UnsafeMutablePointer<GstPad>) -> Bool {
        do throws(MediaFailure) {
            guard let coded = Cover.coded(in: sound) else { return false }
            defer { gst_sample_unref(coded) }
            // A damaged one is not tried again.
            guard let pad = try Cover.pad(of: coded, in: pipeline) else { return true }
            defer { gst_object_unref(pad) }
            try video.link(pad, in: pipeline)
            // The end is the sound's: a seek, which passes the cover by, has the pipeline forget that the cover has ended.
            g_mutex_lock(&video.sink.pointee.object.lock)
            video.sink.pointee.object.flags &= ~GST_ELEMENT_FLAG_SINK.rawValue
            g_mutex_unlock(&video.sink.pointee.object.lock)
            if let source = gst_pad_get_parent_element(pad) {
                gst_element_sync_state_with_parent(source)
                gst_object_unref(source)
            }
        } catch {
            post(error)
        }
        return true
    }

    /// The source's first pad of a kind.
    private static func pad(
        of source: UnsafeMutablePointer<GstElement>, _ kind: String
    ) -> UnsafeMutablePointer<GstPad>? {
        guard let pads = gst_element_iterate_src_pads(source) else { return nil }
        defer { gst_iterator_free(pads) }
        var (item, found) = (GValue(), UnsafeMutablePointer<GstPad>?.none)
        while found == nil, gst_iterator_next(pads, &item) == GST_ITERATOR_OK {
            let pad = g_value_get_object(&item).map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstPad.self) }
            if let pad, Self.kind(of: pad) == kind { found = pad }
            g_value_unset(&item)
        }
        return found
    }

    /// The next track of its kind. Its tags may come later, or change.
    private func announceTrack(_ kind: MediaCharacteristic, _ pad: UnsafeMutablePointer<GstPad>) -> MediaOption {
        let number = (counts[kind] ?? 0) + 1
        counts[kind] = number
        let track = MediaOption(kind: kind, number: number, pad)
        TrackMessage.post(track, on: pipeline)
        TrackMessage.watch(pad, kind, number, in: pipeline)
        return track
    }

    /// Tells the pictures' size again whenever it changes (M13).
    private func watchSize(of pad: UnsafeMutablePointer<GstPad>) {
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                guard let event = gst_pad_probe_info_get_event(info), event.pointee.type == GST_EVENT_CAPS, let data
                else { return GST_PAD_PROBE_OK }
                var caps: UnsafeMutablePointer<GstCaps>?
                gst_event_parse_caps(event, &caps)
                PadLinker.announce("vitrine-has-video", caps, on: data.assumingMemoryBound(to: GstElement.self))
                return GST_PAD_PROBE_OK
            }, pipeline, nil)
    }

    private static func kind(of pad: UnsafeMutablePointer<GstPad>) -> String? {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0, let name = gst_structure_get_name(gst_caps_get_structure(caps, 0)) else {
            return nil
        }
        if TextTap.isUnnamed(caps) { return "text" }
        return String(cString: name).split(separator: "/").first.map(String.init)
    }

    private func announce(_ name: String, _ pad: UnsafeMutablePointer<GstPad>) {
        let caps = gst_pad_get_current_caps(pad)
        Self.announce(name, caps, on: pipeline)
        if let caps { gst_caps_unref(caps) }
    }

    private static func announce(
        _ name: String, _ caps: UnsafeMutablePointer<GstCaps>?, on pipeline: UnsafeMutablePointer<GstElement>
    ) {
        let source = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
        let structure = gst_structure_new_empty(name)
        if let caps {
            var value = GValue()
            g_value_init(&value, gst_caps_get_type())
            g_value_set_boxed(&value, caps)
            gst_structure_set_value(structure, "caps", &value)
            g_value_unset(&value)
        }
        gst_element_post_message(pipeline, gst_message_new_application(source, structure))
    }

    private static func words(for reason: MediaFailure.Reason) -> (String, package: String?) {
        switch reason {
        case .notMedia: ("not-media", nil)
        case .missingPlugin(let package): ("missing-plugin", package)
        default: ("cannot-build", nil)
        }
    }

    /// What went wrong, as the message `failure` tells it.
    static func failure(in structure: UnsafePointer<GstStructure>, of location: MediaLocation) -> MediaFailure {
        func text(_ field: String) -> String? { gst_structure_get_string(structure, field).map { String(cString: $0) } }
        let (reason, code): (MediaFailure.Reason, GStreamerCode) =
            switch text("reason") {
            case "not-media": (.notMedia, .wrongType)
            case "missing-plugin": (.missingPlugin(package: text("package")), .missingPlugin)
            default: (.cannotBuild, .pad)
            }
        return MediaFailure(reason: reason, message: "\(location.name): \(text("message") ?? "")", code: code)
    }

    private func post(_ failure: MediaFailure) {
        let source = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self)
        let structure = gst_structure_new_empty(Self.failure)
        let (name, package) = Self.words(for: failure.reason)
        for (field, text) in ["message": failure.message, "reason": name, "package": package] {
            guard let text else { continue }
            var value = GValue()
            g_value_init(&value, FundamentalType.string)
            g_value_set_string(&value, text)
            gst_structure_set_value(structure, field, &value)
            g_value_unset(&value)
        }
        gst_element_post_message(pipeline, gst_message_new_application(source, structure))
    }
}
