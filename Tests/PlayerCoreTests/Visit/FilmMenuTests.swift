import Testing

@testable import PlayerCore

@Suite("The menu of films")
struct FilmMenuTests {
    private static let sizes = [
        (800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160), (480, 800), (600, 1024), (720, 1280),
        (1080, 1920), (2160, 3840),
    ]

    private static func menu(_ films: Int, _ size: (Int, Int), languages: Int = 3) -> FilmMenu {
        FilmMenu(
            FilmMenu.Content(
                heading: "What would you like to see?",
                films: (0..<films).map { FilmMenu.Film(title: "Film \($0)", address: "/films/\($0).mp4") },
                languages: Array(
                    ["Deutsch", "English", "Français", "Nederlands", "Português (Brasil)", "Čeština"].prefix(languages)),
                language: 0),
            on: Controls.Screen(width: size.0, height: size.1))
    }

    private static func finger(_ x: Double, _ y: Double, at time: Int64) -> Finger {
        Finger(slot: 0, panel: TouchPanel.ID(number: 1), x: x, y: y, time: .milliseconds(time))
    }

    private static func place(_ id: WidgetID, in menu: FilmMenu) throws -> (x: Double, y: Double) {
        let target = try #require(menu.scene[id]).target
        return (
            (Double(target.x) + Double(target.width) / 2) / Double(menu.screen.width),
            (Double(target.y) + Double(target.height) / 2) / Double(menu.screen.height)
        )
    }

    @Test(
        "All that is touched lies on the display, is as large as a finger, and overlaps nothing",
        arguments: sizes, [(1, 3), (2, 2), (5, 0), (6, 5), (20, 6), (20, 4)])
    func layout(size: (Int, Int), count: (films: Int, languages: Int)) {
        let films = count.films
        let menu = Self.menu(films, size, languages: count.languages)
        #expect(menu.layout.surface.height == size.1 && menu.layout.surface.y == 0)
        let touched = menu.scene.widgets.filter { $0.id != .panel && $0.target.width > 0 }
        #expect(touched.contains { $0.id == .picture(0) })
        for language in 0..<count.languages {
            #expect(touched.contains { $0.id == .option(language) }, "\(language) on \(size)")
        }
        for widget in touched {
            let target = widget.target
            #expect(target.x >= 0 && target.y >= 0 && target.x + target.width <= size.0)
            #expect(target.y + target.height <= size.1, "\(widget.id) \(target) on \(size)")
            #expect(min(target.width, target.height) >= 64, "\(widget.id) \(target) on \(size)")
            for other in touched where other.id != widget.id {
                let apart =
                    target.x + target.width <= other.target.x || other.target.x + other.target.width <= target.x
                    || target.y + target.height <= other.target.y || other.target.y + other.target.height <= target.y
                #expect(apart, "\(widget.id) and \(other.id) on \(size)")
            }
        }
        #expect(menu.pageCount == (films + menu.pageSize - 1) / menu.pageSize)
    }

    @Test("A chosen poster looks pressed until the menu is touched or opened again")
    func chosen() throws {
        var menu = Self.menu(3, (1280, 720))
        func choose(at time: Int64) throws {
            let poster = try Self.place(.picture(2), in: menu)
            _ = menu.handle(.down(Self.finger(poster.x, poster.y, at: time)))
            let pressed = menu.scene
            #expect(menu.handle(.up(Self.finger(poster.x, poster.y, at: time + 80))) == [.chose(film: 2)])
            #expect(menu.scene == pressed && menu.scene[.picture(2)]?.state == .pressed)
        }
        let untouched = menu.scene
        try choose(at: 0)
        let other = try Self.place(.picture(0), in: menu)
        _ = menu.handle(.down(Self.finger(other.x, other.y, at: 1000)))
        #expect(menu.scene[.picture(2)]?.state == .normal && menu.scene[.picture(0)]?.state == .pressed)
        _ = menu.handle(.cancel(Self.finger(other.x, other.y, at: 1050)))
        #expect(menu.scene == untouched)
        try choose(at: 2000)
        menu.take(menu.content)
        #expect(menu.scene == untouched)
    }

    @Test("A touch chooses what it began on; a swipe turns the page and chooses nothing")
    func touches() throws {
        var menu = Self.menu(20, (1280, 720))
        let first = try Self.place(.picture(0), in: menu)
        #expect(menu.handle(.down(Self.finger(first.x, first.y, at: 0))) == [.aims(film: 0)])
        #expect(menu.scene[.picture(0)]?.state == .pressed)
        #expect(menu.handle(.up(Self.finger(first.x, first.y, at: 80))) == [.chose(film: 0)])
        let language = try Self.place(.option(1), in: menu)
        _ = menu.handle(.down(Self.finger(language.x, language.y, at: 100)))
        #expect(menu.handle(.up(Self.finger(language.x, language.y, at: 150))) == [.choseLanguage(1)])
        _ = menu.handle(.down(Self.finger(0.8, first.y, at: 1000)))
        for step in 1...10 {
            _ = menu.handle(.motion(Self.finger(0.8 - Double(step) * 0.05, first.y, at: 1000 + Int64(step) * 20)))
        }
        #expect(menu.handle(.up(Self.finger(0.3, first.y, at: 1300))) == [])
        #expect(menu.page == 1 && menu.scene[.picture(0)] == nil)
        // Back, and no further.
        for _ in 0..<2 {
            _ = menu.handle(.down(Self.finger(0.2, first.y, at: 2000)))
            _ = menu.handle(.motion(Self.finger(0.7, first.y, at: 2100)))
            _ = menu.handle(.up(Self.finger(0.7, first.y, at: 2200)))
        }
        #expect(menu.page == 0)
    }

