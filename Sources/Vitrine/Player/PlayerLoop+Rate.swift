internal import Logging
internal import Media
internal import PlayerCore

/// The requested rate of films, and the actual rate of the one that plays.
extension PlayerLoop {
    func setFilmRate(_ rate: PlaybackRate) {
        guard rate != wantedRate else { return }
        wantedRate = rate
        session.rate = rate
        session.pipeline?.setRate(rate)
        if rate != .normal, !session.mayChangeRate { refuseRate() } else { seekAgain() }
        refreshOSD()
    }

    /// Handles a refused rate: the film plays on at its own; those that follow get the requested rate again. It is
    /// logged once, however often the film repeats.
    func refuseRate() {
        session.rate = .normal
        session.pipeline?.setRate(.normal)
        notifyMachine(ofRefused: wantedRate)
        let location = session.location
        if logged.rateRefuser != location {
            log.warning("\(session.name): it cannot be played at rate \(wantedRate), and plays at 1")
        }
        logged.rateRefuser = location
        notifyMachine()
    }

    /// Applies a change of playback by a seek.
    func seekAgain() {
        guard session.mediaInfo?.isSeekable == true, session.mediaInfo?.isLive == false else { return }
        updatePosition()
        scrub(.again, at: clock.now)
    }
}
