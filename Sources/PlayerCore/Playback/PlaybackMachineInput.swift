/// What the machine is told, and what it says is to be done and told.
extension PlaybackMachine {
    public enum Command: Hashable, Sendable {
        /// The engine of a playlist is there: its current item is opened.
        case start
        /// The wanted rate; 0 pauses.
        case setRate(PlaybackRate)
        /// At `defaultRate`, or paused.
        case setPlaying(Bool)
        /// From now on, also where it is paused; never 0.
        case setDefaultRate(PlaybackRate)
        /// In per cent.
        case setVolume(Double)
        case setMuted(Bool)
        case setGravity(VideoGravity)
        case setSound(SoundPreference)
        case setSubtitlesShown(Bool)
        case setActionAtItemEnd(ActionAtItemEnd)
        case setLoop(QueueLoop)
        /// `nil` empties the queue. One that has failed is opened again.
        case replaceCurrent(ItemID?)
        /// An item of the playlist, once so much time has passed. Until then nothing is open.
        case wait(for: ItemID, Duration)
        /// Nothing is played; the playlist stays.
        case stop
        /// Behind an item of the queue, `nil`: at its end. One that is in the queue already stays where it is.
        case insert(ItemID, after: ItemID?)
        case remove(ItemID)
        case removeAll
        case advance
        /// Without an id, nobody waits for it; of no item, it is the current one's.
        case seek(SeekID?, ItemID?, SeekTarget)
        /// So many frames on, and back where it is below 0: of the current item, while it is open and nobody scrubs. It pauses.
        case step(SeekID, ItemID, Int)
        /// All of an item, or this one alone.
        case cancelSeeks(ItemID, only: SeekID?)
        /// Of no item, it is for those that follow.
        case choose(ItemID?, MediaCharacteristic, TrackChoice)
        /// For all items of which nothing else was chosen.
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
        /// `deadline` has come.
        case wake
    }

    public enum Output: Hashable, Sendable {
        case film(FilmCommand)
        /// An answer to whoever asked: whether the frame is there.
        case sought(ItemID, SeekID, Bool)
        case observer(TimeObservers.Call)
        case item(ItemID, ItemChange)
        case player(PlayerChange)
    }

    public enum ItemChange: Hashable, Sendable {
        case status(PlaybackItem.Status)
        /// `nil`: it is opened anew, and nothing is known yet.
        case mediaInfo(MediaInfo?)
        case buffered([ClosedRange<MediaTime>])
        case selection(MediaCharacteristic, MediaSelectionGroup?)
    }

    public enum PlayerChange: Hashable, Sendable {
        case status(TimeControlStatus)
        case rate(PlaybackRate)
        case loudness(Loudness)
        /// Gravity, where the sound is to come out, the tracks' criteria, whether subtitles are shown, or how fast films play.
        case settings
        /// The items, their order, or what follows them.
        case queue
        case currentItem(ItemID?)
        /// It is opened from now on, again perhaps; it may follow the end of the one before.
        case opens(ItemID, isNextItem: Bool)
        /// Its first frame is on the screen, or, of sound alone, it is open.
        case shows(ItemID)
        case seeking(Bool)
        /// Whether it stands at its end.
        case hasEnded(Bool)
        /// In per cent; `nil`: nothing is waited for.
        case buffering(Int?)
        case didPlayToEnd(ItemID)
        /// No item of the playlist is left to follow, and it is to end with that.
        case didFinish
        case failed(ItemID, MediaFailure)
        case pipelineState(PipelineState)
        case warning(ItemID, String)
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
}
