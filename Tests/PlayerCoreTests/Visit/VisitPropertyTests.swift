import PlayerCore
import Testing

@Suite("Visit: what holds for any fingers, films and clocks")
struct VisitPropertyTests {
    /// Performs the visit's actions, as a display would show them, and counts for itself.
    private struct Screen {
        /// The visitor's film; `nil` for the attract loop.
        var film: Int?
        var isPlaying = true
        /// The film failed, and nothing took its place.
        var isBlack = false
        /// Whether language, volume and the like are the house's. Each film's visitor may have changed them.
        var isHouse = true
        /// The current visit as it should be recorded, and those that are over.
        var visit: VisitRecord?
        /// The fingers that are down and when each last moved, and whether one of them was more than dirt in this visit.
        var fingers: [TouchFinger: MonotonicTime] = [:]
        var hasVisitor = false
        /// When the visitor's film went on.
        var goesSince: MonotonicTime?
        var records: [(expected: VisitRecord?, logged: VisitRecord)] = []

        /// Follows an input and its actions.
        mutating func follow(_ input: Visit.Input, _ actions: [Visit.Action], from before: Visit, at now: MonotonicTime)
        {
            if case .finger(.down) = input, before.state == .attract, before.rules.films > 0 {
                visit = VisitRecord(start: now)
                hasVisitor = false
            }
            switch input {
            case .finger(.down(let finger)): fingers[finger] = now
            case .finger(.moved(let finger)): if isFresh(finger, at: now) { fingers[finger] = now }
            case .finger(.up(let finger)):
                _ = isFresh(finger, at: now)
                fingers[finger] = nil
            case .plays: if before.film != nil { goesSince = goesSince ?? now }
            case .rests, .ended: rest(at: now)
            case .dragged: if before.film != nil { visit?.drags += 1 }
            case .choseLanguage(let language):
                if visit?.languages.contains(language) == false { visit?.languages.append(language) }
            case .failed:
                rest(at: now)
                if before.film != nil { isBlack = true }
            default: break
            }
            for action in actions {
                switch action {
                case .play(let film):
                    rest(at: now)
                    #expect((0..<before.rules.films).contains(film))
                    (self.film, isPlaying, isHouse, isBlack) = (film, false, false, false)
                    visit?.films.append(film)
                case .attract:
                    rest(at: now)
                    (film, isPlaying, isBlack) = (nil, true, false)
                case .rest:
                    rest(at: now)
                    isPlaying = false
                case .restoreHouse:
                    isHouse = true
                    // The place of a drop's record stays empty.
                    if !hasVisitor { visit = nil }
                case .record(let record):
                    #expect(hasVisitor, "dirt is recorded")
                    if let start = visit?.start { visit?.duration = now - start }
                    records.append((visit, record))
                    visit = nil
                }
            }
        }

        /// Notes the visitor whom a finger that has not rested for long belongs to.
        private mutating func isFresh(_ finger: TouchFinger, at now: MonotonicTime) -> Bool {
            guard let moved = fingers[finger], now - moved < VisitRules.dirt else { return false }
            hasVisitor = true
            return true
        }

        /// The film stops.
        private mutating func rest(at now: MonotonicTime) {
            if let goesSince, var visit {
                visit.watched += now - goesSince
                self.visit = visit
            }
            goesSince = nil
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

    private static func rules(_ random: inout Random) -> VisitRules {
        VisitRules(
            films: Int.random(in: 0...4, using: &random),
            hasMenu: [nil, true, false].randomElement(using: &random) ?? nil,
            idle: .seconds(Int.random(in: 5...120, using: &random)),
            filmIdle: .seconds(Int.random(in: 5...900, using: &random)),
            countdown: .seconds(Int.random(in: 1...30, using: &random)))
    }

    private static func input(_ random: inout Random, _ films: Int) -> Visit.Input {
        let finger = TouchFinger(
            panel: TouchPanel.ID(number: UInt32.random(in: 1...2, using: &random)),
            slot: Int32.random(in: 0...2, using: &random))
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return .finger(.down(finger))
        case 2: return .finger(.moved(finger))
        case 3, 4: return .finger(.up(finger))
        case 5, 6: return .chose(film: Int.random(in: -1...films, using: &random))
        case 7: return .askedMenu
        case 8: return .dragged
        case 9: return .choseLanguage(["de", "en"].randomElement(using: &random) ?? "de")
        case 10: return .closes
        default: return film(&random)
        }
    }

    /// What a film does without a finger.
    private static func film(_ random: inout Random) -> Visit.Input {
        [.plays, .plays, .rests, .rests, .ended, .failed, .wake].randomElement(using: &random) ?? .wake
    }

    @Test(
        "some minutes without a finger lead to the attract loop, each touch is answered, nothing is black",
        arguments: 1...80 as ClosedRange<UInt64>)
    func invariants(seed: UInt64) {
        var random = Random(state: seed)
        let rules = Self.rules(&random)
        var visit = Visit(rules: rules)
        var screen = Screen()
        var now = MonotonicTime.milliseconds(1_000)
        for _ in 0..<400 {
            now = now + .milliseconds(Int.random(in: 0...20_000, using: &random))
            let (before, input) = (visit, Self.input(&random, rules.films))
            let actions = visit.handle(input, at: now)
            screen.follow(input, actions, from: before, at: now)
            check(visit, screen, at: now)
            checkAnswer(to: input, actions, before, visit, at: now)
            // From every state: everybody leaves a copy of it.
            if Int.random(in: 0..<16, using: &random) == 0 { leaveAlone(visit, screen, at: now, &random) }
        }
        leaveAlone(visit, screen, at: now, &random)
    }

