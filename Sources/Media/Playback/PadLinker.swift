internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Links the decoder's pads to the film's and the sound's branch as they appear.
///
/// Called on GStreamer's streaming threads, one at a time for one source, and once by the film's worker, while those
/// threads wait (`release`); errors are posted on the bus.
///
/// `@unchecked Sendable` because only one of these threads runs at a time, and state that several may use at once is
/// locked.
final class PadLinker: @unchecked Sendable {
    /// The pipeline lives as long as the film, which owns this object, and its signals hold this object.
    private unowned let pipeline: Element
    private let video: VideoBranch
    private let audio: AudioBranch
    private let news: @Sendable (MediaEvent) -> Void
    private let loopSegments: LoopSegmentWatch
    private let segmentStartFix: SegmentStartFix
    /// The video tracks, until all of a decoder's pads are there; a source with several decoders, as RTSP, has a thread
    /// for each.
    private struct Film {
        var hasVideo = false
        var candidates: [Pad] = []
    }
    private let film = Mutex(Film())
    private var hasVideo: Bool { film.withLock(\.hasVideo) }
    private var counts: [MediaCharacteristic: Int] = [:]
    private var isComplete = false
    /// Whether the demuxer may start in the middle of a group.
    private var awaitsKeyFrames = false
    private var outlets = PadOutlets()
    private let block: PadBlock
    private var hasAudio: Bool { counts[.audible] != nil && !audio.isSilent }

    /// - Parameters:
    ///   - holdsPreroll: whether pads wait for `release`, except for the video's, whose sink holds the first frame
    ///     back.
    ///   - news: called with subtitles and closed captions, on streaming threads.
    init(
        pipeline: Element, video: VideoBranch, audio: AudioBranch, loopSegments: LoopSegmentWatch,
        segmentStartFix: SegmentStartFix,
        holdsPreroll: Bool = false, news: @escaping @Sendable (MediaEvent) -> Void
    ) {
        self.pipeline = pipeline
        self.video = video
        self.audio = audio
        self.loopSegments = loopSegments
        self.segmentStartFix = segmentStartFix
        self.news = news
        block = PadBlock(isBlocking: holdsPreroll)
    }

    /// Links the waiting pads, once all of them are there.
    /// - Returns: whether the pipeline waits for the new sinks.
    func release(_ source: Element) -> Bool {
        var waits = false
        block.release {
            link($0)
        } whenLinked: {
            complete(source)
            // Queried before data flows.
            waits = pipeline.state.result == GST_STATE_CHANGE_ASYNC
        }
        return waits
    }

    /// The formats of the blocked audio pads.
    var blockedSounds: [Caps] { block.pads.filter { Self.kind(of: $0) == "audio" }.compactMap(\.currentCaps) }

    func link(_ pad: Pad) {
        let kind = Self.kind(of: pad)
        let mayFlow = kind == "video" && video.holdsFirstFrame
        if !mayFlow, block.take(pad) { return }
        // A stream that changes its bitrate gets another pad.
        if let kind, outlets.reuse(pad, kind) {
            guard kind == "video" else { return }
            // Another codec has another decoder.
            if pad.peer != nil, let decoder = pad.decoder { video.decoder.took(decoder) }
            return announceFilm(at: pad)
        }
        if kind == "video" {
            return film.withLock { $0.candidates.append(pad) }
        }
        defer { outlets.note(pad, kind) }
        do throws(MediaFailure) {
            switch kind {
            case "audio":
                let track = announceTrack(.audible, pad)
                guard !audio.isSilent else { break }
                try audio.link(pad, track, in: pipeline)
                loopSegments.watch(pad, in: pipeline)
                if track.number == 1 { pipeline.post("vitrine-has-audio") }
            case "text": try TextTap.link(pad, announceTrack(.legible, pad), in: pipeline, to: news)
            default: break
            }
        } catch {
            post(error)
        }
    }

    /// Links the video track that is the film, once all of a decoder's pads are there and before data flows. The others
    /// are not decoded.
    func linkFilm() {
        var (others, isFirst) = film.withLock { film in
            let taken = film.candidates
            let isFirst = !film.hasVideo && !taken.isEmpty
            film = Film(hasVideo: film.hasVideo || isFirst)
            return (taken, isFirst)
        }
        if isFirst, let best = VideoTrack.best(of: others) {
            do throws(MediaFailure) {
                try video.link(best, in: pipeline)
                loopSegments.watch(best, in: pipeline)
                announceFilm(at: best)
            } catch {
                post(error)
            }
            outlets.note(best, "video")
            others.removeAll { $0 == best }
        }
        for pad in others {
            pad.decoderEntry.shut()
            outlets.note(pad, "video")
        }
    }

    func forget(_ pad: Pad) {
        film.withLock { $0.candidates.removeAll { $0 == pad } }
        block.forget(pad)
        outlets.release(pad)
    }

