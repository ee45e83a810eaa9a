public import PlayerCore
internal import Synchronization

/// Joins a player with somebody's controls, neither of which knows the other (A6, A7).
public final class PlayerController: TransportDelegate {
    public let player: Player
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let scrubbed = Mutex<MediaTime?>(nil)

    private struct Controls: Sendable {
        weak var transport: (any Transport)?
    }

    private let controls: Controls

    /// - Parameters:
    ///   - transport: is not kept.
    ///   - interval: how often it is told the time.
    public init(_ player: Player, transport: any Transport, every interval: MediaTime = .milliseconds(500)) {
        self.player = player
        controls = Controls(transport: transport)
        let controls = controls
        let (times, items, ends) = (
            player.periodicTimes(every: interval), player.currentItemUpdates, player.didPlayToEnd
        )
        tasks.withLock { tasks in
            tasks = [
                Task { [weak player] in
                    for await time in times {
                        controls.transport?.setCurrentTime(time, duration: player?.currentItem?.duration)
                    }
                },
                Task {
                    for await item in items {
                        guard let item else { continue }
                        controls.transport?.setTitle(await item.asset.title)
                    }
                },
                Task {
                    for await _ in ends { controls.transport?.playbackComplete() }
                },
            ]
        }
    }

    deinit {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    public func play() { player.play() }

    public func pause() { player.pause() }

    public func stop() {
        player.pause()
        jumped(to: .zero)
    }

    public func scrubbingDidStart() {
        scrubbed.withLock { $0 = nil }
        player.beginScrubbing()
    }

    public func scrubbed(to time: MediaTime) {
        scrubbed.withLock { $0 = time }
        controls.transport?.setScrubbingTime(time)
        player.scrub(to: time)
    }

    public func scrubbingDidEnd() {
        player.endScrubbing(at: scrubbed.withLock { $0 })
    }

    public func jumped(to time: MediaTime) { player.core.jump(to: time) }
}
