internal import Media
internal import PlayerCore

/// What a film's session needs of a pipeline: `FilmPipeline`, or a test's script.
///
/// Commands return at once, from any thread; what comes of them is reported in `events`.
protocol MediaPipeline: AnyObject, Sendable {
    var location: MediaLocation { get }
    /// Read once; ends with `close`.
    var events: AsyncStream<MediaEvent> { get }
    var pictures: PictureCount { get }
    var recentPictures: [ShownPicture] { get }
    /// How many buffers of sound have arrived.
    var soundInput: UInt64 { get }
    /// What decodes its pictures; `nil` before there is one.
    var decoder: PictureDecoder? { get }
    /// Whether one that was preloaded cannot be played.
    var hasFailedHeld: Bool { get }

    func prepare()
    func takeCard()
    func takeSpare() -> SpareSink?
    func open(at time: MediaTime?, from place: StartPlace?, playing: Bool)
    func setPlaying(_ playing: Bool)
    func setLooping(_ looping: Bool)
    func setRate(_ rate: PlaybackRate)
    func setSound(_ sound: FilmOutput.Sound)
    func selectAudio(_ number: Int)
    func setHushed(_ hushed: Bool)
    func seek(_ request: SeekRequest)
    func learn(_ found: Keyframes)
    /// Asks for the position, which comes as an event.
    func reportPosition(ofSound: Bool)
    func reportBuffered()
    func picture() -> FilmPicture?
    /// - Returns: `false` where it did not let go of everything within that time.
    func close(_ picture: FilmPipeline.LastPicture, within deadline: Duration) async -> Bool
}

extension MediaPipeline {
    var decoder: PictureDecoder? { nil }

    func reportPosition() { reportPosition(ofSound: false) }

    func close(_ picture: FilmPipeline.LastPicture = .goes) async -> Bool { await close(picture, within: .seconds(3)) }

    func close(within deadline: Duration) async -> Bool { await close(.goes, within: deadline) }
}

extension FilmPipeline: MediaPipeline {}

/// Builds a pipeline. May block.
/// - Parameters:
///   - display: the film's side of an open display.
///   - isHeld: to be preloaded.
///   - spare: of the film that plays.
typealias MakePipeline =
    @Sendable (
        _ location: MediaLocation, _ output: FilmOutput, _ display: FilmDisplay?, _ isHeld: Bool, _ spare: SpareSink?
    ) throws(MediaFailure) -> any MediaPipeline
