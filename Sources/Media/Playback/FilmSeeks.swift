internal import CGStreamer
internal import CVideoSink
internal import PlayerCore

/// A film's seeks, and its loop segments. For the film's worker.
struct FilmSeeks {
    let loopSegments = LoopSegmentWatch()
    let segmentStartFix = SegmentStartFix()
    var loop = SegmentLoop()
    /// Of playing, from the next seek on that is none of a drag's; below 0 backwards.
    var rate = PlaybackRate.normal
    /// What has been sought is: a drag's seeks never are.
    private(set) var isBackwards = false
    /// GStreamer 1.26's demuxer of FLV has the segment of an exact seek begin at the key frame before it, and once more
    /// where the sound begins.
    var beginsAtKeyFrames = false
    /// The demuxer of MPEG-PS seeks by the stream's clock, and begins in the middle of a group.
    var landsAnywhere = false
    /// Of a film whose demuxer does not know them; else none.
    var unknownKeyframes = KeyframeMap()
    /// A finger holds the bar: seeks neither decode nor wait for sound.
    var isScrubMuted = false
    private(set) var newestSeek: SeekRequest.Ticket?
    let pipeline: Element
    let video: VideoBranch
    let audio: AudioBranch
    let info: FilmInfo
    let news: AsyncStream<MediaEvent>.Continuation

