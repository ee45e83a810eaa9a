import PlayerCore
import Synchronization
import Testing

@testable import Media

/// Which track is heard, and how loud, where threads choose at once.
struct AudioBranchTests {
    /// Stands in for GStreamer's elements, and records their settings in order.
    private final class Reported: Sendable {
        let tracks = Mutex<[Int]>([])
        let volumes = Mutex<[Double]>([])
        let branch = Mutex<AudioBranch?>(nil)
        let newer = Mutex<WatchedThread?>(nil)

        /// Makes the newer choice while the elements get the older one. The newer one does not overtake.
        func choose(_ choice: @escaping @Sendable (AudioBranch) -> Void) {
            let thread = WatchedThread { self.branch.withLock { $0 }.map(choice) }
            thread.waitUntilItWaits()
            newer.withLock { $0 = thread }
        }

        /// Waits until all choices have been made.
        func end() {
            newer.withLock { $0 }?.join()
            branch.withLock { $0 = nil }
        }
    }

    private func makeBranch(_ reported: Reported) -> AudioBranch {
        let branch = AudioBranch(
            tracks: (1...2).map { MediaOption(kind: .audible, number: $0) },
            controls: .init(
                setSound: { sound in
                    if sound.volume == 10 { reported.choose { $0.set(.init(volume: 20)) } }
                    reported.volumes.withLock { $0.append(sound.volume) }
                },
                switchTo: { track in
                    if track == 1 { reported.choose { $0.select(.number(2), waits: false) } }
                    reported.tracks.withLock { $0.append(track) }
                }))
        reported.branch.withLock { $0 = branch }
        return branch
    }

    @Test func `of two tracks chosen at once the newer one is heard`() {
        let reported = Reported()
        makeBranch(reported).select(.number(1), waits: false)
        reported.end()
        #expect(reported.tracks.withLock { $0 } == [1, 2])
    }

    @Test func `of two volumes set at once the newer one is heard`() {
        let reported = Reported()
        makeBranch(reported).set(.init(volume: 10))
        reported.end()
        #expect(reported.volumes.withLock { $0 } == [10, 20])
    }

    @Test func `a track that waits for its flush is switched to at once where none comes`() {
        let reported = Reported()
        let branch = makeBranch(reported)
        branch.select(.number(2), waits: true)
        #expect(reported.tracks.withLock { $0 }.isEmpty)
        branch.selectNow()
        branch.selectNow()
        reported.end()
        #expect(reported.tracks.withLock { $0 } == [2])
    }
}
