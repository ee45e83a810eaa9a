internal import Media
internal import PlayerCore
internal import ScrubSheet

/// One film, from the moment that the player opens it until it opens another one. It covers all of the film's
/// pipelines, and the time before the first of them, in which seeks are remembered.
///
/// It belongs to the loop and has no thread of its own. No state of a film outlives its session: the next film has a
/// new one.
final class FilmSession {
    /// Whether requests before a film is open apply to the film that will be opened, as before the first one.
    private var isFirst = true
    /// `nil` before the first film, and once the film is closed.
    var film: Film?
    /// The film's media info; `nil` until it is open.
    var mediaInfo: MediaInfo?
    var scrubber: Scrubber
    let tracks = FilmTracks()
    /// Detects a film that does not progress.
    var standstill = Standstill()
    /// Makes the film's scrub sheet while it plays; `nil` until it is open, and if sheets are not kept.
    private var harvester: SheetHarvester?
    /// The place to start at, once the film's length is known.
    private(set) var startPlace: StartPlace?
    /// The film's rate when it is not paused; below 0 is backwards. The film's own rate if it cannot play at the
    /// requested one.
    var rate: PlaybackRate
    /// The pipeline that is open, or is being built.
    private(set) var run = PipelineRun()

    /// The film that is played, with its options.
    struct Film: Sendable {
        var item: ItemID
        var location: MediaLocation
        /// The place to start at, unless a seek precedes.
        var start: StartPlace?
        /// Whether no other film could be played in its place.
        var isAlone = false
    }

    init(wantsPlaying: Bool, rate: PlaybackRate) {
        scrubber = Scrubber(wantsPlaying: wantsPlaying)
        self.rate = rate
    }

    /// The session of the next film: this one, if that is the first film.
    func next(rate: PlaybackRate) -> FilmSession {
        guard !isFirst else {
            isFirst = false
            return self
        }
        let next = FilmSession(wantsPlaying: scrubber.wantsPlaying, rate: rate)
        next.isFirst = false
        return next
    }

    var pipeline: (any MediaPipeline)? { run.pipeline }

    /// Leaves the pipeline.
    /// - Returns: the pipeline, which the caller closes.
    func leaveRun() -> (any MediaPipeline)? {
        run.scan?.cancel()
        run.cover?.end()
        run.filmstrip?.rest()
        defer { run = PipelineRun() }
        return run.pipeline
    }

    /// The timers of a film.
    enum Timer {
        case seek, load, subtitles, still, standstill, connection, silence
    }

    var timers: Timers<Timer> {
        Timers([
            .seek: scrubber.deadline, .load: run.loadDeadline, .subtitles: tracks.deadline, .still: run.stillDeadline,
            .standstill: standstill.deadline, .connection: run.laterConnection?.due, .silence: silenceDeadline,
        ])
    }

    // MARK: The scrub sheet

    /// Continues the harvest with the film's new pipeline.
    /// - Parameter report: receives the error that ended the harvest, on another thread.
    func harvest(
        _ mediaInfo: MediaInfo, for options: SheetMaker.Options, report: @escaping @Sendable (SheetError) -> Void
    ) {
        guard let location, let pipeline else { return }
        harvester = harvester ?? SheetHarvester(location, mediaInfo, options, report: report)
        harvester?.follow(pipeline)
    }

    // MARK: The film

    var location: MediaLocation? { film?.location }

    /// The film's name for people; empty if there is none.
    var name: String { location?.name ?? "" }

    /// `nil` while unknown, and for live media.
    var duration: MediaTime? { mediaInfo?.duration }

    /// Whether the rate can change, which needs a seek. Assumed for a film that is not open yet.
    var mayChangeRate: Bool { mediaInfo.map { $0.isSeekable && !$0.isLive } ?? true }

    /// Whether the film is a single frame without sound: a JPEG, a PNG, or a film of one frame, whose loops would only
    /// keep the processor busy.
    var isStill: Bool {
        guard let mediaInfo, let pipeline else { return false }
        let isAlone = mediaInfo.hasVideo && !mediaInfo.hasAudio && !mediaInfo.isLive && mediaInfo.duration == nil
        return mediaInfo.isPicture || isAlone && pipeline.frames.isOnly
    }

    var chapters: ChapterList { mediaInfo?.chapters ?? ChapterList() }

    /// The film's own tracks, those of files beside it, and closed captions.
    var options: [MediaOption] { tracks.options(with: mediaInfo?.tracks ?? []) }

    // MARK: The start

