internal import CGStreamer
internal import PlayerCore

/// A film's seeks, and its loop segments. For the film's worker.
struct FilmSeeks {
    let loopSegments = LoopSegmentWatch()
    let segmentStartFix = SegmentStartFix()
    var loop = SegmentLoop()
    /// The playback rate. It takes effect with the next seek that is not part of a drag; below 0 is backwards.
    var rate = PlaybackRate.normal
    /// Whether the last seek was backwards; a drag's seeks never are.
    private(set) var isBackwards = false
    /// Whether the demuxer starts the segment of an exact seek at the key frame before it, and again where the sound
    /// starts, as GStreamer 1.26's FLV demuxer does.
    var beginsAtKeyFrames = false
    /// Whether the demuxer seeks by the stream's clock, and starts in the middle of a group, as that of MPEG-PS does.
    var landsAnywhere = false
    /// The key frames of a film whose demuxer does not know them; else empty.
    var unknownKeyframes = KeyframeMap()
    /// Whether a finger holds the bar: seeks neither decode nor wait for sound.
    var isScrubMuted = false
    private(set) var newestSeek: SeekRequest.Ticket?
    let pipeline: Element
    let video: VideoBranch
    let audio: AudioBranch
    let info: FilmInfo
    let news: AsyncStream<MediaEvent>.Continuation

