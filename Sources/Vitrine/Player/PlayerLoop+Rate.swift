internal import Logging
internal import Media
internal import PlayerCore

/// How fast films are to play, and how fast the one that plays does (A8).
extension PlayerLoop {
    func setFilmRate(_ rate: PlaybackRate) {
        guard rate != session.wantedRate else { return }
        session.wantedRate = rate
        session.isRateRefused = false
        session.pipeline?.setRate(rate)
        if rate != .normal, !session.mayChangeRate { refuseRate() } else { seekAgain() }
        refreshOSD()
    }

    /// The film plays on at its own pace; the wanted rate is kept for those that follow. Its log line comes once, however often
    /// it is looped.
    func refuseRate() {
        session.isRateRefused = true
        session.pipeline?.setRate(.normal)
        tellMachine(ofRefused: session.wantedRate)
        let location = session.location
        if logged.rateRefuser != location {
            log.warning("\(session.name): it cannot be played at rate \(session.wantedRate), and plays at 1")
        }
        logged.rateRefuser = location
        tellMachine()
    }

    /// What has changed of the film's playing comes with its next seek.
    func seekAgain() {
        guard session.facts?.isSeekable == true, session.facts?.isLive == false else { return }
        updatePosition()
        scrub(.again, at: clock.now)
    }
}
