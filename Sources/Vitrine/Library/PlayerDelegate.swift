public import PlayerCore

/// Is told by calls what the player's sequences tell: each function is there already and does nothing.
///
/// On the main actor, a call at a time, in the order in which it happened. Once 1,024 calls wait, the oldest are left out: a
/// slow delegate does not hold the player up.
@MainActor
public protocol PlayerDelegate: AnyObject, Sendable {
    /// The first item is open and can be played: once. Commands from before were remembered.
    func playerIsReady(_ player: Player)
    /// What it does: at first, and when it is something else.
    func player(_ player: Player, timeControlStatus: TimeControlStatus)
    /// Its pipeline's own state: at first, and when it is another one.
    func player(_ player: Player, pipelineState: PipelineState)
    /// Where the film is: `Player.periodicTimes`, and as often while it stands, but not while somebody scrubs; again where its
    /// duration turns out to be another one. `duration` is `nil` where it is unknown, as for live media.
    func player(_ player: Player, currentTime: MediaTime, duration: MediaTime?)
    /// Of the current item; `nil` for sound alone.
    func player(_ player: Player, presentationSize: PlayerItem.Size?)
    /// `Player.messages`.
    func player(_ player: Player, message: String?)
    /// An item cannot be played, or not on: once for each time that it was opened.
    func player(_ player: Player, itemFailed: ItemFailure)
    /// An item goes on, but not as it should: `Player.itemWarnings`.
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
    /// Tells a delegate from now on, and the one before no longer.
    /// - Parameters:
    ///   - delegate: is not kept.
    ///   - interval: how often it is told the time, while the film plays and while it stands.
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

/// A delegate, and what it knows.
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

    /// - Returns: `false` where nobody listens any more.
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
