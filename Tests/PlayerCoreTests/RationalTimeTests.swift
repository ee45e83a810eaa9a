import PlayerCore
import Testing

@Suite("Times of media files, counted in parts of a second (A3)")
struct RationalTimeTests {
    /// One frame of NTSC's, no whole number of nanoseconds.
    let frame = RationalTime(value: 1001, timescale: 30000)!

    @Test("1,000,000 frames of 1001/30000 s, each by its count, end where they should: nothing drifts")
    func noDrift() {
        var largestError: UInt64 = 0
        var previous = MediaTime.zero
        var isRising = true
        for index in Int64(1)...1_000_000 {
            let time = MediaTime(index, of: frame)!
            // In thirds of a nanosecond, of which one frame is 100,100,000.
            largestError = max(largestError, (time.nanoseconds * 3 - index * 100_100_000).magnitude)
            isRising = isRising && time > previous
            previous = time
        }
        #expect(largestError <= 1, "never further off than half a nanosecond")
        #expect(isRising)
        #expect(previous.nanoseconds == 33_366_666_666_667)
        let sum = (0..<1_000_000).reduce(MediaTime.zero) { sum, _ in sum + MediaTime(1, of: frame)! }
        #expect(sum.distance(to: previous) > .zero, "as sums of nanoseconds drift")
    }

    @Test("a time gives the count that it was made from, and with it every frame its own")
    func countBack() {
        var random = ScrubRandom(seed: 7)
        for _ in 0..<100_000 {
            let length = RationalTime(value: random.below(100_000) + 1, timescale: random.below(90_000) + 1000)!
            let count = random.below(2_000_000) - 1_000_000
            let time = MediaTime(count, of: length)!
            #expect(time.count(of: length) == count)
            // Rounded down, a time is in the frame that starts there, not in the one before, provided that it was
            // rounded up.
            #expect(MediaTime(count, of: length, rounding: .up)!.count(of: length, rounding: .down) == count)
        }
    }

    @Test(
        "parts of a nanosecond are rounded as requested",
        arguments: [
            (1, 3, 333_333_333, 333_333_333, 333_333_334), (2, 3, 666_666_667, 666_666_666, 666_666_667),
            (-1, 3, -333_333_333, -333_333_334, -333_333_333), (1, 2_000_000_000, 1, 0, 1),
            (-1, 2_000_000_000, -1, -1, 0), (90_000, 90_000, 1_000_000_000, 1_000_000_000, 1_000_000_000),
            (0, 1, 0, 0, 0),
        ] as [(Int64, Int64, Int64, Int64, Int64)])
    func rounding(value: Int64, timescale: Int64, nearest: Int64, down: Int64, up: Int64) {
        #expect(MediaTime(value: value, timescale: timescale)?.nanoseconds == nearest)
        #expect(MediaTime(value: value, timescale: timescale, rounding: .down)?.nanoseconds == down)
        #expect(MediaTime(value: value, timescale: timescale, rounding: .up)?.nanoseconds == up)
    }

    @Test("what is unknown, or too large, is not zero")
    func unknown() {
        #expect(RationalTime(value: 1, timescale: 0) == nil && RationalTime(value: 1, timescale: -5) == nil)
        #expect(RationalTime(frames: 0, perSeconds: 1) == nil && RationalTime(frames: 25, perSeconds: 0) == nil)
        #expect(MediaTime(value: 5, timescale: 0) == nil)
        #expect(MediaTime(value: .max, timescale: 1) == nil && MediaTime(value: .min, timescale: 1) == nil)
        #expect(MediaTime(.max, of: RationalTime(value: .max, timescale: .max)!) == nil)
        #expect(MediaTime(value: .max, timescale: .max) == .seconds(1))
        #expect(MediaTime.seconds(1).count(of: RationalTime(value: 0, timescale: 1)!) == nil)
        #expect(MediaTime.seconds(1).value(inTimescale: 0) == nil)
        #expect(MediaTime.seconds(9_000_000_000).value(inTimescale: .max) == nil)
        #expect(MediaTime.seconds(1).scaled(by: 1, over: 0) == nil)
        #expect(MediaTime.seconds(9_000_000_000).scaled(by: 2, over: 1) == nil)
    }

    @Test("times in a file's own units, and back")
    func units() {
        #expect(MediaTime.seconds(2).value(inTimescale: 90_000) == 180_000)
        #expect(MediaTime(nanoseconds: 1).value(inTimescale: 90_000) == 0)
        #expect(MediaTime(nanoseconds: 1).value(inTimescale: 90_000, rounding: .up) == 1)
        #expect(RationalTime(frames: 30_000, perSeconds: 1001) == frame)
        #expect(MediaTime(1, of: RationalTime(value: -1, timescale: 4)!) == .milliseconds(-250))
        #expect(MediaTime.seconds(1).count(of: RationalTime(value: -1, timescale: 4)!) == -4)
        #expect(MediaTime.seconds(7).scaled(by: 3, over: 7) == .seconds(3))
    }
}
