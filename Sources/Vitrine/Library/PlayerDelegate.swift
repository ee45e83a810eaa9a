public import PlayerCore

/// Receives the player's reports as calls. Each method has a default implementation that does nothing.
///
/// On the main actor, one call at a time, in the order in which things happened. Once 1,024 calls wait, the oldest are
/// dropped: a slow delegate does not delay the player.
@MainActor
public protocol PlayerDelegate: AnyObject, Sendable {
    /// The first item is open and can be played: once. Earlier commands were remembered.
    func playerIsReady(_ player: Player)
    /// The current status, and each change.
    func player(_ player: Player, timeControlStatus: TimeControlStatus)
    /// The pipeline's own state, and each change.
    func player(_ player: Player, pipelineState: PipelineState)
    /// The film's position: `Player.periodicTimes`, and as often while it stands, but not while somebody scrubs; again
    /// if its duration changes. `duration` is `nil` if unknown, as for live media.
    func player(_ player: Player, currentTime: MediaTime, duration: MediaTime?)
    /// The current item's size; `nil` for sound alone.
    func player(_ player: Player, presentationSize: PlayerItem.Size?)
    /// `Player.messages`.
    func player(_ player: Player, message: String?)
    /// An item cannot be played, or not any further: once each time that it was opened.
    func player(_ player: Player, itemFailed: ItemFailure)
    /// An item continues with a defect: `Player.itemWarnings`.
    func player(_ player: Player, itemWarning: ItemWarning)
}

extension PlayerDelegate {
    public func playerIsReady(_ player: Player) {}
    public func player(_ player: Player, timeControlStatus: TimeControlStatus) {}
    public func player(_ player: Player, pipelineState: PipelineState) {}
    public func player(_ player: Player, currentTime: MediaTime, duration: MediaTime?) {}
    public func player(_ player: Player, presentationSize: PlayerItem.Size?) {}
    public func player(_ player: Player, message: String?) {}
    public func player(_ player: Player, itemFailed: ItemFailure) {}
    public func player(_ player: Player, itemWarning: ItemWarning) {}
}

extension Player {
    /// Sets the delegate; the previous one receives nothing more.
    /// - Parameters:
    ///   - delegate: not retained.
    ///   - interval: how often it is sent the time, while the film plays and while it stands.
    public func setDelegate(_ delegate: (any PlayerDelegate)?, every interval: MediaTime = .milliseconds(250)) {
        core.setDelegation(
            delegate.map { delegate -> Task<Void, Never> in
                let (news, reporter) = (core.follow(every: interval), Reporter(delegate: delegate))
                return Task { [weak self] in
                    for await one in news {
                        guard let self, await reporter.notify(one, of: self) else { return }
                    }
                }
            })
    }
}

/// A delegate, and the values that it was sent.
@MainActor
private final class Reporter {
    weak var delegate: (any PlayerDelegate)?
    private var isReady = false
    private var size: PlayerItem.Size??
    private var message: String?
    private var clock = ReportedClock()

    nonisolated init(delegate: any PlayerDelegate) {
        self.delegate = delegate
    }

    /// - Returns: `false` if the delegate no longer exists.
    func notify(_ news: PlayerNews, of player: Player) -> Bool {
        guard let delegate, !Task.isCancelled else { return false }
        switch news {
        case .status(let status): delegate.player(player, timeControlStatus: status)
        case .message(let text):
            if text != message { delegate.player(player, message: text) }
            message = text
        case .item: clock = ReportedClock()
        case .pipelineState(let state): delegate.player(player, pipelineState: state)
        case .mediaInfo(_, let mediaInfo):
            let size = PlayerItem.Size(mediaInfo)
            if .some(size) != self.size { delegate.player(player, presentationSize: size) }
            self.size = size
            if let time = clock.learn(mediaInfo.duration) {
                delegate.player(player, currentTime: time, duration: mediaInfo.duration)
            }
        case .ready:
            if !isReady { delegate.playerIsReady(player) }
            isReady = true
        case .time(let time, let item):
            clock.report(time, item?.duration)
            delegate.player(player, currentTime: time, duration: clock.duration)
        case .failed(let failure): delegate.player(player, itemFailed: failure)
        case .warning(let warning): delegate.player(player, itemWarning: warning)
        default: break
        }
        return true
    }
}
