import PlayerCore

@testable import Vitrine

/// A test's actions between two of the player's own steps.
extension PlayerLoop {
    func act<Result: Sendable>(_ body: @Sendable (isolated PlayerLoop) -> Result) -> Result { body(self) }

    /// A finger taps the bar: seeks, starting with the pending one, end at these times (ms), and all others fail.
    func touch(_ place: Double, answers: [Int64]) {
        session.leaveEnd()
        scrub(.slider(.touchDown(place, at: .now)), at: .now)
        for time in answers { answerSeek(at: .milliseconds(time)) }
        refuseSeeks()
        scrub(.slider(.touchUp(place, at: .now)), at: .now)
        refuseSeeks()
    }

    /// The pending seek, if any: GStreamer's own answer is too late.
    private var seek: SeekRequest.Ticket? {
        (1...99).lazy.map { SeekRequest.Ticket(number: $0) }.first(where: { session.scrubber.awaits($0) })
    }

    func refuseSeek() {
        if let seek { handle(.seekFailed(seek)) }
    }

    /// Refuses the pending seek and all that follow.
    func refuseSeeks() {
        for _ in 1...9 { refuseSeek() }
    }

    private func answerSeek(at time: MediaTime) {
        guard let seek else { return }
        handle(.frame(SeekFrame(ticket: seek, time: time, start: time, duration: .milliseconds(40), shownAt: .now)))
    }
}
