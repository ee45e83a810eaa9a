import Testing

@testable import PlayerCore

@Suite("Finger speed: what a finger's last moves say of the next (N1)")
struct FingerSpeedTests {
    /// A finger that moves once in 10 ms, by so many milliseconds of film each.
    private func finger(_ steps: [Int64]) -> (speed: FingerSpeed, end: MonotonicTime) {
        var speed = FingerSpeed()
        var (target, now) = (Int64(50_000), Int64(1000))
        speed.moved(to: .milliseconds(target), at: .milliseconds(now))
        for step in steps {
            target += step
            now += 10
            speed.moved(to: .milliseconds(target), at: .milliseconds(now))
        }
        return (speed, .milliseconds(now))
    }

    @Test("velocity is known after 30 ms, by the last tenth of a second")
    func velocity() {
        var (speed, now) = finger([300, 300])
        #expect(speed.velocity(at: now) == 0)
        (speed, now) = finger([300, 300, 300])
        #expect(speed.velocity(at: now) == 30)
        (speed, now) = finger(Array(repeating: 900, count: 20) + Array(repeating: -300, count: 10))
        #expect(speed.velocity(at: now) == -30)
    }

    @Test("moves with nearly one time, as a busy machine reads them, are no greater velocity")
    func burst() {
        var (speed, now) = finger(Array(repeating: 300, count: 10))
        for place in 1...3 as ClosedRange<Int64> {
            now = now + .microseconds(1)
            speed.moved(to: .milliseconds(53_000 + place * 300), at: now)
        }
        #expect((30...45).contains(speed.velocity(at: now)))
    }

    @Test("right after a turn none is known; one that trembles goes on")
    func turns() {
        var (speed, now) = finger(Array(repeating: 300, count: 10) + [-300])
        #expect(speed.velocity(at: now) == 0)
        (speed, now) = finger(Array(repeating: [100, 300, 500, 300], count: 4).flatMap { $0 })
        #expect((25...35).contains(speed.velocity(at: now)))
    }

    @Test("it fades while the finger does not move, and after a rest it begins anew")
    func rest() {
        var (speed, end) = finger(Array(repeating: 300, count: 10))
        #expect(speed.velocity(at: end + .milliseconds(20)) == 30)
        #expect(speed.velocity(at: end + .milliseconds(40)) == 15)
        #expect(speed.velocity(at: end + .milliseconds(60)) == 0)
        speed.moved(to: .milliseconds(53_100), at: end + .milliseconds(60))
        speed.moved(to: .milliseconds(53_200), at: end + .milliseconds(70))
        #expect(speed.velocity(at: end + .milliseconds(70)) == 0)
    }
}
