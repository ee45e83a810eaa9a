import PlayerCore
import Testing

@testable import Media

@Suite("Whether a picture is all of a film")
struct PictureCountTests {
    private func isOnly(shown: UInt64, at start: MediaTime?, newest: MediaTime?) -> Bool {
        PictureCount(
            shown: shown, heldBack: 0, time: start, start: start, filmTime: start, come: shown, newest: newest,
            duration: nil,
            shownAt: MonotonicTime(nanoseconds: 0), hasEnded: true, isLast: true
        ).isOnly
    }

    @Test("where no later one has come to the decoder")
    func alone() {
        #expect(isOnly(shown: 1, at: .zero, newest: .zero))
        // Pictures that say nothing of their time, or that no decoder was needed for.
        #expect(isOnly(shown: 1, at: nil, newest: nil))
        #expect(isOnly(shown: 1, at: .zero, newest: nil))
        #expect(!isOnly(shown: 0, at: nil, newest: nil))
    }

    @Test("not where a busy machine has shown one of many")
    func busy() {
        #expect(!isOnly(shown: 1, at: .zero, newest: .milliseconds(360)))
        #expect(!isOnly(shown: 10, at: .milliseconds(360), newest: .milliseconds(360)))
    }
}
