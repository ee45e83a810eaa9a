import Dispatch
import PlayerCore
import Testing

@testable import Touch

/// With the real libinput, on a seat that no machine has, so that no panel of this machine is opened.
@Suite("TouchReader: a seat without panels")
struct TouchReaderTests {
    private let seat = "seat-of-a-test"
    private let queue = DispatchQueue(label: "touch")

    @Test("no panel is no error, and stop ends the news", .timeLimit(.minutes(1)))
    func stop() async throws {
        let news = try queue.sync {
            let reader = try TouchReader(seat: seat, queue: queue)
            #expect(reader.panels.isEmpty)
            reader.stop()
            reader.stop()
            return reader.news
        }
        for await item in news { Issue.record("\(item)") }
    }

    @Test("the news end with the reader", .timeLimit(.minutes(1)))
    func release() async throws {
        let news = try queue.sync { try TouchReader(seat: seat, queue: queue).news }
        for await item in news { Issue.record("\(item)") }
    }

    @Test("the list of panels is empty")
    func list() throws {
        #expect(try TouchPanels.list(seat: seat).isEmpty)
    }

    @Test("what is no touchscreen is not opened")
    func refusal() throws {
        let context = try LibinputContext(seat: seat, log: .silent)
        #expect(context.callbacks.open("/dev/null", flags: 0) < 0)
        #expect(context.callbacks.open("/dev/input/event9999", flags: 0) < 0)
        #expect(context.callbacks.takeFailures().isEmpty)
    }
}
