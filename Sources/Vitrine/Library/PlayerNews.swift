public import PlayerCore

/// A player's report to its followers, in the order in which things happened.
public enum PlayerNews: Sendable {
    /// The player's status changed.
    case status(TimeControlStatus)
    /// GStreamer's state of the current item's pipeline changed.
    case pipelineState(PipelineState)
    /// The requested rate changed.
    case rate(PlaybackRate)
    /// The requested volume changed.
    case loudness(Loudness)
    /// The gravity, the sound preference, the tracks' criteria, the visibility of subtitles, or the default rate
    /// changed.
    case settings
    /// The queue's items, their order, or the item that follows changed.
    case queue
    /// The message on the screen changed; `nil` for none.
    case message(String?)
    /// The on-screen display, or the screen itself, changed (`Player.screen`).
    case screen
    /// Fingers did something that a visit counts.
    case touch(TouchReport)
    /// The list of sound outputs changed (`Player.routes`).
    case routes([SoundRoute])
    /// The sound output in use changed; `nil` if the sound is not heard.
    case route(SoundRoute?)
    /// The current item changed.
    case item(PlayerItem?)
    /// The item is being opened, perhaps again; `isNextItem` if it follows the end of the one before by itself.
    case opens(PlayerItem, isNextItem: Bool)
    /// The current item's media info changed. All following cases are about the current item, too.
    case mediaInfo(PlayerItem, MediaInfo)
    /// The item is open.
    case ready(PlayerItem)
    /// The item's first frame is on the screen, or an item with sound alone is open.
    case shows(PlayerItem)
    /// The tracks to choose from, or the selected one, changed.
    case selection(PlayerItem)
    /// The part that can be played without waiting for a network changed.
    case buffered(PlayerItem)
    /// The level of the network buffer in per cent; `nil` if nothing is waited for.
    case buffering(Int?)
    /// The film's time: at multiples of the requested interval, and after each jump.
    case time(MediaTime, of: PlayerItem?)
    /// Whether a seek or a finger moves the film.
    case seeking(Bool)
    /// The item was played to its end; once each time.
    case ended(PlayerItem)
    /// Whether the current item stands at its end.
    case hasEnded(Bool)
    /// No item of a playlist follows, and the action is `ActionAtQueueEnd.finish`.
    case finished
    /// An item cannot be played, or not any further.
    case failed(ItemFailure)
    /// An item continues with a defect.
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
