internal import Media
internal import PlayerCore

/// One film, from the moment that the player turns to it until it turns to another one: through all of its pipelines, and
/// before the first of them, when seeks are remembered.
///
/// It belongs to the loop and has no thread of its own. Nothing of a film outlives its session: the next film has a new one.
final class FilmSession {
    /// Whether what is asked for before a film is open is asked of the film that will be opened: so it is before the first one.
    private var isFirst = true
    /// `nil` before the first one, and once it is closed.
    var film: Film?
    /// What is known of the film; `nil` until it is open.
    var mediaInfo: MediaInfo?
    var scrubber: Scrubber
    var tracks = FilmTracks()
    /// Notices a film that does not go on.
    var standstill = Standstill()
    /// Makes its scrub sheet while it plays; `nil` until it is open, and where sheets are not kept.
    private var harvester: SheetHarvester?
    /// Where it is to start once its length is known.
    private(set) var openingPlace: StartPlace?
    /// How fast it plays when it is not paused; below 0 backwards. At its own pace where it cannot be played as it was asked to.
    var rate: PlaybackRate
    /// The pipeline that is open, or is being built.
    private(set) var run = PipelineRun()

    /// What is played, and as what.
    struct Film: Sendable {
        var item: ItemID
        var location: MediaLocation
        /// Where it starts, unless a seek says otherwise.
        var start: StartPlace?
        /// Nothing else could be played in its place.
        var isAlone = false
    }

    init(wantsPlaying: Bool, rate: PlaybackRate) {
        scrubber = Scrubber(wantsPlaying: wantsPlaying)
        self.rate = rate
    }

    /// The session of the film that follows: this one, where it is the first film's.
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
    /// - Returns: that pipeline, which is to be closed.
    func leaveRun() -> (any MediaPipeline)? {
        run.scan?.cancel()
        run.cover?.end()
        run.filmstrip?.rest()
        defer { run = PipelineRun() }
        return run.pipeline
    }

    /// When the first of all that the film waits for is due.
    var deadline: MonotonicTime? {
        [
            scrubber.deadline, tracks.deadline, standstill.deadline, silenceDeadline, run.openingDeadline,
            run.stillDeadline, run.laterConnection?.due,
        ].compactMap { $0 }.min()
    }

    // MARK: The scrub sheet

    /// The film is open in another pipeline: the harvest goes on with that one.
    func harvest(_ mediaInfo: MediaInfo, for options: SheetMaker.Options) {
        guard let location, let pipeline else { return }
        harvester = harvester ?? SheetHarvester(location, mediaInfo, options)
        harvester?.follow(pipeline)
    }

    // MARK: The film

    var location: MediaLocation? { film?.location }

    /// Its title and address, for people; empty where there is none.
    var name: String { location?.name ?? "" }

    /// `nil` while it is unknown, and for live media.
    var duration: MediaTime? { mediaInfo?.duration }

    /// Another rate comes with a seek. Nobody knows yet of a film that is not open.
    var mayChangeRate: Bool { mediaInfo.map { $0.isSeekable && !$0.isLive } ?? true }

    /// A single frame without sound: a JPEG, a PNG, or a film of one frame, whose loops would only keep the processor busy.
    var isStill: Bool {
        guard let mediaInfo, let pipeline else { return false }
        let isAlone = mediaInfo.hasVideo && !mediaInfo.hasAudio && !mediaInfo.isLive && mediaInfo.duration == nil
        return mediaInfo.isPicture || isAlone && pipeline.frames.isOnly
    }

    var chapters: ChapterList { mediaInfo?.chapters ?? ChapterList() }

    /// The film's own tracks, and those of files beside it.
    var options: [MediaOption] { tracks.options(with: mediaInfo?.tracks ?? []) }

    // MARK: Where it starts

    /// Where it is to start; `nil`: at its start, or where somebody goes before its length is known.
    func setOpeningPlace(_ place: StartPlace?) { openingPlace = place }

    /// Where it is to start, once its length tells that.
    func takeOpeningPlace(in mediaInfo: MediaInfo) -> MediaTime? {
        guard let time = openingPlace?.time(in: mediaInfo.duration) else { return nil }
        openingPlace = nil
        return time
    }

