import PlayerCore
import Testing

@Suite("Timers")
struct TimersTests {
    private enum Part: Hashable { case finger, film(String) }

    private static let timers =
        Timers<Part>([.finger: .milliseconds(30)])
        + Timers(["end": .milliseconds(10), "silence": nil, "load": .milliseconds(20)]).named { Part.film($0) }

    @Test("The next deadline is the earliest of all owners'")
    func next() {
        #expect(Self.timers.next == .milliseconds(10))
        #expect(Timers<Part>([.finger: nil]).next == nil)
    }

    @Test("Those that are due are handled once each, in their owners' order")
    func due() {
        func handled(at time: Int64) -> [Part] {
            var (order, handled) = ([Part](), Set<Part>())
            while let timer = Self.timers.due(at: .milliseconds(time), except: handled) {
                order.append(timer)
                handled.insert(timer)
            }
            return order
        }
        #expect(handled(at: 9) == [])
        #expect(handled(at: 10) == [.film("end")])
        #expect(handled(at: 30) == [.finger, .film("end"), .film("load")])
    }
}
