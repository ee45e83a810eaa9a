import PlayerCore
import Testing

/// Timelines of the display's visibility (B3). Times in milliseconds.
@Suite struct OSDVisibilityTests {
    private var visibility = OSDVisibility()

    private mutating func at(_ milliseconds: Int64, _ event: OSDVisibility.Event) -> OSDVisibility.State {
        visibility.handle(event, at: .milliseconds(milliseconds))
    }

    private func shown(until milliseconds: Int64? = nil) -> OSDVisibility.State {
        .init(isVisible: true, deadline: milliseconds.map(MonotonicTime.milliseconds))
    }

    private let hidden = OSDVisibility.State(isVisible: false)

    @Test func hiddenUntilTouched() {
        #expect(visibility.state(at: .milliseconds(0)) == hidden)
    }

    @Test mutating func appearsAtATouchAndHidesThreeSecondsAfterTheLast() {
        #expect(at(1000, .fingerDown(slot: 0)) == shown())
        #expect(at(1080, .fingerUp(slot: 0, isTapOnFilm: true)) == shown(until: 4080))
        #expect(at(4079, .deadlineReached) == shown(until: 4080))
        #expect(at(4080, .deadlineReached) == hidden)
    }

    @Test mutating func askedForItIsShownAsAfterATouch() {
        #expect(at(1000, .asked) == shown(until: 4000))
        #expect(at(4000, .deadlineReached) == hidden)
    }

    @Test mutating func aLaterTouchPutsTheHidingOff() {
        _ = at(0, .fingerDown(slot: 0))
        #expect(at(100, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 3100))
        #expect(at(3000, .fingerDown(slot: 0)) == shown())
        #expect(at(3050, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 6050))
        #expect(at(3100, .deadlineReached) == shown(until: 6050))
        #expect(at(6050, .deadlineReached) == hidden)
    }

    @Test mutating func neverHidesWhileAFingerIsDown() {
        #expect(at(0, .fingerDown(slot: 0)) == shown())
        #expect(at(60_000, .deadlineReached) == shown())
        #expect(at(60_001, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 63_001))
    }

    @Test mutating func theLastOfSeveralFingersStartsTheHiding() {
        _ = at(0, .fingerDown(slot: 0))
        _ = at(10, .fingerDown(slot: 1))
        #expect(at(500, .fingerUp(slot: 0, isTapOnFilm: false)) == shown())
        #expect(at(9000, .deadlineReached) == shown())
        #expect(at(9500, .fingerUp(slot: 1, isTapOnFilm: false)) == shown(until: 12_500))
    }

    @Test mutating func aTapOnTheFilmToggles() {
        _ = at(0, .fingerDown(slot: 0))
        #expect(at(80, .fingerUp(slot: 0, isTapOnFilm: true)) == shown(until: 3080))
        _ = at(1000, .fingerDown(slot: 0))
        #expect(at(1080, .fingerUp(slot: 0, isTapOnFilm: true)) == hidden)
        _ = at(1500, .fingerDown(slot: 0))
        #expect(at(1580, .fingerUp(slot: 0, isTapOnFilm: true)) == shown(until: 4580))
    }

    @Test mutating func aTapOnTheBarDoesNotHide() {
        _ = at(0, .fingerDown(slot: 0))
        _ = at(80, .fingerUp(slot: 0, isTapOnFilm: false))
        _ = at(1000, .fingerDown(slot: 0))
        #expect(at(1080, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 4080))
    }

    @Test mutating func aSecondFingersTapDoesNotHideWhileTheFirstHolds() {
        _ = at(0, .fingerDown(slot: 0))
        _ = at(100, .fingerDown(slot: 1))
        #expect(at(180, .fingerUp(slot: 1, isTapOnFilm: true)) == shown())
        #expect(at(500, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 3500))
    }

    @Test mutating func aCancelledFingerCountsAsLifted() {
        _ = at(0, .fingerDown(slot: 3))
        #expect(at(200, .fingerCancelled(slot: 3)) == shown(until: 3200))
    }

