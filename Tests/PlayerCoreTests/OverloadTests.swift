import PlayerCore
import Testing

/// A film that is too demanding for the processor (N5). Times in milliseconds.
@Suite struct OverloadTests {
    private var overload = Overload()

    private mutating func late(_ now: Int64, shown: UInt64) -> Bool {
        overload.observe(shown: shown, at: .milliseconds(now))
    }

    @Test mutating func `frames left out for over 4 s without one that is shown are reported once`() {
        #expect(!late(0, shown: 7))
        #expect(!late(4000, shown: 7))
        #expect(late(4001, shown: 7))
        #expect(!late(9000, shown: 7))
    }

    @Test mutating func `a frame that is shown in between is hope`() {
        for second in stride(from: Int64(0), to: 60, by: 1) {
            #expect(!late(second * 1000, shown: UInt64(second / 4)))
        }
    }

    @Test mutating func `a pause is no dearth`() {
        #expect(!late(0, shown: 7))
        overload.startAnew()
        #expect(!late(60_000, shown: 7))
        #expect(!overload.isLasting)
    }
}
