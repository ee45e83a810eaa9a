internal import Media
internal import PlayerCore
internal import ScrubSheet

/// One pipeline of a film, with all state that belongs to this pipeline. It is discarded together with the pipeline, so
/// that nothing is ever reset.
///
/// Its identity marks its events: the loop handles the events of the session's current run, and of no other.
final class PipelineRun {
    /// `nil` until it is built.
    var pipeline: (any MediaPipeline)?
    var state = PipelineState.null
    /// Whether its first frame is on the screen, or, for sound alone, it is open.
    var isShown = false
    /// When the pipeline last began to play.
    var playingSince = MonotonicTime(nanoseconds: 0)
    /// Finds the key frames of a local film.
    var scan: KeyframeScan?
    /// The clock for subtitles, and for positions between two frames.
    var clock = FilmClock()

    // Load.
    /// When a load that reports nothing is given up.
    var loadDeadline: MonotonicTime?
    /// The end of the time in which the seek to the start place may go on, as long as input arrives at the decoder.
    var seekingEnd: MonotonicTime?
    /// When it was opened, if that was because the previous pipeline was lost.
    var lostAt: MonotonicTime?
    /// The requested start; `nil` for the film's start, and once the seek there has failed.
    var startTime: MediaTime?
    /// The requested start, until a frame is shown.
    var unansweredStart: MediaTime? { pipeline?.frames.shown ?? 0 == 0 ? startTime : nil }
    /// The requested rate when it was opened.
    var openedRate = PlaybackRate.normal
    /// The screen of its frames at that time.
    var openedScreen: FilmOutput.Screen?
    /// How to open it again, alone; `nil` if it was not preloaded.
    var deferredLoad: DeferredLoad?

    // Network.
    /// The buffer's level in per cent, while it is not full and the film waits for it.
    var buffering: Int?
    /// The part of a remote film that is loaded.
    var loaded: LoadedPart?
    /// The time at which the film is opened anew after its connection was lost.
    var laterConnection: LaterConnection?

    // Seeks.
    /// The newest seek that was sent; `nil` before the first one.
    private(set) var sentSeek: SentSeek?
    /// The cover over the film during a drag; `nil` if the film has no scrub sheet.
    var cover: ScrubCover?
    /// The pictures above the bar; `nil` for a film without a bar or video, and for one in many files.
    var filmstrip: Filmstrip?
    var sheetSearch = SheetSearch.idle(nil)

    // The end.
    /// When a still image has been shown for its time.
    var stillDeadline: MonotonicTime?
    /// The seek in flight that the end caused.
    private(set) var endSeek: EndSeek?
    /// Whether the pipeline has ended during a seek. That is the film's end if the seek leads nowhere.
    var hasDrained = false
    /// The newest rewind that the end caused.
    private(set) var rewound: Rewind?

    /// Notes a seek to the film's start after its end.
    func rewind(_ rewind: Rewind) { (endSeek, rewound) = (.rewind, rewind) }

    /// Notes a seek to the frame at whose end the film stands.
    func seekLast() { endSeek = .lastFrame }

    /// Notes that no seek is in flight any more.
    func endSeekIsOver() { endSeek = nil }

    /// Notes that the seeks in flight lead to the end, and later ones away from it.
    func leaveEnd() { (endSeek, rewound) = (nil, nil) }

    /// Notes that a seek is sent.
    /// - Parameters:
    ///   - ticket: the seek's; `nil` for the one to the start place.
    ///   - touch: the touch that caused it.
    func seekIsSent(_ ticket: SeekRequest.Ticket? = nil, byTouch touch: MonotonicTime? = nil) {
        sentSeek = SentSeek(
            from: pipeline?.frames, forLastFrame: endSeek == .lastFrame ? ticket : nil, byTouch: touch)
    }

    /// Whether frames have arrived at the decoder since the last call, and since the seek in flight was sent. A small
    /// machine needs time from a key frame to a distant frame: such a seek will be answered.
    func makesProgress() -> Bool {
        guard let arrived = pipeline?.frames.arrived else { return false }
        return sentSeek?.makesProgress(arrived) ?? false
    }

    /// Returns the touch that caused the newest seek; `nil` afterwards, because one frame answers a touch.
    func takeTouch() -> MonotonicTime? { sentSeek?.takeTouch() }
}

/// A seek that was sent to a pipeline.
struct SentSeek {
    /// The frames when it was sent.
    let from: FrameCount?
    /// The number of frames that had arrived at the decoder by then, or when it last made progress.
    private var arrived: UInt64?
    /// Its ticket, if it leads to the frame at whose end the film stands.
    let lastFrame: SeekRequest.Ticket?
    /// The touch that caused it, until a frame has answered that.
    private var touch: MonotonicTime?

    init(from frames: FrameCount?, forLastFrame lastFrame: SeekRequest.Ticket?, byTouch touch: MonotonicTime?) {
        from = frames
        arrived = frames?.arrived
        self.lastFrame = lastFrame
        self.touch = touch
    }

    /// - Parameter arrived: the number of frames that have arrived at the decoder by now.
    mutating func makesProgress(_ arrived: UInt64) -> Bool {
        guard let before = self.arrived, arrived != before else { return false }
        self.arrived = arrived
        return true
    }

    mutating func takeTouch() -> MonotonicTime? { touch.take() }
}

/// The search for a film's scrub sheet.
enum SheetSearch {
    case running
    /// None is under way. With the film's file as it was when it was opened, once that has been read: another file may
    /// have its name by now.
    case idle(FilmIdentity?)
}

/// A rewind to the film's start after its end.
struct Rewind {
    /// The number of frames that had been shown before it.
    var shown: UInt64
    /// The place of the last of them.
    var from: MediaTime?
    var at: MonotonicTime
}

/// A seek that the film's end causes.
enum EndSeek {
    /// A seek to the film's start.
    case rewind
    /// A seek to its very last frame, which was too late for the screen; backwards, to its first.
    case lastFrame
}

/// A load that waits for the display.
struct DeferredLoad: Sendable {
    var time: MediaTime?
}

/// A film that is opened anew when the network may be back.
struct LaterConnection {
    var due: MonotonicTime
    /// `nil` for its start, or live media.
    var time: MediaTime?
}

/// The film's position while one frame stands, or there is none.
struct FilmClock: Sendable {
    /// A frame may stand for minutes.
    private var timeline = Timeline(patience: .seconds(3600))
    /// When the frame that last set the clock was shown.
    private var setBy: MonotonicTime?

    /// The film's time, from the frame on the screen and the time for which it has stood.
    /// - Parameters:
    ///   - frames: `nil` if the film has no frames.
    ///   - rate: the rate at which the film runs now.
    mutating func time(_ frames: FrameCount?, at rate: PlaybackRate, _ now: MonotonicTime) -> MediaTime {
        if let frames, let time = frames.filmTime, frames.shownAt != setBy {
            setBy = frames.shownAt
            timeline.place(at: time, frames.shownAt)
        }
        if rate != timeline.rate { timeline.run(at: rate, now) }
        return timeline.time(at: now)
    }

    /// Sets the film's time, in place of that of the frame on the screen.
    mutating func set(to time: MediaTime, _ frames: FrameCount?, _ now: MonotonicTime) {
        if let frames { setBy = frames.shownAt }
        timeline.place(at: time, now)
    }

    /// When the film will reach a time; `nil` if it does not run there.
    func moment(of time: MediaTime) -> MonotonicTime? { timeline.moment(of: time) }
}
