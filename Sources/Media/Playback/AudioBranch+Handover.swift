internal import CGStreamer
internal import CVideoSink
internal import PlayerCore

/// A card that plays, from the last sample of one film to the first one of the next.
struct HandedSound: Sendable {
    let card: SoundCard
    /// ALSA's name of it.
    let device: String?
    let clock: FilmClock
    /// The second place that plays the sound.
    let second: SecondSound?
    /// The clock's time at which the next film's sound begins.
    let start: GstClockTime
}

/// The sound of two films without a gap.
extension AudioBranch {
    /// Whether the end of the sound is to wait for the decision whether the card goes to the film that follows.
    func setFollowed(_ isFollowed: Bool) {
        if let socket { vitrine_sound_socket_set_followed(socket.raw, isFollowed) }
    }

    /// The end does not wait any longer.
    func letEnd() { if let socket { vitrine_sound_socket_end(socket.raw) } }

    /// What is decoded of the track that is heard; `nil` where nothing is.
    var format: Caps? { selector?.pad("src")?.currentCaps }

    /// Gives the card away, which plays on, while the end of the sound waits. A silent sink takes its place. For the film's worker.
    /// - Returns: the card and the second place; `nil` where it is too late.
    func give(from pipeline: Element) throws(MediaFailure) -> (card: SoundCard, second: SecondSound?)? {
        guard let socket, let old = sink, let card, card.sink == old else { return nil }
        let silence = try Element("fakesink", name: PadLinker.silence)
        silence.set("sync", to: true)
        silence.set("async", to: false)
        guard vitrine_sound_socket_give(socket.raw) else { return nil }
        let second = takeSecond()
        // The end waits in the socket: the second place must not get it.
        second?.leave()
        old.lockState(true)
        pipeline.remove(old)
        pipeline.add(silence)
        take(silence, SoundCard([]))
        guard let exit = socket.pad("src"), let entry = silence.pad("sink"), exit.link(to: entry) else {
            throw MediaFailure(unlinked: "the sound's sink does not link")
        }
        silence.syncStateWithParent()
        vitrine_sound_socket_plug(socket.raw)
        return (card, second)
    }

    /// The card as the film before left it: added to the pipeline it had lost clock and time.
    func goOn(_ sound: HandedSound, _ sink: Element, behind socket: Element) {
        sound.clock.drive(sink)
        sink.baseTime = sound.start
        vitrine_sound_socket_go_on(socket.raw)
    }
}
