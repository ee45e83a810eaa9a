import PlayerCore
import Testing

@Suite("The menu of films")
struct FilmMenuTests {
    private static let sizes = [
        (800, 480), (1024, 600), (1280, 720), (1920, 1080), (3840, 2160), (480, 800), (1080, 1920),
    ]

    private static func menu(_ films: Int, _ size: (Int, Int), languages: Int = 3) -> FilmMenu {
        FilmMenu(
            FilmMenu.Content(
                heading: "What would you like to see?",
                films: (0..<films).map { FilmMenu.Film(title: "Film \($0)", address: "/films/\($0).mp4") },
                languages: Array(["Deutsch", "English", "Français"].prefix(languages)), language: 0),
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
        arguments: sizes, [1, 2, 5, 6, 20])
    func layout(size: (Int, Int), films: Int) {
        let menu = Self.menu(films, size)
        #expect(menu.layout.strip.height == size.1 && menu.layout.strip.y == 0)
        let touched = menu.scene.widgets.filter { $0.id != .panel && $0.target.width > 0 }
        #expect(touched.contains { $0.id == .picture(0) })
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
}
