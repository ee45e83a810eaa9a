import Testing

@testable import Media

/// The clock that a film plays by, independent of its sound output. In milliseconds.
@Suite struct ClockPaceTests {
    private static let begin: UInt64 = 1000
    private static let millisecond: UInt64 = 1_000_000

    private var pace = ClockPace(time: Self.begin * Self.millisecond)
    private var machine: UInt64 = 0

    private var time: Double { Double(pace.time) / Double(Self.millisecond) }

    /// Follows a card that reports its place in steps, and is read every millisecond.
    private mutating func play(_ card: (UInt64) -> UInt64, for duration: UInt64) {
        pace.follow(card(machine) * Self.millisecond)
        for _ in 0..<duration {
            machine += 1
            pace.read(machine: machine * Self.millisecond, card(machine) * Self.millisecond)
        }
    }

    @Test(arguments: [1, 5, 10]) mutating func `cards that follow one another leave it where it was`(step: UInt64) {
        for turn in 0..<30 as Range<UInt64> {
            // Each starts elsewhere, and is left somewhere within a step.
            play({ (turn * 77 + $0) / step * step }, for: 201 + turn * 3)
            pace.follow(nil)
            machine += 7
            pace.read(machine: machine * Self.millisecond)
        }
        #expect(time == Double(Self.begin + machine))
    }

    @Test mutating func `a card's pace is the film's`() {
        play({ $0 + $0 / 100 }, for: 10_000)
        #expect(abs(time - Double(Self.begin + 10_100)) <= 15)
        let before = time
        play({ $0 - $0 / 100 }, for: 10_000)
        #expect(abs(time - before - 9900) <= 30)
    }

    @Test mutating func `it stands with a card that stands, and never goes back`() {
        play({ $0 }, for: 100)
        let stood = time
        pace.read(machine: (machine + 5000) * Self.millisecond, 100 * Self.millisecond)
        #expect((stood...stood + 15).contains(time))
        let last = time
        pace.read(machine: (machine + 5001) * Self.millisecond, 0)
        #expect(time == last)
    }

    @Test mutating func `a thread that has no processor between two readings is no jump of the card`() {
        play({ $0 }, for: 100)
        let (now, place) = ((machine + 1) * Self.millisecond, (machine + 100) * Self.millisecond)
        pace.read(machine: now, place, for: 99 * Self.millisecond)
        #expect(time == Double(Self.begin + machine + 1))
        machine += 100
        pace.read(machine: machine * Self.millisecond, machine * Self.millisecond)
        #expect(time == Double(Self.begin + machine))
    }

    @Test mutating func `the jump of a card that is lost is left out`() {
        play({ $0 }, for: 100)
        machine += 1
        pace.read(machine: machine * Self.millisecond, 300 * Self.millisecond)
        #expect(time == Double(Self.begin + machine))
        // The card continues: the film catches up, by an eighth of its pace.
        for after in 1...2000 as ClosedRange<UInt64> {
            pace.read(machine: (machine + after) * Self.millisecond, (300 + after) * Self.millisecond)
        }
        #expect(abs(time - Double(Self.begin + machine + 2000 + 199)) <= 15)
    }
}
