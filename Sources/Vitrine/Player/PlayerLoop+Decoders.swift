internal import Logging
internal import Media
internal import PlayerCore

/// A device's decoder that fails is followed by the next one by rank, which is the processor's at the latest.
extension PlayerLoop {
    /// The film is not to have this decoder any more: told, and remembered.
    /// - Parameters:
    ///   - why: what happened, for people.
    ///   - needsOtherForm: this load needs frames in another form than the decoder makes. That is remembered for loads like
    ///     this one, in this run.
    /// - Returns: whether it may have another one. `false` where it was not to have this one already, which it has for want of another.
    func avoid(_ decoder: VideoDecoder?, because why: String, needsOtherForm: Bool = false) -> Bool {
        guard let decoder, decoder.isHardware, let film = session.location else { return false }
        let isNew =
            needsOtherForm
            ? logged.avoid(decoder, for: film, on: session.run.openedScreen) : logged.avoid(decoder, for: film)
        guard isNew else { return false }
        let text =
            "\(session.name) does not play with the decoder \(decoder.name), and goes on with another one: \(why)"
        log.warning("\(text)")
        notifyMachine(ofWarning: text)
        if !needsOtherForm { options.beforeFilm?(.avoids(film, decoder)) }
        return true
    }

    /// Opens the film anew where it is, with another decoder, if one is to blame and there may be another.
    func opensWithAnotherDecoder(after failure: MediaFailure) -> Bool {
        let decoder = failure.decoder ?? (failure.reason == .stuck ? session.pipeline?.decoder : nil)
        guard avoid(decoder, because: failure.message, needsOtherForm: failure.needsOtherForm) else { return false }
        counters.counted.rebuilds += 1
        updatePosition()
        // One that was still being opened is nowhere yet.
        let asked = session.mediaInfo == nil && !session.scrubber.isSeeking ? session.run.openingTime : nil
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: asked ?? time, isStuck: failure.reason == .stuck)
        }
        return true
    }
}