    /// Adds probes before a decoder as it appears, and for a demuxer sets the kind of its seeks; the start of some
    /// demuxers' segments is watched.
    func guardDecoder(_ element: Element) {
        guard let name = element.factory else { return }
        let kind = element.factoryClass
        if kind.contains("Adaptive") { pipeline.post("vitrine-is-adaptive") }
        if SegmentLoop.stalls(name) { pipeline.post("vitrine-stalls-in-loops") }
        if SegmentStartFix.isNeeded(by: name) { segmentStartFix.watch(element) }
        if SeekNumber.isNeeded(by: name) { SeekNumber.keep(of: element) }
        if AlphaEnd.isNeeded(by: name) { AlphaEnd.drop(at: element) }
        if name == "multipartdemux" {
            showAtOnce(element)
            pipeline.post("vitrine-is-multipart")
        }
        if name == "flvdemux" { pipeline.post("vitrine-begins-at-key-frames") }
        // With several sources, as RTSP's streams, each reports its own pads: none waits for a silent one.
        if name == "decodebin" { element.connect("no-more-pads") { [self] _ in linkFilm() } }
        if SegmentStartFix.landsAnywhere(name) {
            awaitsKeyFrames = true
            pipeline.post("vitrine-lands-anywhere")
        }
        // A decoder inside another decoder is a part of that: one for frames with alpha has one for the colours and one
        // for the alpha.
        guard Self.isDecoder(kind), !(element.parent.map { Self.isDecoder($0.factoryClass) } ?? false),
            let pad = element.pad("sink")
        else { return }
        if kind.contains("Audio") {
            audio.input.attach(to: pad)
        } else {
            if !hasVideo, let decoder = VideoDecoder(name, of: kind) { video.decoder.took(decoder) }
            video.input.attach(to: pad, awaitsKeyFrames: awaitsKeyFrames)
            // The tap comes after the probes that leave frames out.
            CaptionTap.attach(to: element, news)
        }
        if FrameTimes.areNeeded(by: name) { FrameTimes.keep(of: element) }
    }

    static func isDecoder(_ kind: String) -> Bool {
        kind.contains("Decoder") && (kind.contains("Audio") || kind.contains("Video"))
    }

    /// The name of the sink for sound without a card.
    static let silence = "silence"
    /// The message on the bus for an error.
    static let failure = "vitrine-cannot-link"

    /// Handles the end of pad discovery. Sound without a card still needs a clock to play by; a source without any
    /// usable pad is an error.
    func complete(_ source: Element) {
        linkFilm()
        let kinds = source.sourcePads.map { ($0, Self.kind(of: $0)) }
        if !kinds.contains(where: { $0.1 == "video" }) { pipeline.post("vitrine-has-no-video") }
        guard !isComplete, !block.isBlocking else { return }
        isComplete = true
        defer { pipeline.post("vitrine-is-complete") }
        if !hasAudio { audio.releaseLater() }
        let sound = kinds.first { $0.1 == "audio" }?.0
        if !hasVideo, let sound, !addCover(of: sound) { awaitCover(of: sound) }
        guard !hasVideo, !hasAudio else { return }
        do throws(MediaFailure) {
            guard let sound else {
                throw MediaFailure(
                    reason: .notMedia, message: "there is neither film nor sound in it", code: .wrongType)
            }
            let sink = try Element("fakesink", name: Self.silence)
            sink.set("sync", to: true)
            pipeline.add(sink)
            sink.syncStateWithParent()
            if let entry = sink.pad("sink") { _ = sound.link(to: entry) }
            outlets.note(sound, "audio")
            pipeline.post("vitrine-has-audio")
        } catch {
            post(error)
        }
    }

    /// Tags may arrive with a sound's first samples: FLAC's do.
    private func awaitCover(of sound: Pad) {
        sound.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [self] pad, info in
            info.event?.type == GST_EVENT_TAG && addCover(of: pad) ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
        }
    }

    /// Shows a sound's cover while it plays.
    /// - Returns: whether it has one.
    private func addCover(of sound: Pad) -> Bool {
        do throws(MediaFailure) {
            guard let coded = Cover.coded(in: sound) else { return false }
            // A damaged cover is not tried again.
            guard let pad = try Cover.pad(of: coded, in: pipeline) else { return true }
            try video.link(pad, in: pipeline)
            video.leaveEndToSound()
            pad.parent?.syncStateWithParent()
        } catch {
            post(error)
        }
        return true
    }

    /// Announces the next track of its kind. Its tags may arrive later, or change.
    private func announceTrack(_ kind: MediaCharacteristic, _ pad: Pad) -> MediaOption {
        let number = (counts[kind] ?? 0) + 1
        counts[kind] = number
        let track = MediaOption(kind: kind, number: number, pad)
        TrackMessage.post(track, on: pipeline)
        TrackMessage.watch(pad, kind, number, in: pipeline)
        return track
    }

    /// Reports the frames' size, now and whenever it changes.
    private func announceFilm(at pad: Pad) {
        pipeline.post("vitrine-has-video", caps: pad.currentCaps)
        pad.watch(GST_EVENT_CAPS) { [unowned pipeline] _, event in
            pipeline.post("vitrine-has-video", caps: event.caps)
        }
    }

    private static func kind(of pad: Pad) -> String? {
        guard let caps = pad.caps, let name = caps.first?.name else { return nil }
        return caps.isUnnamedText ? "text" : name.split(separator: "/").first.map(String.init)
    }

    /// The error in a message `failure`.
    static func failure(in structure: Structure, of location: MediaLocation) -> MediaFailure {
        let (reason, code): (MediaFailure.Reason, GStreamerCode) =
            switch structure.string("reason") {
            case "not-media": (.notMedia, .wrongType)
            case "missing-plugin": (.missingPlugin(package: structure.string("package")), .missingPlugin)
            default: (.cannotBuild, .pad)
            }
        let message = structure.string("message") ?? ""
        return MediaFailure(reason: reason, message: "\(location.name): \(message)", code: code)
    }

    private func post(_ failure: MediaFailure) {
        let (reason, package): (String, String?) =
            switch failure.reason {
            case .notMedia: ("not-media", nil)
            case .missingPlugin(let package): ("missing-plugin", package)
            default: ("cannot-build", nil)
            }
        pipeline.post(Self.failure, ["message": failure.message, "reason": reason, "package": package])
    }
}
