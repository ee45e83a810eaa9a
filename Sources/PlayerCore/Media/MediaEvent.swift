/// News from a film's pipeline, in the order it happened.
public enum MediaEvent: Sendable {
    /// The first frame is on the screen, or the sound is ready: commands are accepted. Reported once.
    case ready(MediaInfo)
    /// What is known about the film changed: its duration, its size, its title.
    case mediaInfo(MediaInfo)
    /// The frame that answers a seek is on the screen.
    case frame(SeekFrame)
    /// A seek that cannot be done now, or at all.
    case seekFailed(SeekRequest.Ticket)
    /// The film is not played at this rate, but at its own.
    case rateRefused(PlaybackRate)
    /// A seek is done in all its streams, the sound's too.
    case settled
    /// The pipeline's own state.
    case state(PipelineState)
    case position(MediaTime)
    /// A text of the subtitles with this number, ahead of its time; again after seeks.
    case cue(track: Int, Cue)
    /// A frame came too late for the screen and was not shown.
    case dropped
    /// The display's plane was to scale the frames, and its driver does not: a corner of each is seen.
    case scalingRefused
    /// Where the film's key frames are, in rising order.
    case keyframes([MediaTime])
    case buffering(percent: Int)
    /// What of a remote film is loaded.
    case buffered(LoadedPart)
    case endOfStream
    /// The film has been seen to its end, and its start follows by itself.
    case passed
    /// The pipeline is gone.
    case failed(MediaFailure)
    /// The film goes on, but not as it should: silent, without subtitles.
    case warning(String)
    /// The place's sound comes out there now, by ALSA's name; `nil`: it is not heard.
    case soundDevice(String?, SoundPlace)
    /// The sound cannot go there, by ALSA's name.
    case soundFailed(device: String, SoundRouter.Failure)
    /// The mouse or a finger on the film's window.
    case pointer(WindowPointer)
    /// Somebody closed the film's window: the pipeline is gone.
    case windowClosed
}

/// A frame that reached the screen.
public struct SeekFrame: Hashable, Sendable {
    /// The seek that it answers.
    public var ticket: SeekRequest.Ticket
    /// Where in the film it stands; `nil` where the seek led behind the film's last frame and none came.
    public var time: MediaTime?
    /// Where it begins: earlier, where the seek led into its middle.
    public var start: MediaTime?
    /// How long it stands; `nil` where the stream does not say.
    public var duration: MediaTime?
    /// When it was on the screen.
    public var shownAt: MonotonicTime
    /// How long one frame takes to decode, as measured on the way to it; `nil` where none was passed.
    public var decodingTime: Duration?
    /// The film can play on from it without another seek, although a drag asked for it.
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
    /// Nothing is open.
    case null = "NULL"
    /// Devices are open, the film is not.
    case ready = "READY"
    /// The film is open, and stands.
    case paused = "PAUSED"
    /// Its clock runs.
    case playing = "PLAYING"
}

/// What is known of a film once it is open.
public struct MediaInfo: Hashable, Sendable {
    /// `nil` while it is unknown, and for live media.
    public var duration: MediaTime?
    /// Never for live media.
    public var isSeekable: Bool
    /// Live sources have no duration and no seek bar.
    public var isLive: Bool
    /// Local media are sought while the finger moves, remote ones when it lifts.
    public var isLocal: Bool
    /// Frames, a still too.
    public var hasVideo: Bool
    /// Sound, heard or not.
    public var hasAudio: Bool
    /// How long one frame stands; `nil` where the stream does not say.
    public var frameDuration: MediaTime?
    /// The film's size in square pixels, as it is seen upright.
    public var width: Int?
    /// As `width`.
    public var height: Int?
    /// What brings its own frames upright: films of phones are as the phone was held.
    public var orientation = DisplayTransform.identity
    /// As the container has them: pixels, neither upright nor square.
    public var codedWidth: Int?
    /// As `codedWidth`.
    public var codedHeight: Int?
    /// "H.264" and the like, in words; `nil` where it is not known.
    public var videoCodec: String?
    /// What decodes its video; `nil` where there is none.
    public var decoder: VideoDecoder?
    /// From the film's metadata, else its file's name.
    public var title: String?
    /// What the film says of itself, by mpv's names (`FilmMetadata`).
    public var metadata: [String: String] = [:]
    /// Sounds and subtitles that can be chosen.
    public var tracks: [MediaOption] = []
    /// The number of the sound that is heard; `nil` where there is none, or nothing to hear it with.
    public var heardTrack: Int?
    /// Empty where the film has none.
    public var chapters = ChapterList()

    /// What is not given is not known, or not there.
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
    /// Frames per second; `nil` where the stream does not say.
    public var frameRate: Double? { frameDuration.map { 1e9 / Double(max($0.nanoseconds, 1)) } }

    /// As brief as this and silent, it is no film: one of ten frames a second has one.
    static let longestPicture = MediaTime.milliseconds(100)

    /// A film of one frame, or of a few that nobody could tell apart: it stands, as a JPEG does.
    public var isPicture: Bool {
        hasVideo && !hasAudio && !isLive && duration.map { $0 <= Self.longestPicture } ?? false
    }
}
