internal import Media
internal import PlayerCore

/// One pipeline of a film, with all that is known of this pipeline alone. It goes with the pipeline, so that nothing of it is
/// ever reset.
///
/// Its identity tells whose news it is: the loop handles the news of the session's present run, and of no other.
final class PipelineRun {
    /// `nil` until it is built.
    var pipeline: (any MediaPipeline)?
    var state = PipelineState.null
    /// Its first frame is on the screen, or, of sound alone, it is open.
    var isShown = false
    /// When the pipeline last began to play.
    var playingSince = MonotonicTime(nanoseconds: 0)
    /// Finds the key frames of a local film.
    var scan: KeyframeScan?
    /// The clock of subtitles, and of what is told between two frames.
    var clock = FilmClock()

    // Opening.
    /// When a load that tells nothing is given up.
    var openingDeadline: MonotonicTime?
    /// Until when the seek to where it begins may take, as long as the decoder takes anything in.
    var seekingEnd: MonotonicTime?
    /// When it was opened because the pipeline before was lost.
    var lostAt: MonotonicTime?
    /// Where it was asked to begin; `nil`: at the film's start.
    var openingTime: MediaTime?
    /// How fast it was to play when it was opened.
    var openedRate = PlaybackRate.normal
    /// Where its frames were to go then.
    var openedScreen: FilmOutput.Screen?
    /// How it is opened once more, alone; `nil` where it was not preloaded.
    var deferredLoad: DeferredLoad?

    // Network.
    /// Per cent of the buffer, while that is not full and the film waits for it.
    var buffering: Int?
    /// The part of a remote film that is loaded.
    var loaded: LoadedPart?
    /// When it is opened anew after its connection was lost.
    var laterConnection: LaterConnection?

    // Seeks.
    /// How many frames had arrived at the decoder when the seek in flight was sent, or last made progress.
    var arrivedBefore: UInt64?
    /// The newest seek for the last frame.
    var lastFrameSeek: SeekRequest.Ticket?
    /// What lies over the film under a finger; `nil` where the film has no scrub sheet.
    var cover: ScrubCover?
    /// Its pictures above the bar; `nil` of what is not on a disk, or has no video.
    var filmstrip: Filmstrip?
    var isFindingSheet = false
    /// The touch that the seek in flight was sent for.
    var soughtTouch: MonotonicTime?

    // The end.
    /// When a still image has stood for its time.
    var stillDeadline: MonotonicTime?
    /// The seek that the end has under way.
    private(set) var endSeek: EndSeek?
    /// The pipeline has come to its end during a seek, which is the film's where that seek leads nowhere.
    var hasDrained = false
    /// The newest rewind, which the end caused.
    private(set) var rewound: Rewind?

    /// To the film's start, because it has ended.
    func rewind(_ rewind: Rewind) { (endSeek, rewound) = (.rewind, rewind) }

    /// To the frame at whose end the film stands.
    func seekLast() { endSeek = .lastFrame }

    /// Nothing is sought any more.
    func endSeekIsOver() { endSeek = nil }

    /// What is under way to there is; what is sought from now on leads elsewhere.
    func leaveEnd() { (endSeek, rewound) = (nil, nil) }

    /// Whether frames have arrived at the decoder since this was last asked, and since the seek in flight was sent. A small
    /// machine takes its time from a key frame to a frame far from it: such a seek does come back.
    func makesProgress() -> Bool {
        guard let arrived = pipeline?.frames.arrived, let before = arrivedBefore, arrived != before else {
            return false
        }
        arrivedBefore = arrived
        return true
    }
}

/// A rewind to the film's start after its end.
struct Rewind {
    /// How many frames had been shown before it.
    var shown: UInt64
    /// Where the last of them is.
    var from: MediaTime?
    var at: MonotonicTime
}

/// A seek that the film's end causes.
enum EndSeek {
    /// To its start.
    case rewind
    /// To its very last frame, which was too late for the screen; backwards, to its first.
    case lastFrame
}

/// A load that waits for the display.
struct DeferredLoad: Sendable {
    var time: MediaTime?
}

/// A film that is opened anew once the network may be back.
struct LaterConnection {
    var due: MonotonicTime
    /// `nil`: from its start, or live.
    var time: MediaTime?
}

/// Where the film is while one frame stands, or none does.
struct FilmClock: Sendable {
    /// A frame may stand for minutes.
    private var timeline = Timeline(patience: .seconds(3600))
    /// When the frame was shown that the clock was last set by.
    private var setBy: MonotonicTime?

    /// The film's time, by the frame on the screen and by how long that has stood.
    /// - Parameters:
    ///   - frames: `nil` where the film has no frames.
    ///   - rate: the one at which the film runs now.
    mutating func time(_ frames: FrameCount?, at rate: PlaybackRate, _ now: MonotonicTime) -> MediaTime {
        if let frames, let time = frames.filmTime, frames.shownAt != setBy {
            setBy = frames.shownAt
            timeline.place(at: time, frames.shownAt)
        }
        if rate != timeline.rate { timeline.run(at: rate, now) }
        return timeline.time(at: now)
    }

    /// The film is there, whatever the frame on the screen says.
    mutating func set(to time: MediaTime, _ frames: FrameCount?, _ now: MonotonicTime) {
        if let frames { setBy = frames.shownAt }
        timeline.place(at: time, now)
    }

    /// When the film will be there; `nil` where it does not run there.
    func moment(of time: MediaTime) -> MonotonicTime? { timeline.moment(of: time) }
}
