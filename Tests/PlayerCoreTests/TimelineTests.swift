import PlayerCore
import Testing

/// The clock of subtitles while one frame stands (A11). Times in milliseconds.
@Suite struct TimelineTests {
    private var clock = Timeline(patience: .seconds(60))

    @Test mutating func `a frame that stands for ten seconds does not stop the time`() {
        clock.run(at: .normal, .milliseconds(100))
        clock.place(at: .zero, .milliseconds(100))
        #expect(clock.time(at: .milliseconds(4600)) == .milliseconds(4500))
        #expect(clock.moment(of: .milliseconds(5000)) == .milliseconds(5100))
        // At the computed moment the time is reached: no wake-up is wasted.
        for nanoseconds: Int64 in [1, 333_333_333, 4_999_999_999] {
            for rate: PlaybackRate in [0.25, 0.333, 1, 1.5, 4] {
                clock.run(at: rate, .milliseconds(100))
                clock.place(at: .zero, .milliseconds(100))
                let place = MediaTime(nanoseconds: nanoseconds)
                #expect(clock.moment(of: place).map { clock.time(at: $0) >= place } == true)
            }
        }
    }

    @Test mutating func `paused it stands where it was, and goes on from there`() {
        clock.place(at: .zero, .milliseconds(0))
        clock.run(at: .normal, .milliseconds(0))
        clock.run(at: .paused, .milliseconds(3000))
        #expect(clock.time(at: .milliseconds(50_000)) == .milliseconds(3000))
        #expect(clock.moment(of: .milliseconds(4000)) == nil)
        clock.run(at: .normal, .milliseconds(50_000))
        #expect(clock.moment(of: .milliseconds(4000)) == .milliseconds(51_000))
    }

    @Test mutating func `what is not heard of for long does not run on`() {
        clock = Timeline()
        clock.run(at: .normal, .milliseconds(0))
        #expect(clock.time(at: .milliseconds(9000)) == .milliseconds(1000))
        #expect(clock.moment(of: .milliseconds(2000)) == nil)
        // A reported length that is too short ends the timeline there, without wake-ups beyond.
        let short = Timeline(time: .milliseconds(900), rate: .normal, duration: .milliseconds(1000))
        #expect(short.moment(of: .milliseconds(1000)) == .milliseconds(100))
        #expect(short.moment(of: .milliseconds(1100)) == nil)
    }
}
