/// The machine's inputs and outputs.
extension PlaybackMachine {
    public enum Command: Hashable, Sendable {
        /// The engine of a playlist is ready: its current item is opened.
        case start
        /// Sets the requested rate; 0 pauses.
        case setRate(PlaybackRate)
        /// Plays at `defaultRate`, or pauses.
        case setPlaying(Bool)
        /// Sets the rate from now on, also while paused; never 0.
        case setDefaultRate(PlaybackRate)
        /// Sets the volume in per cent.
        case setVolume(Double)
        case setMuted(Bool)
        case setGravity(VideoGravity)
        case setSound(SoundPreference)
        case setSubtitlesShown(Bool)
        case setActionAtItemEnd(ActionAtItemEnd)
        case setLoop(QueueLoop)
        /// Replaces the current item; `nil` empties the queue. An item that has failed is opened again.
        case replaceCurrent(ItemID?)
        /// Opens an item of the playlist after this time. Nothing is open until then.
        case wait(for: ItemID, Duration)
        /// Stops playback; the playlist stays.
        case stop
        /// Inserts an item behind another one; `nil` inserts at the end. An item that is already in the queue stays
        /// where it is.
        case insert(ItemID, after: ItemID?)
        case remove(ItemID)
        case removeAll
        case advance
        /// Seeks. Without a seek id nobody waits for it; without an item it applies to the current one.
        case seek(SeekID?, ItemID?, SeekTarget)
        /// Pauses the current item and steps so many frames on, or back if below 0. Only while it is open and nobody
        /// scrubs.
        case step(SeekID, ItemID, Int)
        /// Cancels all seeks of an item, or only this one.
        case cancelSeeks(ItemID, only: SeekID?)
        /// Chooses a track; without an item, for those that follow.
        case choose(ItemID?, MediaCharacteristic, TrackChoice)
        /// Sets the preference for all items without a choice of their own.
        case preference(MediaCharacteristic, TrackPreference)
        case beginScrubbing
        case scrub(to: MediaTime)
        case endScrubbing(at: MediaTime?)
        case observe(TimeObserverID, TimeObservers.Kind)
        case endObserving(TimeObserverID)
    }

    public enum Input: Sendable {
        case command(Command)
        case news(FilmNews)
        /// `deadline` has passed.
        case wake
    }

    public enum Output: Hashable, Sendable {
        case film(FilmCommand)
        /// Answers the caller of a seek: whether its frame is shown.
        case sought(ItemID, SeekID, Bool)
        case observer(TimeObservers.Call)
        case item(ItemID, ItemChange)
        case player(PlayerChange)
    }

    public enum ItemChange: Hashable, Sendable {
        case status(PlaybackItem.Status)
        /// `nil` if the item is opened anew, and nothing is known yet.
        case mediaInfo(MediaInfo?)
        case buffered([ClosedRange<MediaTime>])
        case selection(MediaCharacteristic, MediaSelectionGroup?)
    }

    public enum PlayerChange: Hashable, Sendable {
        case status(TimeControlStatus)
        case rate(PlaybackRate)
        case loudness(Loudness)
        /// The gravity, the sound preference, the tracks' criteria, the visibility of subtitles, or the default rate
        /// changed.
        case settings
        /// The items, their order, or the item that follows changed.
        case queue
        case currentItem(ItemID?)
        /// The item is being opened, perhaps again; `isNextItem` if it follows the end of the one before.
        case opens(ItemID, isNextItem: Bool)
        /// The item's first frame is on the screen, or an item with sound alone is open.
        case shows(ItemID)
        case seeking(Bool)
        /// Whether the item stands at its end.
        case hasEnded(Bool)
        /// The buffer's level in per cent; `nil` if nothing is waited for.
        case buffering(Int?)
        case didPlayToEnd(ItemID)
        /// No item of the playlist follows, and `actionAtQueueEnd` is `finish`.
        case didFinish
        case failed(ItemID, MediaFailure)
        case pipelineState(PipelineState)
        case warning(ItemID, String)
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
}
