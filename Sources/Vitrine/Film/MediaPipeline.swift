internal import Media
internal import PlayerCore

/// What a film's session needs of a pipeline: `FilmPipeline`, or a test's script.
///
/// Commands return at once, from any thread; what comes of them is reported in `events`.
protocol MediaPipeline: AnyObject, Sendable {
    var location: MediaLocation { get }
    /// Read once; ends with `close`.
    var events: AsyncStream<MediaEvent> { get }
    var frames: FrameCount { get }
    var recentFrames: [ShownFrame] { get }
    /// How many buffers of sound have arrived.
    var soundInput: UInt64 { get }
    /// What decodes its video; `nil` before there is one.
    var decoder: VideoDecoder? { get }
    /// Whether one that was preloaded cannot be played.
    var hasFailedPreroll: Bool { get }

    func preload()
    func takeCard()
    func takeSpare() -> SpareSink?
    func open(at time: MediaTime?, from place: StartPlace?, playing: Bool)
    func setPlaying(_ playing: Bool)
    func setLooping(_ looping: Bool)
    func setRate(_ rate: PlaybackRate)
    func setSound(_ sound: FilmOutput.Sound)
    /// ALSA's names of where the sound is to go from now on, the best first.
    func setSoundDevices(_ devices: SoundPlaces<[String]>)
    /// What was made ready, follows by itself, and begins at its start; `nil`: nothing.
    func beFollowed(by next: (any MediaPipeline)?)
    func selectAudio(_ number: Int)
    func setScrubMuted(_ scrubMuted: Bool)
    func seek(_ request: SeekRequest)
    func learn(_ found: Keyframes)
    /// Waits for a frame that is on its way to the screen, as `uncover` does.
    func cover()
    func uncover()
    /// Asks for the position, which comes as an event.
    func reportPosition(ofSound: Bool)
    func reportBuffered()
    func copyFrame() -> FilmFrame?
    /// Gives frames away for the film's scrub sheet.
    func harvest(_ harvest: FrameHarvest)
    /// - Returns: `false` where it did not let go of everything within that time.
    func close(_ frame: FilmPipeline.LastFrame, within deadline: Duration) async -> Bool
}

extension MediaPipeline {
    var decoder: VideoDecoder? { nil }

    func setSoundDevices(_ devices: SoundPlaces<[String]>) {}

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
///   - isHeld: to be preloaded.
///   - spare: of the film that plays.
typealias MakePipeline =
    @Sendable (
        _ location: MediaLocation, _ output: FilmOutput, _ display: FilmDisplay?, _ holdsPreroll: Bool,
        _ spare: SpareSink?
    ) throws(MediaFailure) -> any MediaPipeline