    /// A finger changes what the screen shows, or is handled by the menu or the film's controls; and what these report
    /// is done.
    private func checkAnswer(
        to input: Visit.Input, _ actions: [Visit.Action], _ before: Visit, _ visit: Visit, at now: MonotonicTime
    ) {
        let (scene, rules) = (visit.scene(at: now), visit.rules)
        switch input {
        case .finger(.down) where rules.films == 0: #expect(actions == [] && scene == .attract)
        case .finger(.down):
            if before.state == .attract {
                #expect(actions == (rules.hasMenu ? [] : [.play(film: 0)]))
                #expect(scene == (rules.hasMenu ? .menu : .film))
            } else {
                #expect(actions == [] && scene == (before.isInMenu ? .menu : .film))
            }
        case .chose(let film) where before.state == .visiting(.menu) && (0..<rules.films).contains(film):
            #expect(actions == [.play(film: film)] && visit.film == film)
        case .chose: #expect(!actions.contains { if case .play = $0 { true } else { false } })
        case .askedMenu:
            guard rules.hasMenu, case .visiting(.film) = before.state else { break }
            #expect(actions.first == .rest && visit.isInMenu)
        case .closes: #expect(visit.state == .attract)
        default: break
        }
    }

    /// Dirt that never lifts: it trembles, and single reports are far away from it.
    private struct Dirt {
        private static let layout = OSDLayout(displayWidth: 1000, displayHeight: 1000, millimetres: nil)
        let finger: TouchFinger
        private var moves: FingerMoves

        init(_ finger: TouchFinger) {
            self.finger = finger
            moves = FingerMoves(Self.report(of: finger, at: 0.5))
        }

        private static func report(of finger: TouchFinger, at place: Double) -> Finger {
            Finger(slot: finger.slot, panel: finger.panel, x: place, y: 0.5, time: .milliseconds(0))
        }

        /// What a visit hears of some reports.
        mutating func inputs(at now: MonotonicTime, _ random: inout Random) -> [Visit.Input] {
            let tremble = Self.layout.restRadius / 1000 * Double.random(in: -0.9...0.9, using: &random)
            let places = [0.5 + tremble, Double.random(in: 0...1, using: &random), 0.5 - tremble]
            return places.filter { moves.take(Self.report(of: finger, at: $0), on: Self.layout, at: now) }
                .map { _ in .finger(.moved(finger)) }
        }
    }

    /// Nobody touches any more, but there may be dirt, and the film ends, fails, stops and goes on as it likes.
    private func leaveAlone(_ visited: Visit, _ shown: Screen, at time: MonotonicTime, _ random: inout Random) {
        var (visit, screen, now) = (visited, shown, time)
        let rules = visit.rules
        var dirt: Dirt?
        func handle(_ input: Visit.Input) {
            let before = visit
            screen.follow(input, visit.handle(input, at: now), from: before, at: now)
            check(visit, screen, at: now)
        }
        if Bool.random(using: &random) {
            let drop = Dirt(TouchFinger(panel: TouchPanel.ID(number: 1), slot: 0))
            handle(.finger(.down(drop.finger)))
            dirt = drop
        }
        let end = now + VisitRules.dirt + rules.filmIdle + rules.idle + rules.countdown
        var steps = 0
        while let due = visit.deadline, due <= end, steps < 100_000 {
            steps += 1
            // Timers are late, and never early.
            let soon = now + .milliseconds(Int.random(in: 1...(dirt == nil ? 60_000 : 20_000), using: &random))
            if soon < due, Bool.random(using: &random) {
                now = soon
                handle(Self.film(&random))
            } else if soon < due, var drop = dirt {
                now = soon
                for input in drop.inputs(at: now, &random) { handle(input) }
                dirt = drop
            } else {
                now = max(due, now)
                handle(.wake)
            }
        }
        #expect(visit.state == .attract && visit.deadline == nil, "stays in \(visit.state)")
        #expect(screen.film == nil && screen.isPlaying && screen.isHouse)
    }

    private func check(_ visit: Visit, _ screen: Screen, at now: MonotonicTime) {
        #expect(!screen.isBlack, "the failed film's place is empty in \(visit.state)")
        switch visit.state {
        case .attract:
            #expect(screen.film == nil && screen.isPlaying, "nothing moves, and nobody is there")
            #expect(screen.isHouse, "the last visitor's language is there, and nobody is")
            #expect(screen.visit == nil, "a visit is not recorded")
        case .visiting(.film(let film, _)), .leaving(.film(let film, _), _): #expect(screen.film == film)
        case .visiting(.menu), .leaving(.menu, _): #expect(visit.rules.hasMenu && visit.rules.films > 0)
        }
        if visit.state != .attract { #expect(visit.deadline != nil, "nothing would end \(visit.state)") }
        if case .countdown(let left) = visit.scene(at: now) {
            #expect(left >= 1 && Duration.seconds(left) <= visit.rules.countdown)
        }
        for (expected, logged) in screen.records.suffix(1) {
            #expect(expected == logged && logged.watched <= logged.duration)
        }
    }
}