    /// Sends a seek or a step to the film's sink, from where it travels up to the demuxer once.
    /// - Returns: whether GStreamer accepted it.
    mutating func perform(_ request: SeekRequest) -> Bool {
        let (target, mediaInfo) = (request.target.nanoseconds, info.mediaInfo)
        newestSeek = request.ticket
        debugLog(pipeline, "seek \(request.ticket.number) to \(request.target), \(request.method), rate \(rate.factor)")
        switch request.method {
        // Backwards, demuxers differ in which key frame ends a segment.
        case .keyframe where rate.isReverse && !isScrubMuted:
            return flush(request, GST_SEEK_FLAG_ACCURATE, holdUntil: .min)
        case .keyframe(let showing):
            let from = showing?.nanoseconds ?? .min
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: from)
        case .preview(let frames) where frames > 1:
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: .min, decoding: UInt32(frames))
        case .preview:
            // GStreamer's decoders drain after each key frame in key-unit trick mode. A segment that ends there keeps
            // them from decoding the next one, which is not needed.
            return flush(
                request, [GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_TRICKMODE_KEY_UNITS], holdUntil: .min,
                stop: target + 1_000_000)
        case .exact:
            return flush(request, GST_SEEK_FLAG_ACCURATE, holdUntil: .min)
        case .next:
            let length = mediaInfo.frameDuration ?? .milliseconds(40)
            let behind = request.target + length + MediaTime(nanoseconds: length.nanoseconds / 2)
            return step(request, to: rate.isReverse ? behind : request.target, aim: request.target)
        case .previous:
            let half = MediaTime(nanoseconds: (mediaInfo.frameDuration ?? .milliseconds(40)).nanoseconds / 2)
            return step(
                request, to: request.target - (rate.isReverse ? half : Self.tick),
                aim: request.target - MediaTime(nanoseconds: 1))
        case .last:
            return flush(request, GST_SEEK_FLAG_ACCURATE, holdUntil: .max)
        case .advance where isBackwards:
            // The decoder's next frames are in the wrong direction.
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: target)
        case .advance:
            video.gate.hold(until: target)
            video.sink.expect(request.ticket, from: target)
            // One buffer: the frame that waits in the sink. The gate decides which frame is the next to reach it.
            return Event.step.map { video.sink.send($0) } ?? false
        }
    }

    /// Makes a frame of a drag the one that the film plays on from. This works only if the film has no sound, plays at
    /// its own rate and does not loop.
    /// - Returns: whether it works.
    func beginPlaying(from frame: PlayerCore.SeekFrame, _ message: Structure) -> Bool {
        // A newer seek has started another time.
        guard isScrubMuted, !info.mediaInfo.hasAudio, rate == .normal, !loop.isWanted || loop.isRefused,
            frame.ticket == newestSeek,
            frame.time != nil, let time = message.int64("running-time"), time >= 0
        else { return false }
        // While that frame stands, the pipeline's time does not run. Frames that were only decoded on the way took none
        // of it.
        for element in [pipeline, video.sink] { element.startTime = GstClockTime(time) }
        return true
    }

    /// The rounding error of a demuxer's times: it must not start with the key frame behind the target.
    private static let tick = MediaTime.milliseconds(2)

    /// Steps to a neighbouring frame. In a film that plays backwards only the usual frame duration says where the next
    /// frame is.
    /// - Parameter aim: where the frame stands, or, for `.next`, starts later.
    private mutating func step(_ request: SeekRequest, to target: MediaTime, aim: MediaTime) -> Bool {
        var request = request
        request.target = max(target, .zero)
        return flush(request, GST_SEEK_FLAG_ACCURATE, holdUntil: .min, aim: rate.isReverse ? nil : aim)
    }

    private mutating func flush(
        _ request: SeekRequest, _ precision: GstSeekFlags, holdUntil: Int64, stop: Int64? = nil,
        decoding frames: UInt32 = 0, aim: MediaTime? = nil
    ) -> Bool {
        let (rate, mediaInfo) = (isScrubMuted ? 1 : self.rate.factor, info.mediaInfo)
        // Known only if the demuxer would otherwise start at any frame.
        let keyframe = rate > 0 ? unknownKeyframes.group(at: request.target)?.start : nil
        let isLate = keyframe != nil || landsAnywhere && rate > 0
        let isLast = precision == GST_SEEK_FLAG_ACCURATE && !isScrubMuted
        let loops = isLast && loop.isWanted && !loop.isRefused && rate > 0 && mediaInfo.hasVideo && !mediaInfo.isPicture
        // A key frame that a demuxer does not know is reached by an exact seek to it.
        let precisely = isLate ? precision.subtracting(GST_SEEK_FLAG_KEY_UNIT).union(GST_SEEK_FLAG_ACCURATE) : precision
        let flags: GstSeekFlags = [
            GST_SEEK_FLAG_FLUSH, precisely, loops ? GST_SEEK_FLAG_SEGMENT : [], Self.soundless(at: rate),
        ]
        // Backwards, a segment ends where playing starts: behind the frame that contains the target.
        let target = place(keyframe, request.target, isLate: isLate).nanoseconds
        let behind = target + (mediaInfo.frameDuration ?? .milliseconds(1)).nanoseconds
        let (first, last) = rate > 0 ? (target, stop ?? -1) : (0, behind)
        guard let event = Event.seek(rate, flags, from: first, to: last) else { return false }
        // Only this sink: a cover cannot be sought in.
        let entry = info.clockedSink ?? pipeline
        video.gate.hold(until: holdUntil)
        video.input.limit.set(frames)
        let seqnum = event.seqnum
        video.input.count.expect(seqnum)
        let isExact = precision == GST_SEEK_FLAG_ACCURATE
        // A step counts single frames. Without a rate, a frame may stand for any time.
        let skips = request.method == .exact && mediaInfo.frameDuration != nil
        video.input.shaper.widen(isExact ? seqnum : nil, skips: skips)
        let begins = isExact && beginsAtKeyFrames ? seqnum : nil
        for shaper in [video.input.shaper, audio.input.shaper] { shaper.begin(begins, at: request.target) }
        segmentStartFix.begin(
            isLate && (isExact || landsAnywhere) ? seqnum : nil,
            at: isExact ? request.target : keyframe ?? request.target)
        // Frames before the key frame need not be decoded.
        if landsAnywhere { video.input.begin(at: isLate ? keyframe : nil) }
        video.gate.aim(at: aim, behind: request.method == .next, in: seqnum)
        video.sink.expect(request.ticket, in: seqnum, from: holdUntil == .max ? .min : holdUntil)
        video.sink.reportBeginnings(request.method == .previous)
        loop.restart(loops ? seqnum : nil)
        loopSegments.setLength(mediaInfo.duration)
        guard entry.send(event) else {
            // Playback continues, and its frames are to be shown.
            video.gate.hold(until: .min)
            video.input.limit.set(0)
            video.input.count.expect(nil)
            video.sink.expect(nil)
            guard loops || rate != 1 else { return false }
            // Tries again without features that the demuxer may lack: first loops, then rates.
            if loops { loop.isRefused = true } else { refuseRate() }
            if flush(request, precision, holdUntil: holdUntil, stop: stop, decoding: frames, aim: aim) {
                return true
            }
            if loops { loop.isRefused = false }
            return false
        }
        isBackwards = rate < 0
        return true
    }

    /// The place to seek the demuxer to, so that it starts at the key frame before the target.
    private func place(_ keyframe: MediaTime?, _ target: MediaTime, isLate: Bool) -> MediaTime {
        guard isLate, landsAnywhere else { return keyframe ?? target }
        return max((keyframe ?? target - SegmentStartFix.usualGroup) - SegmentStartFix.mostAhead, .zero)
    }

    /// Notes a refused rate. Some demuxers play at other rates, but not backwards: MPEG-TS's, and AVI's over a network.
    private mutating func refuseRate() {
        news.yield(.rateRefused(rate))
        rate = .normal
    }

    /// Handles the end of a loop segment at the decoders.
    mutating func loopSegmentDecoding(_ seqnum: UInt32) {
        guard loop.isWanted, loop.armed == seqnum,
            let event = Event.seek(
                rate.factor, Self.soundless(at: rate.factor).union(GST_SEEK_FLAG_SEGMENT), from: 0, to: -1)
        else { return }
        // If the seek is refused, the loop segment ends with EOS.
        if video.sink.send(event) { loop.goOn(with: event.seqnum) }
    }

    /// Handles the last shown frame of a loop segment.
    mutating func loopSegmentEnded(_ seqnum: UInt32) {
        if let isFollowed = loop.end(seqnum) { news.yield(isFollowed ? .passed : .endOfStream) }
    }

    /// Stops loop segments, because the film's demuxer stalls in segment seeks.
    mutating func refuseLoops() { loop.isRefused = true }

    /// Above twice the film's rate speech is unintelligible, and backwards always.
    private static func soundless(at rate: Double) -> GstSeekFlags {
        (0...2).contains(rate) ? [] : [GST_SEEK_FLAG_TRICKMODE, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO]
    }
}
