internal import Media
internal import PlayerCore

/// A film session's interface to a pipeline: `FilmPipeline`, or a test's script.
///
/// Commands return at once, from any thread; results are reported in `events`.
protocol MediaPipeline: AnyObject, Sendable {
    var location: MediaLocation { get }
    /// Read once; ends with `close`.
    var events: AsyncStream<MediaEvent> { get }
    var frames: FrameCount { get }
    var recentFrames: [ShownFrame] { get }
    /// The number of audio buffers that have arrived.
    var soundInput: UInt64 { get }
    /// Whether the video decoder has not returned from a frame for a second, and no decoded frame is on its way to the
    /// screen.
    var isHeldByDecoder: Bool { get }
    /// The video decoder; `nil` before there is one.
    var decoder: VideoDecoder? { get }
    /// Whether a decoder is used only where there is no other one.
    func isAvoided(_ decoder: VideoDecoder) -> Bool
    /// Whether a preloaded pipeline cannot be played.
    var hasFailedPreroll: Bool { get }

    func preload()
    func takeCard()
    func takeSpare() -> SpareSink?
    func open(at time: MediaTime?, from place: StartPlace?, playing: Bool)
    func setPlaying(_ playing: Bool)
    func setLooping(_ looping: Bool)
    func setRate(_ rate: PlaybackRate)
    func setSound(_ sound: FilmOutput.Sound)
    /// Sets ALSA's names of the sound outputs from now on, the best first, and of those that must not be heard.
    func setSoundDevices(_ devices: SoundPlaces<[String]>, forbidden: Set<String>)
    /// Sets the preloaded pipeline that follows by itself, and starts at its start; `nil` for none.
    func beFollowed(by next: (any MediaPipeline)?)
    func selectAudio(_ number: Int)
    func setScrubMuted(_ scrubMuted: Bool)
    func seek(_ request: SeekRequest)
    func learn(_ found: Keyframes)
    /// Covers the film. Waits for a frame that is on its way to the screen, as `uncover` does.
    func cover()
    func uncover()
    /// Queries the position, which is reported as an event.
    func reportPosition(ofSound: Bool)
    func reportBuffered()
    func copyFrame() -> FilmFrame?
    /// Passes frames to the film's scrub sheet.
    func harvest(_ harvest: FrameHarvest)
    /// - Returns: `false` if it did not release everything within that time.
    func close(_ frame: FilmPipeline.LastFrame, within deadline: Duration) async -> Bool
}

extension MediaPipeline {
    var decoder: VideoDecoder? { nil }

    func isAvoided(_ decoder: VideoDecoder) -> Bool { false }

    func setSoundDevices(_ devices: SoundPlaces<[String]>, forbidden: Set<String>) {}

    func beFollowed(by next: (any MediaPipeline)?) {}

    /// A script has no frames.
    func harvest(_ harvest: FrameHarvest) {}

    func reportPosition() { reportPosition(ofSound: false) }

    func close(_ frame: FilmPipeline.LastFrame = .goes) async -> Bool { await close(frame, within: .seconds(3)) }

    func close(within deadline: Duration) async -> Bool { await close(.goes, within: deadline) }
}

extension FilmPipeline: MediaPipeline {
    func beFollowed(by next: (any MediaPipeline)?) { beFollowed(by: next as? FilmPipeline) }
}

/// Builds a pipeline. May block.
/// - Parameters:
///   - display: the film's side of an open display.
///   - isHeld: whether it is preloaded.
///   - spare: the open sink of the film that plays.
typealias MakePipeline =
    @Sendable (
        _ location: MediaLocation, _ output: FilmOutput, _ display: FilmDisplay?, _ holdsPreroll: Bool,
        _ spare: SpareSink?
    ) throws(MediaFailure) -> any MediaPipeline