    @Test("A finger that wanders off the poster that it came down on chooses nothing", arguments: sizes)
    func wanders(size: (Int, Int)) throws {
        var menu = Self.menu(20, size)
        let first = try Self.place(.picture(0), in: menu)
        _ = menu.handle(.down(Self.finger(first.x, first.y, at: 0)))
        for step in 1...10 {
            let down = first.y + Double(step) * 0.05
            #expect(menu.handle(.motion(Self.finger(first.x, down, at: Int64(step) * 20))) == [])
        }
        #expect(menu.scene[.picture(0)]?.state == .normal)
        // Back on the poster, the finger no longer chooses it, nor does it turn the page.
        _ = menu.handle(.motion(Self.finger(first.x, first.y, at: 220)))
        _ = menu.handle(.motion(Self.finger(first.x + 0.3, first.y, at: 240)))
        #expect(menu.handle(.up(Self.finger(first.x + 0.3, first.y, at: 260))) == [])
        #expect(menu.page == 0)
        // A tap that trembles is still a tap.
        _ = menu.handle(.down(Self.finger(first.x, first.y, at: 1000)))
        let tremble = menu.layout.restRadius / Double(size.1)
        _ = menu.handle(.motion(Self.finger(first.x, first.y + tremble, at: 1020)))
        #expect(menu.handle(.up(Self.finger(first.x, first.y + tremble, at: 1040))) == [.chose(film: 0)])
    }

    @Test("A finger that is lifted beside the poster that it came down on chooses nothing", arguments: sizes)
    func besides(size: (Int, Int)) throws {
        var menu = Self.menu(20, size)
        let target = try #require(menu.scene[.picture(0)]).target
        let rest = menu.layout.restRadius
        func lift(at distance: Double) -> [FilmMenu.Output] {
            let x = (Double(target.x) + Double(target.width) / 2) / Double(size.0)
            let from = Double(target.y + target.height) - 1
            _ = menu.handle(.down(Self.finger(x, from / Double(size.1), at: 0)))
            let to = (from + 1 + distance) / Double(size.1)
            _ = menu.handle(.motion(Self.finger(x, to, at: 20)))
            return menu.handle(.up(Self.finger(x, to, at: 40)))
        }
        #expect(lift(at: rest * 0.9) == [.chose(film: 0)])
        #expect(lift(at: rest * 1.2) == [])
    }

    @Test("The countdown shows its seconds whole at every size, and a touch chooses nothing under it", arguments: sizes)
    func countdown(size: (Int, Int)) throws {
        var menu = Self.menu(20, size, languages: 6)
        let (poster, frame) = (try Self.place(.picture(0), in: menu), menu.scene[.picture(0)]?.frame)
        let language = try Self.place(.option(0), in: menu)
        var content = menu.content
        content.countdown = .init(message: "Dotkněte se obrazovky prosím, chcete-li zůstat", secondsLeft: 10)
        // A finger that was down before has no effect any more.
        _ = menu.handle(.down(Self.finger(poster.x, poster.y, at: 0)))
        menu.take(content)
        #expect(menu.handle(.up(Self.finger(poster.x, poster.y, at: 20))) == [])
        let scene = menu.scene
        guard case .text("10", let fontSize, _)? = scene[.secondsLeft]?.face, let seconds = scene[.secondsLeft]?.frame,
            case .text(let words, let wordsSize, _)? = scene[.heading]?.face, let heading = scene[.heading]?.frame
        else { Issue.record("\(scene)"); return }
        #expect(seconds.width >= PanelLayout.width(of: "10", fontSize: fontSize) && fontSize > wordsSize)
        #expect(seconds.x + seconds.width < heading.x && heading.x + heading.width <= size.0)
        #expect(words.split(separator: "\n").joined(separator: " ") == content.countdown?.message, "nothing is cut")
        for line in words.split(separator: "\n") {
            #expect(PanelLayout.width(of: String(line), fontSize: wordsSize) <= heading.width)
        }
        #expect(scene[.option(0)] == nil && scene[.picture(0)]?.frame == frame, "no poster moves")
        for place in [poster, language] {
            #expect(menu.handle(.down(Self.finger(place.x, place.y, at: 100))) == [])
            // The visitor stays: the touch that did that does nothing else.
            content.countdown = nil
            menu.take(content)
            #expect(menu.handle(.up(Self.finger(place.x, place.y, at: 150))) == [])
            content.countdown = .init(message: "Stay", secondsLeft: 9)
            menu.take(content)
        }
        content.countdown = nil
        menu.take(content)
        _ = menu.handle(.down(Self.finger(poster.x, poster.y, at: 200)))
        #expect(menu.handle(.up(Self.finger(poster.x, poster.y, at: 250))) == [.chose(film: 0)])
    }

