internal import CGStreamer
internal import PlayerCore

/// A playing card that one film hands to the next.
struct HandedSound: Sendable {
    let card: SoundCard
    /// ALSA's name of the card.
    let device: String?
    let clock: FilmClock
    /// The second place, if there is one.
    let second: SecondSound?
    /// The clock's time at which the next film's sound begins.
    let start: GstClockTime
}

/// Joins the sound of two films without a gap.
extension AudioBranch {
    /// Sets whether the end of the sound waits until it is decided whether the next film gets the card.
    func setFollowed(_ isFollowed: Bool) { socket?.setFollowed(isFollowed) }

    /// Lets the end pass at once.
    func letEnd() { socket?.end() }

    /// The decoded format of the current track; `nil` if nothing is decoded.
    var format: Caps? { selector?.pad("src")?.currentCaps }

    /// Gives the playing card away while the end of the sound waits. A silent sink replaces it. Only for the film's worker.
    /// - Returns: the card and the second place; `nil` if the end has passed.
    func give(from pipeline: Element) throws(MediaFailure) -> (card: SoundCard, second: SecondSound?)? {
        guard let socket, let old = sink, let card, card.sink == old else { return nil }
        let silence = try Element("fakesink", name: PadLinker.silence)
        silence.set("sync", to: true)
        silence.set("async", to: false)
        guard socket.give() else { return nil }
        let second = takeSecond()
        // The end waits in the socket; the second place must not get it.
        second?.leave()
        old.lockState(true)
        pipeline.remove(old)
        pipeline.add(silence)
        take(silence, SoundCard([]))
        guard let exit = socket.pad("src"), let entry = silence.pad("sink"), exit.link(to: entry) else {
            throw MediaFailure(unlinked: "the sound's sink does not link")
        }
        silence.syncStateWithParent()
        socket.plug()
        return (card, second)
    }

    /// Restores the clock and base time that the card's sink lost when it was added to this pipeline.
    func goOn(_ sound: HandedSound, _ sink: Element, behind socket: SoundSocket) {
        sound.clock.drive(sink)
        sink.baseTime = sound.start
        socket.goOn()
    }
}
