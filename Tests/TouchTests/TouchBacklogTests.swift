import PlayerCore
import Testing

@testable import Touch

@Suite("TouchBacklog: a busy reader misses no touch, and finds the finger where it is")
struct TouchBacklogTests {
    private static let panel = TouchPanel.ID(number: 1)

    /// Drawn news: `d` down, `m` motion, `u` up, `c` cancel with the slot and the time, as in `m0@3`; `f@3` a frame.
    private static func news(_ drawing: String) throws -> [TouchNews] {
        try drawing.split(separator: " ").map { word in
            let parts = word.split(separator: "@")
            let time = MonotonicTime.milliseconds(try #require(Int64(parts[1])))
            if parts[0] == "f" { return .event(.frame(panel, time)) }
            let slot = try #require(Int32(parts[0].dropFirst()))
            let finger = Finger(slot: slot, panel: panel, x: 0.5, y: 0.5, time: time)
            switch parts[0].first {
            case "d": return .event(.down(finger))
            case "m": return .event(.motion(finger))
            case "u": return .event(.up(finger))
            default: return .event(.cancel(finger))
            }
        }
    }

    @Test(
        arguments: [
            // arrived -> handed out
            ("d0@1 f@1 u0@2 f@2", "d0@1 f@1 u0@2 f@2"),
            ("m0@1 f@1 m0@2 f@2 m0@3 f@3", "m0@3 f@3"),
            ("m0@1 m1@1 f@1 m0@2 f@2", "m1@1 m0@2 f@2"),
            ("d0@1 f@1 m0@2 f@2 m0@3 f@3 u0@4 f@4", "d0@1 m0@3 f@3 u0@4 f@4"),
            ("m0@1 u0@2 d0@3 m0@4", "m0@1 u0@2 d0@3 m0@4"),
            ("m0@1 d1@2 m0@3 m0@4", "m0@1 d1@2 m0@4"),
            ("m0@1 c0@2", "m0@1 c0@2"),
        ])
    func coalescing(arrived: String, handedOut: String) throws {
        var backlog = TouchBacklog()
        for news in try Self.news(arrived) { backlog.append(news) }
        var out: [TouchNews] = []
        while let news = backlog.takeFirst() { out.append(news) }
        #expect(out == (try Self.news(handedOut)))
    }

    @Test("failures and hotplug are never replaced, and motions do not pass them")
    func hotplug() {
        let panel = TouchPanel(id: Self.panel, name: "Panel", systemName: "event1")
        let finger = Finger(slot: 0, panel: Self.panel, x: 0.5, y: 0.5, time: .milliseconds(1))
        let all: [TouchNews] = [
            .event(.motion(finger)), .event(.panelAdded(panel)), .event(.motion(finger)),
            .failure(.dispatch(errno: 1)), .failure(.dispatch(errno: 1)), .event(.motion(finger)),
        ]
        var backlog = TouchBacklog()
        for news in all { backlog.append(news) }
        #expect(backlog.count == all.count)
    }

    @Test("a minute of ten dragging fingers leaves eleven entries")
    func bounded() {
        var backlog = TouchBacklog()
        for tick in 0..<Int64(60 * 120) {
            for slot in 0..<10 as Range<Int32> {
                backlog.append(
                    .event(.motion(Finger(slot: slot, panel: Self.panel, x: 0.5, y: 0.5, time: .milliseconds(tick)))))
            }
            backlog.append(.event(.frame(Self.panel, .milliseconds(tick))))
        }
        #expect(backlog.count == 11)
    }
}
