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
        guard rate != self.rate else { return true }
        self.rate = rate
        isRateRefused = false
        film?.setRate(rate)
        if rate != .normal, !mayChangeRate { refuseRate() } else { seekAgain() }
        hub.changed([.speed, .playDirection])
        refreshOSD()
        return true
    }

    /// How fast the film that plays does so when it is not paused: 1 where it cannot be played at the wanted rate.
    public var filmRate: PlaybackRate { isRateRefused ? .normal : rate }

    /// Another rate comes with a seek. Of a film that is not open yet nobody knows.
    var mayChangeRate: Bool { facts.map { $0.isSeekable && !$0.isLive } ?? true }

    /// The film plays on at its own pace; the wanted rate is kept for those that follow. Its log line comes once, however often
    /// it is looped.
    func refuseRate() {
        isRateRefused = true
        film?.setRate(.normal)
        if let leader, let opening = leader.opening { leader.news.yield(.rateRefused(opening, rate)) }
        let location = playlist[index]
        if rateRefuser != location {
            log.warning("\(location.name): it cannot be played at rate \(rate), and plays at 1")
        }
        rateRefuser = location
        hub.changed([.speed, .playDirection])
        tellLeader()
    }

    /// What has changed of the film's playing comes with its next seek.
    func seekAgain() {
        guard facts?.isSeekable == true, facts?.isLive == false else { return }
        updatePosition()
        scrub(.again, at: .now)
    }
}
