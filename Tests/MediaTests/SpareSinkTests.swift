import Dispatch
import PlayerCore
import Testing

@testable import Media

/// The sink that is opened in advance for the next film, with the display's descriptor.
@Suite(.timeLimit(.minutes(1)))
struct SpareSinkTests {
    @Test func `nobody goes on before the sink that is being opened is`() {
        let plane = FilmOutput.Plane(fileDescriptor: -1, connectorID: 1, planeID: 2)
        let screen = FilmOutput.Screen(sink: .plane(plane), width: 640, height: 360, canScale: true, formats: ["I420"])
        let (next, answer) = (NextSink(), DispatchSemaphore(value: 0))
        // Like a connector that answers late.
        next.open(for: screen) { _ throws(MediaFailure) in
            answer.wait()
            throw MediaFailure(reason: .cannotBuild, message: "there is no display")
        }
        let closing = WatchedThread { next.close() }
        closing.waitUntilItWaits()
        #expect(!closing.hasEnded, "the display may be closed from then on, and its descriptor be another file's")
        answer.signal()
        closing.join()
    }
}
