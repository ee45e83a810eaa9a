import PlayerCore
import Testing

@Suite("Visit: attract, menu, film, countdown")
struct VisitTests {
    private static let finger = TouchFinger(panel: TouchPanel.ID(number: 1), slot: 0)
    private var visit: Visit
    private var now = MonotonicTime.milliseconds(5_000)

    init() { visit = Visit(rules: VisitRules(films: 1)) }

    private mutating func at(_ seconds: Int64, _ input: Visit.Input) -> [Visit.Action] {
        now = .milliseconds(5_000 + seconds * 1_000)
        return visit.handle(input, at: now)
    }

    private mutating func tap(_ seconds: Int64) -> [Visit.Action] {
        at(seconds, .finger(.down(Self.finger))) + at(seconds, .finger(.up(Self.finger)))
    }

    @Test("One film: the first touch plays it, its end and 30 s lead to ten seconds, these to the attract loop")
    mutating func oneFilm() throws {
        #expect(visit.scene(at: now) == .attract && visit.deadline == nil)
        #expect(tap(0) == [.play(film: 0)])
        _ = at(1, .plays)
        #expect(visit.scene(at: now) == .film)
        #expect(at(61, .ended) == [])
        #expect(visit.deadline == .milliseconds(5_000 + 91_000))
        #expect(at(91, .wake) == [])
        #expect(visit.scene(at: now) == .countdown(secondsLeft: 10))
        #expect(at(92, .wake) == [] && visit.scene(at: now) == .countdown(secondsLeft: 9))
        let actions = at(101, .wake)
        #expect(actions.prefix(2) == [.attract, .restoreHouse])
        guard case .record(let record)? = actions.last else { Issue.record("no record"); return }
        #expect(record.films == [0] && record.watched == .seconds(60) && record.duration == .seconds(101))
        #expect(visit.scene(at: now) == .attract && visit.deadline == nil)
    }

    @Test("A touch in the countdown stays, and presses nothing")
    mutating func stays() {
        _ = tap(0)
        _ = at(1, .plays)
        _ = at(2, .rests)
        _ = at(33, .wake)
        #expect(visit.scene(at: now) == .countdown(secondsLeft: 10))
        #expect(tap(40) == [])
        #expect(visit.scene(at: now) == .film)
        #expect(visit.deadline == .milliseconds(5_000 + 70_000))
    }

    @Test("A film that plays is left after its own time only")
    mutating func plays() {
        _ = tap(0)
        _ = at(1, .plays)
        #expect(at(599, .wake) == [] && visit.scene(at: now) == .film)
        #expect(at(600, .wake) == [] && visit.scene(at: now) == .countdown(secondsLeft: 10))
    }

    @Test("A finger that has rested for a minute is dirt, one that moves is a visitor")
    mutating func dirt() {
        _ = at(0, .finger(.down(Self.finger)))
        _ = at(1, .plays)
        _ = at(2, .rests)
        _ = at(50, .finger(.moved(Self.finger)))
        #expect(at(109, .wake) == [] && visit.scene(at: now) == .film)
        #expect(at(110, .wake) == [] && visit.scene(at: now) == .countdown(secondsLeft: 10))
        // Its trembling and its lift do not count as a visitor.
        #expect(at(111, .finger(.moved(Self.finger))) == [])
        #expect(at(112, .finger(.up(Self.finger))) == [])
        #expect(at(120, .wake).first == .attract)
    }

    @Test("A drop that falls on the attract loop starts the film, and is not recorded as a visit; a late finger is")
    mutating func drop() {
        _ = at(0, .finger(.down(Self.finger)))
        _ = at(1, .plays)
        _ = at(10, .ended)
        _ = at(70, .wake)
        #expect(visit.scene(at: now) == .countdown(secondsLeft: 10))
        #expect(at(80, .wake) == [.attract, .restoreHouse])
        // It is wiped off, and the next ones have no part in each other's lifts.
        _ = at(90, .finger(.up(Self.finger)))
        _ = at(100, .finger(.down(Self.finger)))
        #expect(at(101, .closes) == [.attract, .restoreHouse])
        _ = at(102, .finger(.up(Self.finger)))
        _ = at(103, .finger(.down(Self.finger)))
        #expect(at(104, .closes) == [.attract, .restoreHouse])
        _ = at(110, .finger(.down(Self.finger)))
        _ = at(120, .finger(.moved(Self.finger)))
        guard case .record(let moved)? = at(130, .closes).last else { Issue.record("no record"); return }
        #expect(moved.films == [0] && moved.duration == .seconds(20))
        _ = at(140, .finger(.down(Self.finger)))
        _ = at(150, .finger(.down(TouchFinger(panel: Self.finger.panel, slot: 1))))
        _ = at(151, .finger(.up(TouchFinger(panel: Self.finger.panel, slot: 1))))
        guard case .record(let second)? = at(160, .closes).last else { Issue.record("no record"); return }
        #expect(second.films == [0] && second.duration == .seconds(20))
    }

