internal import Dispatch
internal import PlayerCore

/// The player's own controls on the screen, as a `Transport`: calls go to the loop, and actions of fingers to the
/// delegate, as for any controls.
///
/// The loop handles a drag of the bar itself, so that nothing waits in a queue between finger and frame. It has time
/// and title from the film.
final class ScreenControls: Transport {
    /// The values that the controls were sent.
    struct State: Hashable, Sendable {
        var subtitles: [MediaOption] = []
        var subtitle: MediaOption?
        var loudness = Loudness()
    }

    private struct Owner: Sendable {
        weak var loop: PlayerLoop?
    }

    private let owner: Owner

    /// - Parameter loop: not retained.
    init(_ loop: PlayerLoop) {
        owner = Owner(loop: loop)
    }

    func setTitle(_ title: String) {}

    func setCurrentTime(_ time: MediaTime, duration: MediaTime?) {}

    func setScrubbingTime(_ time: MediaTime) {}

    func playbackComplete() { change { _ in } }

    func setSubtitles(_ options: [MediaOption], selected: MediaOption?) {
        change { ($0.subtitles, $0.subtitle) = (options, selected) }
    }

    func setVolume(_ loudness: Loudness) {
        change { $0.loudness = loudness }
    }

    private func change(_ change: @escaping @Sendable (inout State) -> Void) {
        guard let loop = owner.loop else { return }
        loop.loop.async { loop.assumeIsolated { $0.changeControls(change) } }
    }
}
