import PlayerCore
import Testing

/// When the service manager's watchdog is answered (N4, N5). Times in milliseconds.
@Suite struct LivenessTests {
    private var liveness = Liveness()

    private mutating func at(_ now: Int64, _ situation: Liveness.Situation, frame: Int64? = nil) {
        liveness.observe(
            situation, lastFrame: frame.map(MonotonicTime.milliseconds), at: .milliseconds(now))
    }

    private func isAlive(_ now: Int64) -> Bool { liveness.isAlive(at: .milliseconds(now)) }

    private let playing = Liveness.Situation.playing(frame: .milliseconds(40))

    @Test mutating func `a film whose frames come is alive, for hours`() {
        at(0, .opening)
        for time in stride(from: Int64(1000), to: 7_200_000, by: 5000) {
            at(time, playing, frame: time - 30)
            #expect(isAlive(time + 5000))
        }
    }

    @Test mutating func `a film without a frame for 8 s is not`() {
        at(0, playing, frame: 0)
        at(1000, playing, frame: 1000)
        at(9000, playing, frame: 1000)
        #expect(isAlive(9000))
        #expect(!isAlive(9001))
        // And it is again, once there is one.
        at(9500, playing, frame: 9400)
        #expect(isAlive(17_400))
    }

    @Test mutating func `backwards, a group of frames may take 30 s to be decoded`() {
        at(0, .backwards(frame: .milliseconds(40)), frame: 0)
        #expect(isAlive(30_000))
        #expect(!isAlive(30_001))
        at(40_000, .backwards(frame: .seconds(60)), frame: 40_000)
        #expect(isAlive(220_000))
        #expect(!isAlive(220_001))
    }

    @Test mutating func `what shows nothing new may do so for ever`() {
        at(0, playing, frame: 0)
        at(2000, .still, frame: 2000)
        #expect(isAlive(86_400_000))
    }

    @Test mutating func `after a pause a film has its time for the next frame`() {
        at(0, playing, frame: 0)
        at(1000, .still, frame: 900)
        at(60_000, .still, frame: 900)
        at(60_001, playing, frame: 900)
        #expect(isAlive(68_001))
        #expect(!isAlive(68_002))
    }

    @Test mutating func `a film of slides may take three of them`() {
        at(0, .playing(frame: .seconds(30)), frame: 0)
        #expect(isAlive(90_000))
        #expect(!isAlive(90_001))
    }

    @Test mutating func `sound behind the last frame is alive while its time goes on`() {
        let alone = Liveness.Situation.soundAlone(asked: .seconds(5))
        at(0, playing, frame: 0)
        for time in stride(from: Int64(2000), through: 60_000, by: 5000) {
            at(time, alone, frame: 1960)
            liveness.observe(.milliseconds(time), at: .milliseconds(time + 10))
            #expect(isAlive(time + 5000))
        }
        // It stands.
        for time in stride(from: Int64(62_000), through: 82_000, by: 5000) {
            at(time, alone, frame: 1960)
            liveness.observe(.milliseconds(57_000), at: .milliseconds(time + 10))
        }
        #expect(isAlive(57_010 + 13_000))
        #expect(!isAlive(57_010 + 13_001))
    }

    @Test mutating func `time that goes on shows no frame where one is due`() {
        at(0, playing, frame: 0)
        for time in stride(from: Int64(500), through: 9000, by: 500) {
            at(time, playing, frame: 0)
            liveness.observe(.milliseconds(time), at: .milliseconds(time))
        }
        #expect(!isAlive(9000))
        // The first frame of the next loop segment has its time.
        at(9500, playing, frame: 9400)
        #expect(isAlive(17_400))
    }

    @Test mutating func `opening and seeking have longer, but no end of it`() {
        at(0, .opening)
        #expect(isAlive(90_000))
        #expect(!isAlive(90_001))
        at(1000, playing, frame: 1000)
        at(2000, .seeking, frame: 1000)
        #expect(isAlive(31_000))
        #expect(!isAlive(31_001))
    }

    /// A decoder that is stuck is given up, built anew, and stuck again.
    @Test mutating func `going from one trouble to the next is no progress`() {
        at(0, playing, frame: 0)
        for time in stride(from: Int64(10_000), through: 80_000, by: 10_000) {
            at(time, .opening, frame: 0)
            at(time + 5000, .seeking, frame: 0)
        }
        at(88_000, .opening, frame: 0)
        #expect(isAlive(90_000))
        #expect(!isAlive(90_001))
        at(90_002, playing, frame: 0)
        #expect(!isAlive(90_002))
    }

    @Test mutating func `films that say why they cannot be played are progress`() {
        at(0, .opening)
        liveness.progress(at: .milliseconds(80_000))
        at(80_000, .opening)
        #expect(isAlive(170_000))
        #expect(!isAlive(170_001))
    }
}
