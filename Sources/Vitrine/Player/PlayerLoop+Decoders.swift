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
        guard let decoder, decoder.isHardware, let film = session.location,
            session.pipeline?.isAvoided(decoder) != true
        else { return false }
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

    /// The hardware decoder, if it keeps the film from going on: it has not returned from a frame, or has taken in many
    /// since the last seek and given out none. A decoder that nothing reaches waits for a slow source.
    var stuckDecoder: VideoDecoder? {
        guard let film = session.pipeline, let decoder = film.decoder, decoder.isHardware else { return nil }
        return film.isHeldByDecoder || isInVain(film) ? decoder : nil
    }

    private func isInVain(_ film: any MediaPipeline) -> Bool {
        // Backwards, a decoder takes in a whole group before it gives out a frame.
        !session.rate.isReverse && film.frames.areTakenInVain(since: session.run.sentSeek?.from)
    }

    /// Opens the film anew with another decoder if the film's end arrives in place of the frame that was sought, or of
    /// the first one, because the decoder has taken in all frames and given out none. The end answers the seek and
    /// prerolls the sink, so that no deadline would notice it.
    func opensWithAnotherDecoder(inPlaceOf frame: PlayerCore.SeekFrame) -> Bool {
        // Previews decode one or two frames. An older GStreamer's decoders may lose those after a flush.
        let isAwaited = frame.ticket == SeekRequest.initial || session.scrubber.awaitsExactly(frame.ticket)
        guard frame.time == nil, isAwaited, let film = session.pipeline, let decoder = film.decoder,
            decoder.isHardware, isInVain(film)
        else { return false }
        var failure = MediaFailure(reason: .other, message: "it gave out no frame up to the film's end")
        failure.decoder = decoder
        return opensAlone(after: failure) || opensWithAnotherDecoder(after: failure)
    }

    /// Opens the film anew at its position, with another decoder, if a decoder is to blame and there may be another.
    func opensWithAnotherDecoder(after failure: MediaFailure) -> Bool {
        guard avoid(failure.decoder, because: failure.message, needsOtherForm: failure.needsOtherForm) else {
            return false
        }
        counters.pipelineIsRebuilt()
        let place = losePipeline()
        // Over a network, a stuck decoder looks like a silent source.
        let isStuck = failure.reason == .stuck || failure.reason == .network
        open(at: session.mediaInfo?.isLive == true ? nil : place, isStuck: isStuck)
        return true
    }
}