    // MARK: Where it is

    /// The film's time: at the frame on the screen, or behind it for as long as that has stood.
    func time(at now: MonotonicTime) -> MediaTime {
        let rate = run.state == .playing && !scrubber.isSeeking ? rate : .paused
        return run.clock.time(mediaInfo?.hasVideo == true ? pipeline?.frames : nil, at: rate, now)
    }

    /// A seek is done: from here on, also where it led behind the last frame.
    func setClock(at now: MonotonicTime) {
        run.clock.set(to: scrubber.displayedTime, pipeline?.frames, now)
    }

    /// Sound has no frames to go by: its position was reported, or asked for.
    func setClockOfSound(at now: MonotonicTime) {
        if mediaInfo?.hasVideo == false { run.clock.set(to: scrubber.displayedTime, nil, now) }
    }

    /// Where the next frame begins, once the film has gone on for longer behind the frame on the screen than the position takes
    /// to be reported again. `nil` where frames follow one another, and where the decoder has none for later.
    func standsUntil(_ frames: FrameCount, at now: MonotonicTime) -> MediaTime? {
        guard !rate.isReverse, let shown = frames.time, let next = frames.newest, next > shown,
            time(at: now) - shown > .milliseconds(240)
        else { return nil }
        return next
    }

    /// How far the film is loaded, where its source tells.
    var bufferedTime: MediaTime? { run.loaded.map { max($0.times.upperBound, scrubber.displayedTime) } }

    /// How long the film goes on for the viewer.
    func rest(at now: MonotonicTime) -> Duration? {
        guard pipeline != nil, let mediaInfo, !mediaInfo.isLive, let duration = mediaInfo.duration, !rate.isReverse
        else {
            return nil
        }
        return rate.clockTime(for: max(duration - time(at: now), .zero))
    }

    // MARK: Subtitles

    /// The texts of the subtitles that are chosen.
    func texts(_ preferences: TrackPreferences) -> CueList? {
        tracks.selected(.legible, among: options, preferring: preferences).flatMap { tracks.texts[$0] }
    }

    /// When there is something else to read, if the film goes on as it does.
    func nextText(_ texts: CueList, at now: MonotonicTime) -> MonotonicTime? {
        guard run.state == .playing, !scrubber.isSeeking else { return nil }
        let time = time(at: now)
        if rate.isReverse { return now + .milliseconds(100) }
        return texts.nextChange(after: time).flatMap { run.clock.moment(of: $0) }
    }

    // MARK: The end

    /// The film was rewound because it had ended, and has ended again at once: its demuxer does not find the start.
    func isRewindFruitless(at now: MonotonicTime) -> Bool {
        guard let rewound = run.rewound, let pipeline, mediaInfo?.hasVideo == true, !isStill else { return false }
        // A film of one frame, with sound, takes its time.
        let least = min(Duration.seconds(1), Duration.nanoseconds((duration ?? .seconds(2)).nanoseconds / 2))
        return pipeline.frames.shown < rewound.shown + 2 && now - rewound.at < least
    }

    /// Whether the frame that answers a seek to the film's start is not one of its start's: its demuxer does not find that.
    func isRewindMissed(by frame: SeekFrame) -> Bool {
        guard run.endSeek == .rewind, scrubber.awaits(frame.ticket) else { return false }
        guard let time = frame.start ?? frame.time, let from = run.rewound?.from else { return frame.time == nil }
        // Where the rewind began anew, the start was on the screen already.
        return !rate.isReverse && from > (scrubber.firstKeyframe ?? .zero) + .milliseconds(200) && time >= from
    }

    /// Something is asked for that leads elsewhere.
    func leaveEnd() {
        run.leaveEnd()
    }

    // MARK: Live

    /// How long something live may show nothing new.
    static let silence = Duration.seconds(20)

    /// Not every sender that goes says so.
    var silenceDeadline: MonotonicTime? {
        guard let pipeline, let mediaInfo, mediaInfo.isLive, mediaInfo.hasVideo, run.state == .playing else {
            return nil
        }
        return max(pipeline.frames.shownAt, run.playingSince) + Self.silence
    }
}
