internal import PlayerCore

/// What a player tells its followers, in the order in which it happened.
enum PlayerNews: Sendable {
    case status(TimeControlStatus)
    case pipelineState(PipelineState)
    case message(String?)
    /// The current item is another one.
    case item(PlayerItem?)
    /// Of the current item, as all that follows.
    case facts(PlayerItem, MediaFacts)
    case ready(PlayerItem)
    case time(MediaTime, of: PlayerItem?)
    case ended(PlayerItem)
    case failed(ItemFailure)
    case warning(ItemWarning)
}

extension PlayerNews {
    init?(_ change: PlaybackMachine.ItemChange, of item: PlayerItem) {
        switch change {
        case .facts(let facts?): self = .facts(item, facts)
        case .status(.readyToPlay): self = .ready(item)
        case .facts, .status, .buffered, .selection: return nil
        }
    }
}
