import Dispatch
import PlayerCore
import Synchronization
import Testing

@testable import Media

/// The sink that is opened ahead for the film that follows, with the display's descriptor.
@Suite(.timeLimit(.minutes(1)))
struct SpareSinkTests {
    private let film: FilmPipeline

    init() throws {
        // No display's: the sink finds none, as on a display that is closed.
        let plane = FilmOutput.Plane(fileDescriptor: 0, connectorID: 1, planeID: 2)
        let screen = FilmOutput.Screen(sink: .plane(plane), width: 640, height: 360, canScale: true, formats: ["I420"])
        film = try FilmPipeline(MediaLocation("/dev/null"), output: FilmOutput(screen: screen, hasSound: false))
    }

    @Test func `it is being opened until it can be taken`() async {
        film.spare.withLock { _ in
            film.worker.sync { film.makeSpare() }
            #expect(film.spareWork.wait(timeout: .now()) == .timedOut)
        }
        await withCheckedContinuation { opened in film.spareWork.notify(queue: .global()) { opened.resume() } }
        #expect(film.takeSpare() != nil)
        #expect(await film.close())
    }

    @Test func `a film is closed once it is opened, and leaves none`() async {
        film.worker.sync { film.makeSpare() }
        film.spareWork.enter()
        let closing = WatchedThread { [film] in film.worker.sync { film.closeOnWorker(.goes) } }
        closing.waitUntilItWaits()
        #expect(!closing.hasEnded, "the display's descriptor may be closed from then on")
        film.spareWork.leave()
        closing.join()
        #expect(film.takeSpare() == nil)
        #expect(await film.close())
    }
}