    @Test mutating func dirtThatIsFoundOutHidesTheDisplayAtOnce() {
        _ = at(0, .fingerDown(slot: 0))
        #expect(at(60_000, .fingerVoid(slot: 0)) == hidden)
        #expect(at(60_100, .fingerDown(slot: 1)) == shown())
        #expect(at(60_180, .fingerUp(slot: 1, isTapOnFilm: true)) == shown(until: 63_180))
        // Its lift.
        #expect(at(61_000, .fingerUp(slot: 0, isTapOnFilm: false)) == shown(until: 63_180))
    }

    @Test mutating func dirtThatIsFoundOutLeavesTheDisplayToAnotherFinger() {
        _ = at(0, .fingerDown(slot: 0))
        _ = at(58_000, .fingerDown(slot: 1))
        _ = at(58_080, .fingerUp(slot: 1, isTapOnFilm: true))
        #expect(at(60_000, .fingerVoid(slot: 0)) == shown(until: 61_080))
        _ = at(70_000, .fingerDown(slot: 0))
        _ = at(129_990, .fingerDown(slot: 1))
        #expect(at(130_000, .fingerVoid(slot: 0)) == shown())
        #expect(at(130_070, .fingerUp(slot: 1, isTapOnFilm: true)) == shown(until: 133_070))
    }

    @Test mutating func aMessageShowsWhileItStands() {
        #expect(at(0, .messageChanged(isShown: true)) == shown())
        #expect(at(60_000, .deadlineReached) == shown())
        #expect(at(60_001, .messageChanged(isShown: false)) == hidden)
    }

    @Test mutating func aTouchDuringAMessageOutlivesIt() {
        _ = at(0, .messageChanged(isShown: true))
        _ = at(1000, .fingerDown(slot: 0))
        #expect(at(1050, .fingerUp(slot: 0, isTapOnFilm: false)) == shown())
        #expect(at(2000, .messageChanged(isShown: false)) == shown(until: 4050))
    }

    @Test mutating func aTapCannotHideAMessage() {
        _ = at(0, .messageChanged(isShown: true))
        _ = at(1000, .fingerDown(slot: 0))
        #expect(at(1050, .fingerUp(slot: 0, isTapOnFilm: true)) == shown())
        #expect(at(1100, .messageChanged(isShown: false)) == hidden)
    }

    @Test mutating func anUnknownFingerLiftedChangesNothing() {
        #expect(at(0, .fingerUp(slot: 7, isTapOnFilm: true)) == hidden)
        #expect(at(0, .fingerCancelled(slot: 7)) == hidden)
    }

    @Test(arguments: 0..<200) mutating func randomTouchesNeverHideUnderAFingerAndAlwaysHideInTheEnd(seed: UInt64) {
        var random = LinearCongruentialGenerator(state: seed)
        var down: Set<Int32> = []
        var now: Int64 = 0
        for _ in 0..<60 {
            now += Int64.random(in: 0...4000, using: &random)
            let slot = Int32.random(in: 0...2, using: &random)
            let state: OSDVisibility.State
            if down.contains(slot) {
                down.remove(slot)
                state = at(now, .fingerUp(slot: slot, isTapOnFilm: Bool.random(using: &random)))
            } else {
                down.insert(slot)
                state = at(now, .fingerDown(slot: slot))
            }
            if !down.isEmpty { #expect(state == shown()) }
            if let deadline = state.deadline { #expect(deadline > .milliseconds(now)) }
        }
        for slot in down { _ = at(now, .fingerUp(slot: slot, isTapOnFilm: false)) }
        #expect(at(now + 3000, .deadlineReached) == hidden)
    }
}

private struct LinearCongruentialGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        // Knuth's MMIX constants; the high bits, which are better, twice.
        func step() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32
        }
        return step() << 32 | step()
    }
}
