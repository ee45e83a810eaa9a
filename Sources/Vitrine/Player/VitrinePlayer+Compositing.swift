internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension VitrinePlayer {
    /// For a display without a plane for the OSD; `nil` for others.
    static func makeCompositor(for display: Display, _ log: Logger) -> StripCompositor? {
        guard display.choice.step == .composited else { return nil }
        return StripCompositor { strip in
            do throws(KMSError) {
                guard let strip else { return try display.clearBackground() }
                try strip.withPixels { pixels throws(KMSError) in
                    let place = strip.place
                    try display.drawOnBackground(
                        pixels, x: place.x, y: place.y, width: place.width, height: place.height)
                }
            } catch {
                log.warning("the on-screen display is not shown: \(error)")
            }
        }
    }

    /// For a window, below whose film nothing lies.
    static func makeCompositor() -> StripCompositor { StripCompositor { _ in } }

    /// The strip goes into this film's pictures from now on, or, with `nil`, onto the black below.
    func compose(with film: FilmPipeline?) {
        guard let compositor else { return }
        compositor.use(film)
        // It may wait for a flip.
        Task { await offLoop { compositor.refresh() } }
    }
}
