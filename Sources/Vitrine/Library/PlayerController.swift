public import PlayerCore

/// Connects a player with a program's controls, neither of which knows the other.
public final class PlayerController: TransportDelegate {
    /// The controlled player; retained by this object.
    public let player: Player
    private let link: TransportLink

    /// Connects them, as long as this object is retained.
    /// - Parameters:
    ///   - player: retained.
    ///   - transport: not retained.
    ///   - interval: how often it is sent the time, while the film plays and while it stands.
    public init(_ player: Player, transport: any Transport, every interval: MediaTime = .milliseconds(250)) {
        self.player = player
        link = TransportLink(player.core, transport, every: interval)
    }

    /// `Player.play`.
    public func play() { link.play() }

    /// `Player.pause`.
    public func pause() { link.pause() }

    /// Pauses, and seeks to the start; then the controls are notified that playback is complete.
    public func stop() { link.stop() }

    /// `Player.beginScrubbing`.
    public func scrubbingDidStart() { link.scrubbingDidStart() }

    /// `Player.scrub`; the controls are sent the time at once, on the same thread.
    public func scrubbed(to time: MediaTime) { link.scrubbed(to: time) }

    /// `Player.endScrubbing` at the last scrubbed time; without one the film stays at its position.
    public func scrubbingDidEnd() { link.scrubbingDidEnd() }

    /// Seeks to the exact frame, without waiting.
    public func jumped(to time: MediaTime) { link.jumped(to: time) }

    /// Selects subtitles of the current item, or none, and those of the same language in items that follow.
    public func subtitleSelected(_ option: MediaOption?) { link.subtitleSelected(option) }

    /// Selects an audio track in the same way.
    public func languageSelected(_ option: MediaOption?) { link.languageSelected(option) }

    /// `Player.loudness`.
    public func setVolume(_ loudness: Loudness) { link.setVolume(loudness) }

    /// `Player.selectRoute`.
    public func outputSelected(_ route: SoundRoute) { link.outputSelected(route) }
}