    @Test("Words about a film stand in place of the heading, in lines that fit", arguments: sizes)
    func notice(size: (Int, Int)) throws {
        var menu = Self.menu(3, size)
        let touched = menu.scene.widgets.filter { $0.target.width > 0 }
        menu.notice = "“The river in winter” cannot be played: the file is damaged."
        guard case .text(let words, let fontSize, _)? = menu.scene[.heading]?.face,
            let frame = menu.scene[.heading]?.frame
        else { Issue.record("no words"); return }
        #expect(words.hasPrefix("“The"))
        let lines = words.split(separator: "\n")
        #expect(lines.count * fontSize * 5 / 4 <= frame.height)
        for line in lines { #expect(PanelLayout.width(of: String(line), fontSize: fontSize) <= frame.width) }
        #expect(menu.scene.widgets.filter { $0.target.width > 0 } == touched, "nothing else changes")
        menu.notice = nil
        guard case .text(let heading, _, _)? = menu.scene[.heading]?.face else { Issue.record("no words"); return }
        #expect(heading.split(separator: "\n").joined(separator: " ") == menu.content.heading)
    }

    @Test("The films near the shown page are those of it and of the pages beside it, and no more", arguments: sizes)
    func near(size: (Int, Int)) throws {
        var menu = Self.menu(200, size)
        let each = menu.pageSize
        #expect(menu.nearFilms == Array(0..<2 * each))
        for page in 1...2 {
            _ = menu.handle(.down(Self.finger(0.8, 0.6, at: Int64(page) * 1000)))
            _ = menu.handle(.motion(Self.finger(0.3, 0.6, at: Int64(page) * 1000 + 100)))
            _ = menu.handle(.up(Self.finger(0.3, 0.6, at: Int64(page) * 1000 + 200)))
        }
        #expect(
            menu.page == 2 && Array(menu.nearFilms.prefix(each)) == Array(2 * each..<3 * each),
            "the shown ones are first")
        #expect(Set(menu.nearFilms) == Set(each..<4 * each) && menu.nearFilms.count == 3 * each)
    }

    @Test("A finger that its panel takes back chooses nothing, nor does one that rests")
    func takenBack() throws {
        var menu = Self.menu(2, (1280, 720))
        let place = try Self.place(.picture(1), in: menu)
        _ = menu.handle(.down(Self.finger(place.x, place.y, at: 0)))
        #expect(
            menu.handle(.cancel(Self.finger(place.x, place.y, at: 50))) == []
                && menu.scene[.picture(1)]?.state == .normal)
        _ = menu.handle(.down(Self.finger(place.x, place.y, at: 100)))
        let due = try #require(menu.deadline)
        #expect(menu.wake(at: due) == [])
        #expect(menu.handle(.up(Self.finger(place.x, place.y, at: 20_000))) == [])
    }

    /// A finger that has moved, and then stays.
    private static func stays(_ steps: [(x: Double, y: Double)], in menu: inout FilmMenu) {
        for (step, place) in steps.enumerated() {
            let finger = finger(place.x, place.y, at: Int64(step) * 20)
            _ = menu.handle(step == 0 ? .down(finger) : .motion(finger))
        }
    }

    @Test("A finger that swiped, wandered or ended a countdown, and stays, keeps others from choosing for 5 s only")
    func keepsNobody() throws {
        let free = Self.menu(20, (1280, 720))
        let place = try Self.place(.picture(1), in: free)
        var (swiped, wandered, stayed) = (free, free, free)
        Self.stays([(0.8, 0.5), (0.7, 0.5), (0.6, 0.5)], in: &swiped)
        Self.stays([(0.5, 0.5), (0.5, 0.6), (0.5, 0.7)], in: &wandered)
        var content = free.content
        content.countdown = .init(message: "Stay", secondsLeft: 5)
        stayed.take(content)
        Self.stays([(0.5, 0.5)], in: &stayed)
        stayed.take(free.content)
        for (name, held, moved) in [("swiped", swiped, Int64(40)), ("wandered", wandered, 0), ("stayed", stayed, 0)] {
            var menu = held
            func tap(_ time: Int64) -> [FilmMenu.Output] {
                let finger = { Finger(slot: 1, panel: TouchPanel.ID(number: 1), x: place.x, y: place.y, time: $0) }
                let pressed = menu.handle(.down(finger(.milliseconds(time))))
                return pressed + menu.handle(.up(finger(.milliseconds(time + 50))))
            }
            #expect(tap(4000) == [], "\(name)")
            #expect(menu.deadline == .milliseconds(moved + 5000), "\(name)")
            #expect(menu.wake(at: .milliseconds(moved + 5000)) == [] && menu.page == 0)
            #expect(tap(6000) == [.aims(film: 1), .chose(film: 1)], "\(name)")
        }
    }
}
