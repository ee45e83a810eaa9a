public import PlayerCore

/// What a player tells its followers, in the order in which it happened.
public enum PlayerNews: Sendable {
    /// What the player does is another thing.
    case status(TimeControlStatus)
    /// GStreamer's, of the current item's pipeline.
    case pipelineState(PipelineState)
    /// The wanted one.
    case rate(PlaybackRate)
    /// As it is wanted.
    case loudness(Loudness)
    /// Gravity, where the sound is to come out, the tracks' criteria, whether subtitles are shown, or how fast films play.
    case settings
    /// The queue's items, their order, or what follows them.
    case queue
    /// What the viewer is told; `nil`: nothing any more.
    case message(String?)
    /// What is on the screen besides the film, or the screen itself, is another (`Player.screen`).
    case screen
    /// What fingers have done, wherever they are.
    case touch(TouchReport)
    /// Where sound can come out is another list (`Player.routes`).
    case routes([SoundRoute])
    /// The sound comes out there now; `nil`: it is not heard.
    case route(SoundRoute?)
    /// The current item is another one.
    case item(PlayerItem?)
    /// It is opened from now on, perhaps once more; it may follow the end of the one before by itself.
    case opens(PlayerItem, isNextItem: Bool)
    /// Of the current item, as all that follows.
    case mediaInfo(PlayerItem, MediaInfo)
    /// It is open.
    case ready(PlayerItem)
    /// Its first frame is on the screen, or, of sound alone, it is open.
    case shows(PlayerItem)
    /// What there is to choose from of its tracks, or what is chosen, is another.
    case selection(PlayerItem)
    /// Another part of it can be played without waiting for a network.
    case buffered(PlayerItem)
    /// In per cent; `nil`: nothing is waited for.
    case buffering(Int?)
    /// Where the film is: at multiples of the interval that was asked for, and after each jump.
    case time(MediaTime, of: PlayerItem?)
    /// A seek or a finger leads the film elsewhere, or nothing does any more.
    case seeking(Bool)
    /// Each time that it is played to its end.
    case ended(PlayerItem)
    /// Whether the current item stands at its end.
    case hasEnded(Bool)
    /// No item of a playlist is left to follow, and it is to end with that (`ActionAtQueueEnd.finish`).
    case finished
    /// An item cannot be played, or not on.
    case failed(ItemFailure)
    /// An item goes on, but not as it should.
    case warning(ItemWarning)
}

extension PlayerNews {
    init?(_ change: PlaybackMachine.ItemChange, of item: PlayerItem) {
        switch change {
        case .mediaInfo(let mediaInfo?): self = .mediaInfo(item, mediaInfo)
        case .status(.readyToPlay): self = .ready(item)
        case .buffered: self = .buffered(item)
        case .selection: self = .selection(item)
        case .mediaInfo, .status: return nil
        }
    }
}
