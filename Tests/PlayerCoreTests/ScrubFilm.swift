import PlayerCore

/// A film as the scrub state machine sees it: its commands, the frame on the screen, and the decoder's position.
///
/// `faults` lists commands that a real pipeline could not do correctly.
struct ScrubFilm {
    var mediaInfo = MediaInfo(duration: .seconds(100), isSeekable: true, frameDuration: .milliseconds(40)) {
        didSet { if !mediaInfo.isSeekable { wasUnseekable = true } }
    }
    private var wasUnseekable = false
    /// The real duration of a frame, whatever the media info says.
    var frame = MediaTime.milliseconds(40)
    /// Whether a frame reports its duration.
    var reportsLengths = true
    /// The distance between key frames.
    var group = MediaTime.seconds(10)
    /// The last frame ends here; the duration may be that of a longer stream.
    var end = MediaTime.seconds(100)

    var isPlaying: Bool
    /// The requested rate, which takes effect with a seek that is not part of a drag.
    var rate = PlaybackRate.normal
    private(set) var playedRate = PlaybackRate.normal
    private var rateBefore = PlaybackRate.normal
    private(set) var isScrubMuted = false
    /// Whether there is sound. Without sound, the film can play on from a drag's frame.
    var hasSound = true
    /// Whether the last seek kept the sound out.
    private var isWithoutSound = false
    private(set) var shown = MediaTime.zero
    /// The last decoded frame, if the decoder is right behind it.
    private(set) var head: MediaTime?
    private(set) var pending: SeekRequest?
    private(set) var rebuiltAt: MediaTime?
    private(set) var faults: [String] = []
    private var wasPlaying = false
    private var hasAnswered = false
    /// Whether the last seek produces only a few frames.
    private var isLimited = false
    private var lastTicket: UInt32 = 0

    init(isPlaying: Bool) {
        self.isPlaying = isPlaying
    }

    var keyframes: KeyframeMap {
        KeyframeMap((0..<(end.nanoseconds / group.nanoseconds)).map { MediaTime(nanoseconds: $0 * group.nanoseconds) })
    }

    /// `mayVoid`: a seek may be sent while another one is not answered yet, as the last one of a gesture may.
    mutating func perform(_ actions: [Scrubber.Action], mayVoid: Bool) {
        for action in actions {
            switch action {
            case .setPlaying(let playing):
                isPlaying = playing
                if playing { head = nil }
                // If no seek was possible, nothing has brought the sound.
                guard playing, hasAnswered, !wasUnseekable else { continue }
                if isWithoutSound, hasSound { fault("it plays without its sound") }
                if isLimited { fault("it plays on from a preview seek") }
            case .setScrubMuted(let scrubMuted): isScrubMuted = scrubMuted
            case .seek(let request): seek(request, mayVoid)
            case .rebuild(let time): rebuiltAt = time
            }
        }
    }

    private mutating func seek(_ request: SeekRequest, _ mayVoid: Bool) {
        if request.ticket.number <= lastTicket { fault("ticket \(request.ticket.number) again") }
        lastTicket = request.ticket.number
        if pending != nil, !mayVoid { fault("two seeks in flight") }
        if request.method == .advance {
            if let head {
                if request.target <= head { fault("advance to what lies behind") }
            } else {
                fault("advance from nowhere")
            }
            if let pending, pending.method != .advance { fault("advance across a flush") }
            if let pending, request.target <= pending.target { fault("advance behind another one") }
            if isPlaying { fault("advance of a film that plays") }
            if !isScrubMuted { fault("advance against the sound") }
        } else {
            head = nil
            if pending == nil { rateBefore = playedRate }
            playedRate = isScrubMuted ? .normal : rate
        }
        if request.method != .advance {
            isWithoutSound = isScrubMuted
            if case .preview = request.method { isLimited = true } else { isLimited = false }
        }
        pending = request
        wasPlaying = isPlaying
    }

    private mutating func fault(_ text: String) {
        faults.append(text)
    }

    // MARK: Answers

    /// The frame that contains a time.
    func frameStart(at time: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: max(time.nanoseconds, 0) / frame.nanoseconds * frame.nanoseconds)
    }

    /// The last key frame at or before a time.
    func keyframe(at time: MediaTime) -> MediaTime {
        let last = MediaTime(nanoseconds: end.nanoseconds - 1)
        return MediaTime(nanoseconds: max(min(time, last).nanoseconds, 0) / group.nanoseconds * group.nanoseconds)
    }

    var lastFrame: MediaTime { frameStart(at: MediaTime(nanoseconds: end.nanoseconds - 1)) }

    /// Answers the seek in flight as a pipeline would; `nil` where it would never.
    mutating func answer(shownAt now: MonotonicTime) -> Scrubber.Input? {
        guard let request = pending else { return nil }
        if !mediaInfo.hasVideo {
            // A sound that is kept out never arrives.
            guard !isScrubMuted else { return nil }
            pending = nil
            shown = request.target
            return .settled
        }
        let next = shown + frame
        let (destination, time): (MediaTime, MediaTime) =
            switch request.method {
            case .exact: (request.target, frameStart(at: request.target))
            case .last: (request.target, lastFrame)
            case .next: (.zero, min(frameStart(at: request.target) + frame, lastFrame))
            case .previous: (.zero, frameStart(at: request.target - MediaTime(nanoseconds: 1)))
            // The frame on the screen has passed: the next one is the earliest.
            case .advance: (max(request.target, next), max(frameStart(at: request.target), next))
            case .keyframe(nil), .preview: (.zero, keyframe(at: request.target))
            case .keyframe(let showing?): (showing, max(frameStart(at: showing), keyframe(at: request.target)))
            }
        return answer(destination < end ? time : nil, shownAt: now)
    }

    /// Answers the seek in flight by this frame, or by the stream's end.
    mutating func answer(_ time: MediaTime?, shownAt now: MonotonicTime) -> Scrubber.Input? {
        guard let request = pending else { return nil }
        pending = nil
        if let time { shown = time }
        hasAnswered = time != nil
        head = isPlaying || wasPlaying ? nil : time
        var seekFrame = SeekFrame(
            ticket: request.ticket, time: time, duration: reportsLengths ? frame : nil, shownAt: now)
        seekFrame.canPlayOn = isScrubMuted && !hasSound && rate == .normal && time != nil
        return .frame(seekFrame)
    }

    mutating func fail() -> Scrubber.Input? {
        guard let request = pending else { return nil }
        pending = nil
        head = nil
        hasAnswered = false
        if request.method != .advance { playedRate = rateBefore }
        return .seekFailed(request.ticket)
    }

    /// The film plays on to this frame.
    mutating func play(to time: MediaTime) {
        shown = frameStart(at: min(time, lastFrame))
        head = nil
    }

    /// A new pipeline, at the frame at which it was opened.
    mutating func reopen(at time: MediaTime, playing: Bool) {
        pending = nil
        playedRate = rate
        rebuiltAt = nil
        hasAnswered = false
        head = nil
        shown = mediaInfo.hasVideo ? min(frameStart(at: time), lastFrame) : time
        isPlaying = playing
        isScrubMuted = false
    }
}