    /// Sends a seek or a step to the film's sink, from where it travels up to the demuxer once.
    /// - Returns: whether GStreamer took it.
    mutating func perform(_ request: SeekRequest) -> Bool {
        let (target, mediaInfo) = (request.target.nanoseconds, info.mediaInfo)
        newestSeek = request.ticket
        debugLog(pipeline, "seek \(request.ticket.number) to \(request.target), \(request.method), rate \(rate.factor)")
        switch request.method {
        // Backwards, each demuxer has its own notion of the key frame that a segment ends at.
        case .keyframe where rate.isReverse && !isScrubMuted:
            return flush(request, GST_SEEK_FLAG_ACCURATE, holdUntil: .min)
        case .keyframe(let showing):
            let from = showing?.nanoseconds ?? .min
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: from)
        case .preview(let frames) where frames > 1:
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: .min, decoding: UInt32(frames))
        case .preview:
            // GStreamer's decoders drain after each key frame of a key-unit trick mode; a segment that ends there keeps
            // them from the next one, which nobody will see.
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
            // What follows in the decoder lies the other way.
            return flush(request, GST_SEEK_FLAG_KEY_UNIT, holdUntil: target)
        case .advance:
            vitrine_frame_gate_hold_until(video.gate, target)
            vitrine_sink_expect(video.sink.raw, request.ticket.number, 0, target)
            // One buffer: the frame that waits in the sink. The gate decides which is the next to reach it.
            return Event.step.map { video.sink.send($0) } ?? false
        }
    }

    /// Makes the frame that a drag's seek led to the one that the film plays on from, which it is only for what has no sound, is
    /// played at its own pace and does not loop.
    /// - Returns: whether it is.
    func beginPlaying(from frame: PlayerCore.SeekFrame, _ message: Structure) -> Bool {
        // A newer seek has begun another time.
        guard isScrubMuted, !info.mediaInfo.hasAudio, rate == .normal, !loop.isWanted || loop.isRefused,
            frame.ticket == newestSeek,
            frame.time != nil, let time = message.int64("running-time"), time >= 0
        else { return false }
        // As long as it stands the pipeline's time does not run. Frames that were only decoded on the way took none of it.
        for element in [pipeline, video.sink] { element.startTime = GstClockTime(time) }
        return true
    }

    /// What a demuxer may round a time by: it is not to begin with the key frame behind it.
    private static let tick = MediaTime.milliseconds(2)

    /// In a film that plays backwards only the frames' usual length tells where the next one is.
    /// - Parameter aim: where the frame stands, or, for `.next`, begins later.
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
        // Where the demuxer would begin with any frame.
        let keyframe = rate > 0 ? unknownKeyframes.group(at: request.target)?.start : nil
        let isLate = keyframe != nil || landsAnywhere && rate > 0
        let isLast = precision == GST_SEEK_FLAG_ACCURATE && !isScrubMuted
        let loops = isLast && loop.isWanted && !loop.isRefused && rate > 0 && mediaInfo.hasVideo && !mediaInfo.isPicture
        // A key frame that a demuxer does not know is had by an exact seek to it.
        let precisely = isLate ? precision.subtracting(GST_SEEK_FLAG_KEY_UNIT).union(GST_SEEK_FLAG_ACCURATE) : precision
        let flags: GstSeekFlags = [
            GST_SEEK_FLAG_FLUSH, precisely, loops ? GST_SEEK_FLAG_SEGMENT : [], Self.soundless(at: rate),
        ]
        // Backwards, a segment ends where playing begins: behind the frame that contains the target.
        let target = place(keyframe, request.target, isLate: isLate).nanoseconds
        let behind = target + (mediaInfo.frameDuration ?? .milliseconds(1)).nanoseconds
        let (first, last) = rate > 0 ? (target, stop ?? -1) : (0, behind)
        guard let event = Event.seek(rate, flags, from: first, to: last) else { return false }
        // Not all sinks: a sound's cover cannot be sought in.
        let entry = info.clockedSink ?? pipeline
        vitrine_frame_gate_hold_until(video.gate, holdUntil)
        vitrine_preview_limit_set(video.input.limit, frames)
        let seqnum = event.seqnum
        vitrine_input_count_expect(video.input.count, seqnum)
        vitrine_segment_shaper_widen(video.input.shaper, precision == GST_SEEK_FLAG_ACCURATE ? seqnum : 0)
        let begins = precision == GST_SEEK_FLAG_ACCURATE && beginsAtKeyFrames ? seqnum : 0
        for shaper in [video.input.shaper, audio.input.shaper] {
            vitrine_segment_shaper_begin_at(shaper, begins, request.target.nanoseconds)
        }
        let isExact = precision == GST_SEEK_FLAG_ACCURATE
        segmentStartFix.begin(
            isLate && (isExact || landsAnywhere) ? seqnum : nil,
            at: isExact ? request.target : keyframe ?? request.target)
        // Those before it need not be decoded.
        if landsAnywhere {
            vitrine_frame_gate_hold_until(video.input.gate, isLate ? keyframe?.nanoseconds ?? .min : .min)
        }
        vitrine_frame_gate_aim(video.gate, aim == nil ? 0 : seqnum, aim?.nanoseconds ?? 0, request.method == .next)
        vitrine_sink_expect(video.sink.raw, request.ticket.number, seqnum, holdUntil == .max ? .min : holdUntil)
        vitrine_sink_report_beginnings(video.sink.raw, request.method == .previous)
        loop.restart(loops ? seqnum : nil)
        loopSegments.setLength(mediaInfo.duration)
        guard entry.send(event) else {
            // What plays goes on, and is to be seen.
            vitrine_frame_gate_hold_until(video.gate, .min)
            vitrine_preview_limit_set(video.input.limit, 0)
            vitrine_input_count_expect(video.input.count, 0)
            vitrine_sink_expect(video.sink.raw, 0, 0, .min)
            guard loops || rate != 1 else { return false }
            // Without what a demuxer may not know: first of loops, then of rates.
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

    /// Where the demuxer is to be sought to, to come by the key frame that a target is decoded from.
    private func place(_ keyframe: MediaTime?, _ target: MediaTime, isLate: Bool) -> MediaTime {
        guard isLate, landsAnywhere else { return keyframe ?? target }
        return max((keyframe ?? target - SegmentStartFix.usualGroup) - SegmentStartFix.mostAhead, .zero)
    }

    /// Some demuxers play at other rates, but not backwards: MPEG-TS's, and AVI's of what comes over a network.
    private mutating func refuseRate() {
        news.yield(.rateRefused(rate))
        rate = .normal
    }

    /// The last of a loop segment has reached the decoders.
    mutating func loopSegmentDecoding(_ seqnum: UInt32) {
        guard loop.isWanted, loop.armed == seqnum,
            let event = Event.seek(
                rate.factor, Self.soundless(at: rate.factor).union(GST_SEEK_FLAG_SEGMENT), from: 0, to: -1)
        else { return }
        // Refused, the loop segment ends as a stream does.
        if video.sink.send(event) { loop.goOn(with: event.seqnum) }
    }

    /// The last frame of a loop segment has been shown.
    mutating func loopSegmentEnded(_ seqnum: UInt32) {
        if let isFollowed = loop.end(seqnum) { news.yield(isFollowed ? .passed : .endOfStream) }
    }

    /// The film's demuxer stalls in segment seeks.
    mutating func refuseLoops() { loop.isRefused = true }

    /// Above twice its pace nobody understands speech, and backwards never.
    private static func soundless(at rate: Double) -> GstSeekFlags {
        (0...2).contains(rate) ? [] : [GST_SEEK_FLAG_TRICKMODE, GST_SEEK_FLAG_TRICKMODE_NO_AUDIO]
    }
}
