internal import Logging
internal import Media
public import PlayerCore

/// How fast films are to play, and how fast the one that plays does (A8).
extension VitrinePlayer {
    /// How fast this film and those that follow are to play; below 0 backwards, which ends with this film. Sound keeps its
    /// pitch; above twice its pace, and backwards, there is none. A film that cannot do it plays at its own pace: `filmRate`.
    /// - Returns: `false` for a rate that no film is played at.
    public func setRate(_ rate: PlaybackRate) -> Bool {
        guard !rate.isPaused, rate == rate.playable else { return false }
        conduct(.command(.setDefaultRate(rate)))
        return true
    }

    func setFilmRate(_ rate: PlaybackRate) {
        guard rate != session.wantedRate else { return }
        session.wantedRate = rate
        session.isRateRefused = false
        session.pipeline?.setRate(rate)
        if rate != .normal, !session.mayChangeRate { refuseRate() } else { seekAgain() }
        hub.changed([.speed, .playDirection])
        refreshOSD()
    }

    /// How fast the film that plays does so when it is not paused: 1 where it cannot be played at the wanted rate.
    public var filmRate: PlaybackRate { session.rate }

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
        hub.changed([.speed, .playDirection])
        tellMachine()
    }

    /// What has changed of the film's playing comes with its next seek.
    func seekAgain() {
        guard session.facts?.isSeekable == true, session.facts?.isLive == false else { return }
        updatePosition()
        scrub(.again, at: clock.now)
    }
}
