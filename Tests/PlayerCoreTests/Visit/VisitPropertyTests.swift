import PlayerCore
import Testing

@Suite("Visit: what holds for any fingers, films and clocks")
struct VisitPropertyTests {
    /// Performs the visit's actions, as a display would show them.
    private struct Screen {
        var film: Int?
        var isPlaying = true
        var records: [VisitRecord] = []
        /// Whether language, volume and the like are the house's. Each film's visitor may have changed them.
        var isHouse = true

        mutating func follow(_ actions: [Visit.Action]) {
            for action in actions {
                switch action {
                case .play(let film): (self.film, isPlaying, isHouse) = (film, false, false)
                case .attract: (film, isPlaying) = (nil, true)
                case .rest: isPlaying = false
                case .restoreHouse: isHouse = true
                case .record(let record): records.append(record)
                }
            }
        }
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    private static func input(_ random: inout Random, _ films: Int) -> Visit.Input {
        let finger = TouchFinger(
            panel: TouchPanel.ID(number: 1), slot: Int32.random(in: 0...2, using: &random))
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1: return .finger(.down(finger))
        case 2: return .finger(.moved(finger))
        case 3, 4: return .finger(.up(finger))
        case 5: return .chose(film: Int.random(in: -1...films, using: &random))
        case 6: return .plays
        case 7: return .rests
        case 8: return .ended
        case 9: return .failed
        case 10: return .dragged
        case 11: return .choseLanguage(["de", "en"].randomElement(using: &random) ?? "de")
        case 12: return .rules(VisitRules(films: films))
        case 13: return .askedMenu
        default: return .wake
        }
    }

    @Test(
        "some minutes without a finger lead to the attract loop, each touch is answered, nothing is black",
        arguments: 1...80 as ClosedRange<UInt64>)
    func invariants(seed: UInt64) {
        var random = Random(state: seed)
        let films = Int.random(in: 0...4, using: &random)
        var visit = Visit(rules: VisitRules(films: films))
        var screen = Screen()
        var now = MonotonicTime.milliseconds(1_000)
        for _ in 0..<400 {
            now = now + .milliseconds(Int.random(in: 0...20_000, using: &random))
            let before = visit.scene(at: now)
            let input = Self.input(&random, films)
            let actions = visit.handle(input, at: now)
            screen.follow(actions)
            check(visit, screen, at: now)
            guard case .finger(.down) = input, films > 0 else { continue }
            // Another scene is shown, or the controls and the menu handle the finger.
            switch before {
            case .attract, .countdown: #expect(visit.scene(at: now) == .menu || visit.scene(at: now) == .film)
            case .menu, .film: break
            }
        }
        // Everybody leaves; one finger may be dirt.
        let end = now + .seconds(60 + 600 + 30 + 10 + 1)
        while let due = visit.deadline, due <= end {
            let before = now
            now = max(due, now)
            screen.follow(visit.handle(.wake, at: now))
            check(visit, screen, at: now)
            // A film that pauses by itself, as over a network, delays nothing.
            if Bool.random(using: &random) { screen.follow(visit.handle(.plays, at: now)) }
            if Bool.random(using: &random) { screen.follow(visit.handle(.rests, at: now)) }
            if visit.deadline.map({ $0 <= now }) == true, before == now { break }
        }
        #expect(visit.state == .attract && visit.deadline == nil, "stays in \(visit.state)")
        #expect(screen.film == nil && screen.isPlaying)
    }

    private func check(_ visit: Visit, _ screen: Screen, at now: MonotonicTime) {
        switch visit.state {
        case .attract:
            #expect(screen.film == nil && screen.isPlaying, "nothing moves, and nobody is there")
            #expect(screen.isHouse, "the last visitor's language is there, and nobody is")
        case .visiting(.film(let film, _)), .leaving(.film(let film, _), _): #expect(screen.film == film)
        case .visiting(.menu), .leaving(.menu, _): break
        }
        if visit.state != .attract { #expect(visit.deadline != nil, "nothing would end \(visit.state)") }
        if case .countdown(let left) = visit.scene(at: now) { #expect((1...10).contains(left)) }
        for record in screen.records {
            #expect(record.watched <= record.duration && record.watched >= .zero)
            #expect(record.films.allSatisfy { $0 >= 0 && $0 < visit.rules.films })
        }
    }
}
