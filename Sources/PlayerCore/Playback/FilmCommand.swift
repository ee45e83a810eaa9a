/// What a player asks of the engine that plays one film at a time. All of it returns at once; what came of it is told as
/// `FilmNews`.
public enum FilmCommand: Hashable, Sendable {
    /// Opens an item in place of the one before, and shows its frame at `seek`, or its first. Where there is a seek, it
    /// is answered.
    case open(LoadID, ItemID, seek: FilmSeek?)
    /// Closes what is open: nothing is shown.
    case close
    /// As `close`, of what has failed: the words that say so stand.
    case closeFailed
    /// How fast the film is to play; 0 stands still.
    case setRate(PlaybackRate)
    /// How fast films are to play once they do.
    case setDefaultRate(PlaybackRate)
    /// Whether somebody follows where the film is: it is told, then, while the film plays.
    case setObserved(Bool)
    /// Whether the subtitles that are chosen are to be read.
    case setSubtitlesShown(Bool)
    /// Answered once by `sought`, unless a newer one was sent meanwhile.
    case seek(LoadID, FilmSeek)
    /// As a seek, of a film that has ended, to the end that it is played again from: a frame that stands for its time has none, and
    /// stands once more.
    case restart(LoadID, FilmSeek)
    /// Stands still, and shows the frame so many on from where it is, or is being sought to; back where `by` is below 0.
    /// Answered as a seek of this number: with `nil` where there is no other frame that way.
    case step(LoadID, number: UInt64, by: Int)
    case setLoudness(Loudness)
    /// How films are fitted into the display.
    case setGravity(VideoGravity)
    /// Where the sound is to come out.
    case setSound(SoundPreference)
    case select(LoadID, MediaCharacteristic, TrackChoice)
    /// Which track is chosen of each film of which nothing else was chosen.
    case setPreference(MediaCharacteristic, TrackPreference)
    /// It was played to its end, or backwards to its start, and stands there: on its very last frame, or its first, though there
    /// was no time for it before.
    case stopAtEnd(LoadID)
    /// Whether the end of what is open is followed by its start: told before, so that it can be seamless.
    case setLooping(Bool)
    /// What will follow what is open, if anything: told before, so that it can be made ready.
    case setNext(ItemID?)
}

/// One seek of the engine's.
public struct FilmSeek: Hashable, Sendable {
    /// Tells its answer (`FilmNews.sought`) from those of older seeks.
    public var number: UInt64
    public var target: SeekTarget

    public init(number: UInt64, target: SeekTarget) {
        self.number = number
        self.target = target
    }
}

/// What the engine tells, in the order in which it happened. What it tells of a load that was left is ignored.
public enum FilmNews: Sendable {
    /// The first frame is there, or the sound is ready. Reported again where the engine had to build its pipeline anew.
    case opened(LoadID, MediaInfo)
    case mediaInfo(LoadID, MediaInfo)
    /// Its first frame is on the screen, or, of sound alone, it is open.
    case shown(LoadID)
    /// A seek or a finger leads the film elsewhere, or nothing does any more.
    case seeking(LoadID, Bool)
    /// How fast the film really goes from now on; 0: it stands still.
    case running(LoadID, PlaybackRate)
    /// The film is not played at this rate, which stays the wanted one, but at its own.
    case rateRefused(LoadID, PlaybackRate)
    /// While a finger holds the film: where a seek of that finger has led.
    case position(LoadID, MediaTime)
    /// Where the film is after a seek; `nil`: it could not be done, or a finger was in the way.
    case sought(LoadID, seek: UInt64, at: MediaTime?)
    /// Per cent; 100: nothing is waited for.
    case buffering(LoadID, percent: Int)
    /// What of the film can be played without waiting for a network, in rising order.
    case buffered(LoadID, [ClosedRange<MediaTime>])
    /// A finger on the screen holds the film, or no longer: without a `position` in between it has led nowhere.
    case touched(LoadID, Bool)
    /// Somebody has tapped the film, which stands paused, to start it.
    case tapped(LoadID)
    /// The film has reached its end; with `isLooping` it goes on from its start without being asked.
    case ended(LoadID, isLooping: Bool)
    /// It was sent to its start to be played again, and has ended again at once: its demuxer does not find that.
    case restartMissed(LoadID)
    /// It cannot be played, or not on; nothing of it is open any more.
    case failed(LoadID, MediaFailure)
    /// The tracks of one kind, or what is chosen of them, are others.
    case selection(LoadID, MediaSelectionGroup)
    /// Its pipeline's own state.
    case state(LoadID, PipelineState)
    /// It goes on, but not as it should: without sound, or in another state than it was asked for.
    case warning(LoadID, String)
    /// For the viewer.
    case message(String?)
    /// What is on the screen besides the film, or the screen itself, is another.
    case screen
    /// What fingers have done.
    case touch(TouchReport)
    /// Where sound can come out.
    case routes([SoundRoute])
    /// Where it comes out; `nil`: it is not heard.
    case route(SoundRoute?)
}
