import PlayerCore
import Testing

@testable import Media

@Suite("Whether a frame is all of a film")
struct FrameCountTests {
    private func isOnly(shown: UInt64, at start: MediaTime?, newest: MediaTime?) -> Bool {
        FrameCount(
            shown: shown, heldBack: 0, time: start, start: start, filmTime: start, arrived: shown, newest: newest,
            duration: nil,
            shownAt: MonotonicTime(nanoseconds: 0), hasEnded: true, isLast: true
        ).isOnly
    }

    @Test("where no later one has come to the decoder")
    func alone() {
        #expect(isOnly(shown: 1, at: .zero, newest: .zero))
        // Frames without a time, or without a decoder.
        #expect(isOnly(shown: 1, at: nil, newest: nil))
        #expect(isOnly(shown: 1, at: .zero, newest: nil))
        #expect(!isOnly(shown: 0, at: nil, newest: nil))
    }

    @Test("not where a busy machine has shown one of many")
    func busy() {
        #expect(!isOnly(shown: 1, at: .zero, newest: .milliseconds(360)))
        #expect(!isOnly(shown: 10, at: .milliseconds(360), newest: .milliseconds(360)))
    }

    @Test("what a decoder takes in and does not give out: more than any decoder keeps")
    func vain() {
        func count(_ arrived: UInt64, shown: UInt64 = 5, heldBack: UInt64 = 7, hasEnded: Bool = false) -> FrameCount {
            FrameCount(
                shown: shown, heldBack: heldBack, time: nil, start: nil, filmTime: nil, arrived: arrived, newest: nil,
                duration: nil, shownAt: MonotonicTime(nanoseconds: 0), hasEnded: hasEnded, isLast: hasEnded)
        }
        #expect(count(133).areTakenInVain(since: count(100)))
        #expect(!count(132).areTakenInVain(since: count(100)))
        #expect(!count(133, shown: 6).areTakenInVain(since: count(100)))
        #expect(!count(133, heldBack: 8).areTakenInVain(since: count(100)))
        #expect(count(33, shown: 0, heldBack: 0).areTakenInVain(since: nil))
        #expect(!count(33).areTakenInVain(since: nil))
        // At the film's end it keeps none.
        #expect(count(1, shown: 0, heldBack: 0, hasEnded: true).areTakenInVain(since: nil))
        #expect(!count(0, shown: 0, heldBack: 0, hasEnded: true).areTakenInVain(since: nil))
        #expect(!count(1, shown: 0, heldBack: 1, hasEnded: true).areTakenInVain(since: nil))
        // A few behind a seek may lack their key frame.
        #expect(!count(132, hasEnded: true).areTakenInVain(since: count(100)))
        #expect(count(133, hasEnded: true).areTakenInVain(since: count(100)))
    }

    @Test("how long a frame stands: as it says, or until the next one that has arrived")
    func shown() {
        func shownDuration(saying duration: MediaTime?, newest: MediaTime?) -> MediaTime? {
            FrameCount(
                shown: 75, heldBack: 0, time: .seconds(3), start: .seconds(3), filmTime: .seconds(3), arrived: 80,
                newest: newest, duration: duration, shownAt: MonotonicTime(nanoseconds: 0), hasEnded: false,
                isLast: false
            ).shownDuration
        }
        #expect(shownDuration(saying: .milliseconds(40), newest: .seconds(43)) == .seconds(40))
        #expect(shownDuration(saying: .seconds(50), newest: .seconds(43)) == .seconds(50))
        #expect(shownDuration(saying: nil, newest: .seconds(43)) == .seconds(40))
        // From the previous loop segment, or none yet.
        #expect(shownDuration(saying: .milliseconds(40), newest: .seconds(1)) == .milliseconds(40))
        #expect(shownDuration(saying: .milliseconds(40), newest: nil) == .milliseconds(40))
        #expect(shownDuration(saying: nil, newest: nil) == nil)
    }
}
