import PlayerCore
import Testing

@Suite("How fast a film plays (A3, A8)")
struct PlaybackRateTests {
    @Test("time counted at a rate is exact, forwards and backwards")
    func filmTime() {
        #expect(PlaybackRate.normal.filmTime(in: .seconds(3)) == .seconds(3))
        #expect((0.25 as PlaybackRate).filmTime(in: .milliseconds(4)) == .milliseconds(1))
        #expect((-2 as PlaybackRate).filmTime(in: .milliseconds(4)) == .milliseconds(-8))
        #expect(PlaybackRate.paused.filmTime(in: .seconds(3)) == .zero)
        // A year at a third of a thousandth more than normal: a double is wrong by then.
        let year = Duration.seconds(31_536_000) + .nanoseconds(1)
        #expect((1.001 as PlaybackRate).filmTime(in: year).nanoseconds == 31_567_536_000_000_001)
    }

    @Test("the clock's time for a way is never too short, and there is none for the other way")
    func clockTime() {
        var random = ScrubRandom(seed: 11)
        for _ in 0..<10_000 {
            let rate = PlaybackRate(thousandths: Int32(random.below(8000)) - 4000)
            let way = MediaTime(nanoseconds: random.below(20_000_000_000) - 10_000_000_000)
            guard let time = rate.clockTime(for: way) else {
                #expect(rate.isPaused || rate.isReverse != (way < .zero))
                continue
            }
            #expect(time >= .zero)
            #expect(rate.filmTime(in: time).distance(to: .zero) >= way.distance(to: .zero))
        }
        #expect(PlaybackRate.normal.clockTime(for: .zero) == .zero && PlaybackRate.paused.clockTime(for: .zero) == nil)
    }

    @Test("only 0.25 to 4 is played, either way, and 0 stands still")
    func playable() {
        #expect((0.1 as PlaybackRate).playable == 0.25 && (-0.1 as PlaybackRate).playable == -0.25)
        #expect((9 as PlaybackRate).playable == 4 && (-9 as PlaybackRate).playable == -4)
        #expect(PlaybackRate.paused.playable == .paused && (1.5 as PlaybackRate).playable == 1.5)
        #expect(PlaybackRate(thousandths: .min).playable == -4)
    }

    @Test("rates are written as people write them, and read to the nearest thousandth")
    func text() {
        let texts = ([1, 0.25, -2, 0, 1.001, 2.5, -0.5] as [PlaybackRate]).map { "\($0)" }
        #expect(texts == ["1", "0.25", "-2", "0", "1.001", "2.5", "-0.5"])
        #expect(PlaybackRate(factor: 1.0004) == 1 && PlaybackRate(factor: 1.5)?.factor == 1.5)
        #expect(PlaybackRate(factor: .nan) == nil && PlaybackRate(factor: .infinity) == nil)
    }
}
