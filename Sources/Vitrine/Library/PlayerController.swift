public import PlayerCore
internal import Synchronization

/// Joins a player with somebody's controls, neither of which knows the other (A6, A7).
public final class PlayerController: TransportDelegate {
    /// What the controls control; kept as long as this is.
    public let player: Player
    private let task: Task<Void, Never>
    private let scrubbed = Mutex<MediaTime?>(nil)

    private struct Controls: Sendable {
        weak var transport: (any Transport)?
    }

    private let controls: Controls

    /// Joins them from now on, as long as this is kept.
    /// - Parameters:
    ///   - player: is kept.
    ///   - transport: is not kept.
    ///   - interval: how often it is told the time, while the film plays and while it stands.
    public init(_ player: Player, transport: any Transport, every interval: MediaTime = .milliseconds(250)) {
        self.player = player
        let controls = Controls(transport: transport)
        self.controls = controls
        let news = player.core.follow(every: interval)
        task = Task {
            var title: String?
            var clock = ToldClock()
            for await one in news {
                guard let transport = controls.transport else { return }
                switch one {
                case .item(let item):
                    title = item?.asset.fileName
                    if let title { transport.setTitle(title) }
                    clock = ToldClock()
                case .facts(_, let facts):
                    if let told = facts.title, told != title {
                        title = told
                        transport.setTitle(told)
                    }
                    if let time = clock.learn(facts.duration) {
                        transport.setCurrentTime(time, duration: facts.duration)
                    }
                case .time(let time, let item):
                    clock.tell(time, item?.duration)
                    transport.setCurrentTime(time, duration: clock.duration)
                case .ended: transport.playbackComplete()
                default: break
                }
            }
        }
    }

    deinit { task.cancel() }

    /// `Player.play`.
    public func play() { player.play() }

    /// `Player.pause`.
    public func pause() { player.pause() }

    /// Pauses, and goes back to the start.
    public func stop() {
        player.pause()
        jumped(to: .zero)
    }

    /// `Player.beginScrubbing`.
    public func scrubbingDidStart() {
        scrubbed.withLock { $0 = nil }
        player.beginScrubbing()
    }

    /// `Player.scrub`; the controls are told the time at once, on the same thread.
    public func scrubbed(to time: MediaTime) {
        scrubbed.withLock { $0 = time }
        controls.transport?.setScrubbingTime(time)
        player.scrub(to: time)
    }

    /// `Player.endScrubbing` where it was scrubbed to last; where it was not, the film stays where it is.
    public func scrubbingDidEnd() {
        player.endScrubbing(at: scrubbed.withLock { $0 })
    }

    /// Goes to the very picture; nobody waits for it.
    public func jumped(to time: MediaTime) { player.core.jump(to: time) }
}
