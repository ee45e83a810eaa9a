internal import Dispatch
internal import PlayerCore

/// The player's own controls on the screen, as a `Transport`: what they are told goes to the loop, and what fingers ask for to the
/// delegate, as from anybody's controls.
///
/// A drag of the bar is the loop's own: between finger and frame nothing waits in a queue. Time and title the loop has from the film.
final class ScreenControls: Transport {
    /// What they were told.
    struct State: Hashable, Sendable {
        var subtitles: [MediaOption] = []
        var subtitle: MediaOption?
        var loudness = Loudness()
    }

    private struct Owner: Sendable {
        weak var loop: PlayerLoop?
    }

    private let owner: Owner

    /// - Parameter loop: is not kept.
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
