import PlayerCore
import Testing

/// The handling of a film that does not progress (N14). Times in milliseconds.
@Suite struct StandstillTests {
    private var standstill = Standstill()
    private let duration = MediaTime.seconds(60)

    private mutating func observe(
        _ now: Int64, shown: UInt64 = 10, frames: UInt64 = 20, sound: UInt64 = 0, isHeld: Bool = false,
        isLocal: Bool = true
    ) {
        standstill.observe(
            shown: shown, frames: frames, sound: sound, isHeld: isHeld, isLocal: isLocal, at: .milliseconds(now))
    }

    private mutating func answer(_ now: Int64, _ position: Int64, isReverse: Bool = false) {
        standstill.observe(.milliseconds(position), of: duration, isReverse: isReverse, at: .milliseconds(now))
    }

    private mutating func remedy(
        _ now: Int64, at place: Int64, isReverse: Bool = false, mayHaveOtherDecoder: Bool = false
    ) -> Standstill.Remedy? {
        standstill.isDue(
            at: .milliseconds(place), of: duration, isReverse: isReverse, mayHaveOtherDecoder: mayHaveOtherDecoder,
            at: .milliseconds(now))
    }

    @Test mutating func `a film whose frames are shown is never asked`() {
        for (number, now) in stride(from: Int64(0), to: 60_000, by: 500).enumerated() {
            observe(now, shown: UInt64(number))
            #expect(remedy(now + 499, at: now) == nil)
        }
    }

    @Test mutating func `a film that stands is asked twice, and opened anew`() {
        observe(0)
        #expect(standstill.deadline == .milliseconds(2500))
        #expect(remedy(2500, at: 30_000) == .ask)
        answer(2510, 30_000)
        #expect(remedy(5000, at: 30_000) == .ask)
        answer(5010, 30_000)
        #expect(remedy(7500, at: 30_000) == .reopen(at: .seconds(30)))
        #expect(standstill.deadline == nil)
    }

    @Test mutating func `near its end, it has ended`() {
        observe(0)
        for now in [2500, 5000] as [Int64] { #expect(remedy(now, at: 59_100) == .ask) }
        #expect(remedy(7500, at: 59_100) == .end)
    }

    @Test mutating func `backwards, the end is its start`() {
        observe(0)
        for now in [2500, 5000] as [Int64] { #expect(remedy(now, at: 900, isReverse: true) == .ask) }
        #expect(remedy(7500, at: 900, isReverse: true) == .end)
    }

    @Test mutating func `a frame may stand for minutes while the clock runs`() {
        observe(0)
        for now in stride(from: Int64(2500), to: 50_000, by: 2500) {
            #expect(remedy(now, at: 0) == .ask)
            answer(now, now)
        }
    }

    @Test mutating func `a clock that runs on behind the end does not count`() {
        observe(0)
        for now in [2500, 5000] as [Int64] {
            #expect(remedy(now, at: 60_000) == .ask)
            answer(now, 62_001 + now)
        }
        #expect(remedy(7500, at: 60_000) == .end)
    }

    @Test mutating func `what stands again where it was opened anew has ended`() {
        observe(0)
        for now in [2500, 5000] as [Int64] { #expect(remedy(now, at: 30_000) == .ask) }
        #expect(remedy(7500, at: 30_000) == .reopen(at: .seconds(30)))
        observe(8000, shown: 1)
        observe(8100, shown: 20)
        for now in [10_600, 13_100] as [Int64] { #expect(remedy(now, at: 31_000) == .ask) }
        #expect(remedy(15_600, at: 31_000) == .end)
    }

    @Test(arguments: [false, true])
    mutating func `what stands where it was opened anew is opened again as long as there is another decoder`(
        mayHaveOtherDecoder: Bool
    ) {
        observe(0)
        for now in [2500, 5000] as [Int64] { #expect(remedy(now, at: 30_000) == .ask) }
        #expect(remedy(7500, at: 30_000) == .reopen(at: .seconds(30)))
        observe(8000, shown: 1, isHeld: true)
        for now in [10_500, 13_000] as [Int64] { #expect(remedy(now, at: 30_000) == .ask) }
        let remedy = remedy(15_500, at: 30_000, mayHaveOtherDecoder: mayHaveOtherDecoder)
        #expect(remedy == (mayHaveOtherDecoder ? .reopen(at: .seconds(30)) : .end))
    }

    @Test mutating func `what goes on where it was opened anew may stand once more`() {
        observe(0)
        for now in [2500, 5000] as [Int64] { #expect(remedy(now, at: 30_000) == .ask) }
        #expect(remedy(7500, at: 30_000) == .reopen(at: .seconds(30)))
        for shown in 1...40 { observe(8000 + Int64(shown), shown: UInt64(shown)) }
        for now in [10_540, 13_040] as [Int64] { #expect(remedy(now, at: 31_000) == .ask) }
        #expect(remedy(15_540, at: 31_000) == .reopen(at: .seconds(31)))
    }

    @Test mutating func `a decoder that holds a frame is stuck, although the sound plays on`() {
        observe(0, sound: 1)
        var remedies: [Standstill.Remedy] = []
        for now in stride(from: Int64(100), through: 7500, by: 100) {
            observe(now, sound: UInt64(now), isHeld: true)
            if let remedy = remedy(now, at: 30_000) { remedies.append(remedy) }
            answer(now + 10, 30_000 + now)
        }
        // The position is that of the frame that stands, not that of the sound.
        #expect(remedies == [.ask, .ask, .reopen(at: .seconds(30))])
    }

    @Test mutating func `while it waits for its input, or has given out what stands, sound counts`() {
        for now in stride(from: Int64(0), through: 60_000, by: 500) {
            // Holds the next frame for three seconds, as a picture of a hundred megapixels.
            let isHeld = now >= 2000 && now < 5000
            observe(now, sound: UInt64(now), isHeld: isHeld)
            #expect(remedy(now, at: 0) != .reopen(at: .zero))
            answer(now + 10, now)
        }
    }

    @Test mutating func `frames that go into the decoder or reach the screen count while it holds one`() {
        for number in stride(from: UInt64(1), to: 60, by: 2) {
            observe(Int64(number) * 1000, shown: 10, frames: 20 + number, isHeld: true)
            #expect(remedy(Int64(number) * 1000 + 999, at: 0) == nil)
            observe(Int64(number) * 1000 + 1000, shown: 10 + number, frames: 20 + number, isHeld: true)
            #expect(remedy(Int64(number) * 1000 + 1999, at: 0) == nil)
        }
    }

    @Test mutating func `what is not to play, or comes over a network, has more time`() {
        observe(0)
        standstill.rest()
        #expect(standstill.deadline == nil)
        #expect(remedy(100_000, at: 0) == nil)
        observe(100_000, isLocal: false)
        #expect(standstill.deadline == .milliseconds(120_000))
    }
}
