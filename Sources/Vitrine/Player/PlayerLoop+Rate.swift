internal import Logging
internal import Media
internal import PlayerCore

/// How fast films are to play, and how fast the one that plays does.
extension PlayerLoop {
    func setFilmRate(_ rate: PlaybackRate) {
        guard rate != wantedRate else { return }
        wantedRate = rate
        session.rate = rate
        session.pipeline?.setRate(rate)
        if rate != .normal, !session.mayChangeRate { refuseRate() } else { seekAgain() }
        refreshOSD()
    }

    /// The film plays on at its own pace; those that follow are asked for the wanted rate again. Its log line comes once, however
    /// often it is looped.
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

    /// What has changed of the film's playing comes with its next seek.
    func seekAgain() {
        guard session.mediaInfo?.isSeekable == true, session.mediaInfo?.isLive == false else { return }
        updatePosition()
        scrub(.again, at: clock.now)
    }
}
