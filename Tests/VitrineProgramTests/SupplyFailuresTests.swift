import Media
import PlayerCore
import Testing

@testable import VitrineProgram

@Suite("Films that all failed, and when they are worth another try")
struct SupplyFailuresTests {
    @Test(arguments: [MediaFailure.Reason.needsRanges, .remoteList, .notMedia])
    func `a film that only its server can mend is tried once, unless another one comes`(reason: MediaFailure.Reason)
        throws
    {
        let films = try ["http://127.0.0.1/a.mp4", "http://127.0.0.1/b.mp4"].map { try MediaLocation($0) }
        let now = MonotonicTime(nanoseconds: 0)
        var failed = SupplyFailures()
        failed.learn(MediaFailure(reason: reason, message: "it cannot be played"), of: films[0])
        failed.wait(for: [films[0]], .seconds(2), at: now)
        #expect(!failed.mayTry([films[0]], at: now + .seconds(1)))
        #expect(failed.mayTry([films[0]], at: now + .seconds(2)) == (reason == .notMedia))
        #expect(failed.mayTry(films, at: now) && !failed.mayTry([], at: now + .seconds(99)))
        #expect(failed.areSame([films[0]]) && !failed.areSame(films))
    }

    @Test func `a failure on the card is readable once, one of a server each time`() throws {
        var failed = SupplyFailures()
        let (local, remote) = (try MediaLocation("/bin/sh"), try MediaLocation("http://127.0.0.1/a.mp4"))
        #expect([local, local, remote, remote].map { failed.markReported($0) } == [true, false, true, true])
        #expect(failed.markReported(try MediaLocation("/bin/cat")))
    }
}
