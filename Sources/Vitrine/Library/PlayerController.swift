public import PlayerCore

/// Joins a player with somebody's controls, neither of which knows the other.
public final class PlayerController: TransportDelegate {
    /// What the controls control; kept as long as this is.
    public let player: Player
    private let link: TransportLink

    /// Joins them from now on, as long as this is kept.
    /// - Parameters:
    ///   - player: is kept.
    ///   - transport: is not kept.
    ///   - interval: how often it is told the time, while the film plays and while it stands.
    public init(_ player: Player, transport: any Transport, every interval: MediaTime = .milliseconds(250)) {
        self.player = player
        link = TransportLink(player.core, transport, every: interval)
    }

    /// `Player.play`.
    public func play() { link.play() }

    /// `Player.pause`.
    public func pause() { link.pause() }

    /// Pauses, and goes back to the start; then the controls are told that playback is complete.
    public func stop() { link.stop() }

    /// `Player.beginScrubbing`.
    public func scrubbingDidStart() { link.scrubbingDidStart() }

    /// `Player.scrub`; the controls are told the time at once, on the same thread.
    public func scrubbed(to time: MediaTime) { link.scrubbed(to: time) }

    /// `Player.endScrubbing` where it was scrubbed to last; where it was not, the film stays where it is.
    public func scrubbingDidEnd() { link.scrubbingDidEnd() }

    /// Goes to the very frame; nobody waits for it.
    public func jumped(to time: MediaTime) { link.jumped(to: time) }

    /// Has the current item's subtitles read, or none, and those of this language of items that follow.
    public func subtitleSelected(_ option: MediaOption?) { link.subtitleSelected(option) }

    /// The same of its sounds.
    public func languageSelected(_ option: MediaOption?) { link.languageSelected(option) }

    /// `Player.loudness`.
    public func setVolume(_ loudness: Loudness) { link.setVolume(loudness) }

    /// `Player.selectRoute`.
    public func outputSelected(_ route: SoundRoute) { link.outputSelected(route) }
}