    @Test("Several films: a touch opens the menu, a poster plays, the end opens the menu again")
    mutating func menu() {
        visit = Visit(rules: VisitRules(films: 3))
        #expect(tap(0) == [] && visit.scene(at: now) == .menu)
        #expect(at(1, .chose(film: 3)) == [])
        #expect(at(2, .chose(film: 2)) == [.play(film: 2)])
        #expect(at(3, .chose(film: 1)) == [], "there is no menu to choose from")
        _ = at(3, .plays)
        _ = at(4, .choseLanguage("de"))
        _ = at(5, .dragged)
        #expect(at(20, .ended) == [.rest] && visit.scene(at: now) == .menu)
        #expect(at(50, .wake) == [] && visit.scene(at: now) == .countdown(secondsLeft: 10))
        guard case .record(let record)? = at(60, .wake).last else { Issue.record("no record"); return }
        #expect(record.films == [2] && record.languages == ["de"] && record.drags == 1)
        #expect(record.watched == .seconds(17))
    }

    @Test("From a film a visitor goes back to the menu, and chooses again")
    mutating func back() {
        visit = Visit(rules: VisitRules(films: 2))
        _ = tap(0)
        #expect(at(1, .askedMenu) == [] && visit.scene(at: now) == .menu, "it is open already")
        _ = at(2, .chose(film: 0))
        _ = at(3, .plays)
        #expect(at(13, .askedMenu) == [.rest] && visit.scene(at: now) == .menu)
        #expect(at(14, .chose(film: 1)) == [.play(film: 1)])
        guard case .record(let record)? = at(15, .closes).last else { Issue.record("no record"); return }
        #expect(record.films == [0, 1] && record.watched == .seconds(10))
        visit = Visit(rules: VisitRules(films: 1))
        _ = tap(20)
        #expect(at(21, .askedMenu) == [] && visit.film == 0, "there is none")
    }

    @Test("A film that ends in the countdown leaves the menu under it: who touches then can choose")
    mutating func endsInCountdown() {
        visit = Visit(rules: VisitRules(films: 2))
        _ = tap(0)
        _ = at(1, .chose(film: 1))
        _ = at(2, .plays)
        #expect(at(601, .wake) == [] && visit.scene(at: now) == .countdown(secondsLeft: 10))
        #expect(at(605, .ended) == [.rest] && visit.isInMenu && visit.scene(at: now) == .countdown(secondsLeft: 6))
        #expect(tap(606) == [] && visit.scene(at: now) == .menu)
    }

    @Test("A visit that the program's end breaks off is counted, once")
    mutating func closes() {
        #expect(at(0, .closes) == [])
        _ = tap(1)
        guard case .record(let record)? = at(5, .closes).last else { Issue.record("no record"); return }
        #expect(record.films == [0] && record.duration == .seconds(4))
        #expect(at(6, .closes) == [])
    }

    @Test("A film that fails leads to the menu, or, alone, to the attract loop")
    mutating func fails() {
        #expect(tap(0) == [.play(film: 0)])
        #expect(at(1, .failed).first == .attract)
        visit = Visit(rules: VisitRules(films: 2))
        _ = tap(2)
        _ = at(3, .chose(film: 1))
        #expect(at(4, .failed) == [.attract] && visit.scene(at: now) == .menu)
    }

    @Test("Without films a touch does nothing")
    mutating func noFilms() {
        visit = Visit(rules: VisitRules(films: 0))
        #expect(tap(0) == [] && visit.scene(at: now) == .attract)
    }

    @Test("A film that stops and goes on by itself is left all the same")
    mutating func stutters() {
        _ = tap(0)
        var isLeft = false
        for second in stride(from: Int64(1), to: 700, by: 2) where !isLeft {
            let played = at(second, .plays)
            isLeft = (played + at(second + 1, .rests) + at(second + 1, .wake)).contains(.attract)
        }
        #expect(isLeft)
    }
}
