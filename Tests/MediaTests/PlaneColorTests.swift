import PlayerCore
import Synchronization
import Testing

@testable import Media

/// Setting a film's color on a plane.
struct PlaneColorTests {
    private let colors = [
        FilmColor(matrix: .bt601, isFullRange: false), FilmColor(matrix: .bt709, isFullRange: false),
    ]

    @Test func `of two colors at once the newer one is set last`() {
        let set = Mutex<[FilmColor]>([])
        let plane = Mutex<PlaneColor?>(nil)
        let newer = Mutex<WatchedThread?>(nil)
        let (old, new) = (colors[0], colors[1])
        let made = PlaneColor(holdsPreroll: false) { color in
            if color == old {
                // The newer colour is set while the older one waits for a flip. It does not overtake.
                let thread = WatchedThread { plane.withLock { $0 }?.report(new) }
                thread.waitUntilItWaits()
                newer.withLock { $0 = thread }
            }
            set.withLock { $0.append(color) }
        }
        plane.withLock { $0 = made }
        made.report(old)
        newer.withLock { $0 }?.join()
        plane.withLock { $0 = nil }
        #expect(set.withLock { $0 } == [old, new])
    }

    @Test func `a color is set once, and of a film that is held when it has the plane`() {
        let set = Mutex<[FilmColor]>([])
        let plane = PlaneColor(holdsPreroll: true) { color in set.withLock { $0.append(color) } }
        plane.report(colors[0])
        #expect(set.withLock { $0 }.isEmpty)
        plane.takePlane()
        plane.report(colors[0])
        #expect(set.withLock { $0 } == [colors[0]])
    }
}