    /// Sets the place to start at; `nil` for the film's start, or after a seek before the length is known.
    func setStartPlace(_ place: StartPlace?) { startPlace = place }

    /// The time to start at, once the film's length gives it.
    func takeStartPlace(in mediaInfo: MediaInfo) -> MediaTime? {
        guard let time = startPlace?.time(in: mediaInfo.duration) else { return nil }
        startPlace = nil
        return time
    }

    // MARK: The position

    /// The film's time: that of the frame on the screen, plus the time for which it has stood.
    func time(at now: MonotonicTime) -> MediaTime {
        let rate = run.state == .playing && !scrubber.isSeeking ? rate : .paused
        return run.clock.time(mediaInfo?.hasVideo == true ? pipeline?.frames : nil, at: rate, now)
    }

    /// Sets the clock after a seek, also if that led behind the last frame.
    func setClock(at now: MonotonicTime) {
        run.clock.set(to: scrubber.displayedTime, pipeline?.frames, now)
    }

    /// Sets the clock of sound without frames, from a position that was reported or queried.
    func setClockOfSound(at now: MonotonicTime) {
        if mediaInfo?.hasVideo == false { run.clock.set(to: scrubber.displayedTime, nil, now) }
    }

    /// The start of the next frame, if the film has gone on behind the frame on the screen for longer than the interval
    /// of position reports. `nil` if frames follow one another, and if the decoder has no later frame.
    func standsUntil(_ frames: FrameCount, at now: MonotonicTime) -> MediaTime? {
        guard !rate.isReverse, let shown = frames.time, let next = frames.newest, next > shown,
            time(at: now) - shown > .milliseconds(240)
        else { return nil }
        return next
    }

    /// The end of the loaded part, if the source reports it.
    var bufferedTime: MediaTime? { run.loaded.map { max($0.times.upperBound, scrubber.displayedTime) } }

    /// The film's remaining time for the viewer.
    func rest(at now: MonotonicTime) -> Duration? {
        guard pipeline != nil, let mediaInfo, !mediaInfo.isLive, let duration = mediaInfo.duration, !rate.isReverse
        else {
            return nil
        }
        return rate.clockTime(for: max(duration - time(at: now), .zero))
    }

    // MARK: Subtitles

    /// The texts of the chosen subtitles.
    func texts(_ preferences: TrackPreferences) -> CueList? {
        tracks.selected(.legible, among: options, preferring: preferences).flatMap { tracks.texts[$0] }
    }

    /// When the subtitles change, if the film continues at its rate.
    func nextText(_ texts: CueList, at now: MonotonicTime) -> MonotonicTime? {
        guard run.state == .playing, !scrubber.isSeeking else { return nil }
        let time = time(at: now)
        if rate.isReverse { return now + .milliseconds(100) }
        return texts.nextChange(after: time).flatMap { run.clock.moment(of: $0) }
    }

    // MARK: The end

    /// Whether the film was rewound after its end, and has ended again at once: its demuxer does not find the start.
    func isRewindFruitless(at now: MonotonicTime) -> Bool {
        guard let rewound = run.rewound, let pipeline, mediaInfo?.hasVideo == true, !isStill else { return false }
        // A film of one frame, with sound, lasts some time.
        let least = min(Duration.seconds(1), Duration.nanoseconds((duration ?? .seconds(2)).nanoseconds / 2))
        return pipeline.frames.shown < rewound.shown + 2 && now - rewound.at < least
    }

    /// Whether the frame that answers a seek to the film's start is another frame: its demuxer does not find the start.
    func isRewindMissed(by frame: SeekFrame) -> Bool {
        guard run.endSeek == .rewind, scrubber.awaits(frame.ticket) else { return false }
        guard let time = frame.start ?? frame.time, let from = run.rewound?.from else { return frame.time == nil }
        // The start was on the screen already when the rewind was repeated.
        return !rate.isReverse && from > (scrubber.firstKeyframe ?? .zero) + .milliseconds(200) && time >= from
    }

    /// Notes that a request leads away from the end.
    func leaveEnd() {
        run.leaveEnd()
    }

    // MARK: Live

    /// The longest time for which a live source may show nothing new.
    static let silence = Duration.seconds(20)

    /// Not every sender reports its end.
    var silenceDeadline: MonotonicTime? {
        guard let pipeline, let mediaInfo, mediaInfo.isLive, mediaInfo.hasVideo, run.state == .playing else {
            return nil
        }
        return max(pipeline.frames.shownAt, run.playingSince) + Self.silence
    }
}
