/// A command to the engine, which plays one film at a time. Each returns at once; the result is reported as `FilmNews`.
public enum FilmCommand: Hashable, Sendable {
    /// Opens an item in place of the current one, and shows its frame at `seek`, or its first. The seek, if there is
    /// one, is answered.
    case open(LoadID, ItemID, seek: FilmSeek?)
    /// Closes the current item: nothing is shown.
    case close
    /// Closes an item that has failed; the error message stays.
    case closeFailed
    /// Sets the film's rate; 0 pauses.
    case setRate(PlaybackRate)
    /// Sets the rate of films that play again after a pause.
    case setDefaultRate(PlaybackRate)
    /// Sets whether somebody observes the film's time: it is then reported while the film plays.
    case setObserved(Bool)
    /// Sets whether the chosen subtitles are shown.
    case setSubtitlesShown(Bool)
    /// Seeks. Answered once by `sought`, unless a newer seek was sent meanwhile.
    case seek(LoadID, FilmSeek)
    /// Seeks a film that has ended to the end that it is played again from. A still that is shown for a time has no
    /// such frame; its time starts again.
    case restart(LoadID, FilmSeek)
    /// Pauses, and shows the frame `by` frames after the current one or the seek's target; before it if `by` is below
    /// 0. Answered as a seek of this number: with `nil` if there is no other frame in that direction.
    case step(LoadID, number: UInt64, by: Int)
    case setLoudness(Loudness)
    /// Sets how films are fitted into the display.
    case setGravity(VideoGravity)
    /// Sets the preferred sound output.
    case setSound(SoundPreference)
    case select(LoadID, MediaCharacteristic, TrackChoice)
    /// Sets which track is chosen in films without a choice of their own.
    case setPreference(MediaCharacteristic, TrackPreference)
    /// Pauses at the end of a film that was played to its end, or backwards to its start: on its very last frame, or
    /// its first, even if there was no time to show it.
    case stopAtEnd(LoadID)
    /// Sets whether the current item repeats. Sent before the end, so that the repetition can be seamless.
    case setLooping(Bool)
    /// Sets the item that follows the current one, if any. Sent before the end, so that it can be preloaded.
    case setNext(ItemID?)
}

/// One seek of the engine's.
public struct FilmSeek: Hashable, Sendable {
    /// Distinguishes its answer (`FilmNews.sought`) from those of older seeks.
    public var number: UInt64
    public var target: SeekTarget

    public init(number: UInt64, target: SeekTarget) {
        self.number = number
        self.target = target
    }
}

/// The engine's reports, in the order in which things happened. Reports of a load that was left are ignored.
public enum FilmNews: Sendable {
    /// The first frame is decoded, or the sound is ready. Reported again when the engine had to build its pipeline
    /// anew.
    case opened(LoadID, MediaInfo)
    case mediaInfo(LoadID, MediaInfo)
    /// The first frame is on the screen, or an item with sound alone is open.
    case shown(LoadID)
    /// Whether a seek or a finger moves the film.
    case seeking(LoadID, Bool)
    /// The film's actual rate from now on; 0 while it stands still.
    case running(LoadID, PlaybackRate)
    /// The film does not play at this rate, which stays the requested one, but at its own.
    case rateRefused(LoadID, PlaybackRate)
    /// The position that a finger's seek has reached, while the finger holds the film.
    case position(LoadID, MediaTime)
    /// The film's position after a seek; `nil` if the seek could not be done, or a finger was in the way.
    case sought(LoadID, seek: UInt64, at: MediaTime?)
    /// The buffer's level in per cent; 100 if nothing is waited for.
    case buffering(LoadID, percent: Int)
    /// The parts of the film that can be played without waiting for a network, in rising order.
    case buffered(LoadID, [ClosedRange<MediaTime>])
    /// Whether a finger on the screen holds the film. Without a `position` in between it has not moved the film.
    case touched(LoadID, Bool)
    /// A tap on the paused film asks to start it.
    case tapped(LoadID)
    /// The film has reached its end; with `isLooping` it continues from its start by itself.
    case ended(LoadID, isLooping: Bool)
    /// The film was sought to its start to be played again, and ended at once: its demuxer does not find the start.
    case restartMissed(LoadID)
    /// The film cannot be played, or not any further; nothing of it is open any more.
    case failed(LoadID, MediaFailure)
    /// The tracks of one kind, or the chosen one, have changed.
    case selection(LoadID, MediaSelectionGroup)
    /// The pipeline's own state.
    case state(LoadID, PipelineState)
    /// The film continues with a defect: without sound, or in another state than was requested.
    case warning(LoadID, String)
    /// A message for the viewer.
    case message(String?)
    /// The on-screen display, or the screen itself, has changed.
    case screen
    /// Fingers did something that a visit counts.
    case touch(TouchReport)
    /// The available sound outputs.
    case routes([SoundRoute])
    /// The sound output in use; `nil` if the sound is not heard.
    case route(SoundRoute?)
}
