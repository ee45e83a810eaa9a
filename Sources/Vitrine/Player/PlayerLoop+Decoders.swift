internal import Logging
internal import Media
internal import PlayerCore

/// Replaces a hardware decoder that fails by the next one by rank, in the end a software decoder.
extension PlayerLoop {
    /// Stops using this decoder for the film: reported, and remembered.
    /// - Parameters:
    ///   - why: the reason, for people.
    ///   - needsOtherForm: whether this load needs frames in another form than the decoder makes. That is remembered
    ///     for loads like this one, in this run.
    /// - Returns: whether another decoder may be tried. `false` if the decoder was avoided already, and is used because
    ///   there is no other.
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

    /// Opens the film anew at its position, with another decoder, if a decoder is to blame and there may be another.
    func opensWithAnotherDecoder(after failure: MediaFailure) -> Bool {
        let decoder = failure.decoder ?? (failure.reason == .stuck ? session.pipeline?.decoder : nil)
        guard avoid(decoder, because: failure.message, needsOtherForm: failure.needsOtherForm) else { return false }
        counters.counted.rebuilds += 1
        updatePosition()
        // A film that is still being opened has no position yet.
        let asked = session.mediaInfo == nil && !session.scrubber.isSeeking ? session.run.openingTime : nil
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: asked ?? time, isStuck: failure.reason == .stuck)
        }
        return true
    }
}
