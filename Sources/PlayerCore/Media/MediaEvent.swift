/// An event from a film's pipeline, in the order in which it happened.
public enum MediaEvent: Sendable {
    /// The first frame is on the screen, or the sound is ready: commands are accepted. Reported once.
    case ready(MediaInfo)
    /// The film's duration, size or title changed.
    case mediaInfo(MediaInfo)
    /// The frame that answers a seek is on the screen.
    case frame(SeekFrame)
    /// A seek cannot be done now, or at all.
    case seekFailed(SeekRequest.Ticket)
    /// The film does not play at this rate, but at its own.
    case rateRefused(PlaybackRate)
    /// A seek is done in all streams, the sound's too.
    case settled
    /// The pipeline's own state.
    case state(PipelineState)
    case position(MediaTime)
    /// A text of the subtitles with this number, ahead of its time; reported again after seeks.
    case cue(track: Int, Cue)
    /// The text of closed captions changes, ahead of its time; again after seeks.
    case caption(CaptionReader.Change)
    /// A frame arrived too late for the screen and was not shown.
    case dropped
    /// The driver does not scale frames on the display's plane: only a corner of each frame is visible.
    case scalingRefused
    /// The times of the film's key frames, in rising order.
    case keyframes([MediaTime])
    case buffering(percent: Int)
    /// The part of a remote film that is loaded.
    case buffered(LoadedPart)
    case endOfStream
    /// The film has been shown to its end, and its start follows by itself.
    case passed
    /// The pipeline is gone.
    case failed(MediaFailure)
    /// The film continues with a defect: silent, without subtitles.
    case warning(String)
    /// The sound of this place now comes out of this ALSA device; `nil` if it is not heard.
    case soundDevice(String?, SoundPlace)
    /// The sound server that the film plays into has ended. Only a new pipeline goes on.
    case soundServerEnded
    /// The sound cannot go to this ALSA device.
    case soundFailed(device: String, SoundRouter.Failure, details: String? = nil)
    /// The mouse or a finger on the film's window.
    case pointer(WindowPointer)
    /// The film's window was closed: the pipeline is gone.
    case windowClosed
}

/// A frame that reached the screen.
public struct SeekFrame: Hashable, Sendable {
    /// The seek that the frame answers.
    public var ticket: SeekRequest.Ticket
    /// The film's position; `nil` if the seek led behind the film's last frame and none arrived.
    public var time: MediaTime?
    /// The frame's start; earlier than `time` if the seek led into the frame's middle.
    public var start: MediaTime?
    /// The frame's duration; `nil` if the stream does not say.
    public var duration: MediaTime?
    /// When it was on the screen.
    public var shownAt: MonotonicTime
    /// The time to decode one frame, as measured on the way to this one; `nil` if none was skipped.
    public var decodingTime: Duration?
    /// Whether the film can play on from this frame without another seek, although a drag asked for it.
    public var canPlayOn: Bool

    public init(
        ticket: SeekRequest.Ticket, time: MediaTime?, start: MediaTime? = nil, duration: MediaTime?,
        shownAt: MonotonicTime, decodingTime: Duration? = nil, canPlayOn: Bool = false
    ) {
        self.ticket = ticket
        self.time = time
        self.start = start ?? time
        self.duration = duration
        self.shownAt = shownAt
        self.decodingTime = decodingTime
        self.canPlayOn = canPlayOn
    }
}

/// GStreamer's four states.
public enum PipelineState: String, Hashable, Sendable {
    /// No device is open.
    case null = "NULL"
    /// Devices are open, the film is not.
    case ready = "READY"
    /// The film is open and paused.
    case paused = "PAUSED"
    /// The film's clock runs.
    case playing = "PLAYING"
}

/// The properties of a film once it is open.
public struct MediaInfo: Hashable, Sendable {
    /// `nil` while unknown, and for live media.
    public var duration: MediaTime?
    /// Always false for live media.
    public var isSeekable: Bool
    /// Live sources have no duration and no seek bar.
    public var isLive: Bool
    /// Whether the file is on this machine. Local media are sought while the finger moves, remote ones when it lifts.
    public var isLocal: Bool
    /// Whether a server sends it in many files, as HLS and DASH.
    public var isAdaptive = false
    /// Whether there are frames; a still image counts.
    public var hasVideo: Bool
    /// Whether there is sound, audible or not.
    public var hasAudio: Bool
    /// The duration of one frame; `nil` if the stream does not say.
    public var frameDuration: MediaTime?
    /// The film's width in square pixels, upright.
    public var width: Int?
    /// As `width`.
    public var height: Int?
    /// The transform that brings the frames upright: phones record as they are held.
    public var orientation = DisplayTransform.identity
    /// The container's width in pixels, neither turned upright nor made square.
    public var codedWidth: Int?
    /// As `codedWidth`.
    public var codedHeight: Int?
    /// The codec in words, "H.264" and the like; `nil` if unknown.
    public var videoCodec: String?
    /// The video decoder; `nil` if the film has no video.
    public var decoder: VideoDecoder?
    /// The title from the film's metadata, else the file's name.
    public var title: String?
    /// The film's texts, by mpv's names (`FilmMetadata`).
    public var metadata: [String: String] = [:]
    /// The audio and subtitle tracks.
    public var tracks: [MediaOption] = []
    /// The number of the audible track; `nil` if there is none, or no output for it.
    public var heardTrack: Int?
    /// Empty if the film has no chapters.
    public var chapters = ChapterList()

    /// Media info whose omitted properties are unknown or absent.
    public init(
        duration: MediaTime? = nil, isSeekable: Bool = false, isLive: Bool = false, isLocal: Bool = true,
        hasVideo: Bool = true, hasAudio: Bool = false, frameDuration: MediaTime? = nil, width: Int? = nil,
        height: Int? = nil, title: String? = nil
    ) {
        self.duration = duration
        self.isSeekable = isSeekable
        self.isLive = isLive
        self.isLocal = isLocal
        self.hasVideo = hasVideo
        self.hasAudio = hasAudio
        self.frameDuration = frameDuration
        self.width = width
        self.height = height
        self.title = title
    }
}

extension MediaInfo {
    /// Frames per second; `nil` if the stream does not say.
    public var frameRate: Double? { frameDuration.map { 1e9 / Double(max($0.nanoseconds, 1)) } }

    /// Silent media of this duration or less are no film: a film at ten frames a second has one frame of it.
    static let longestPicture = MediaTime.milliseconds(100)

    /// Whether the film has one frame, or a few too close together to be seen apart. It is shown still, as a JPEG is.
    public var isPicture: Bool {
        hasVideo && !hasAudio && !isLive && duration.map { $0 <= Self.longestPicture } ?? false
    }
}
