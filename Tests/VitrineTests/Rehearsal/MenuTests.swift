import PlayerCore
import Testing
import Touch

@testable import Media
@testable import Vitrine

/// The menu over a film, on a player without a display.
@Suite("A menu, rehearsed", .timeLimit(.minutes(1)))
struct MenuTests {
    private static func content(_ films: Int) -> FilmMenu.Content {
        FilmMenu.Content(
            heading: "What would you like to see?",
            films: (0..<films).map { FilmMenu.Film(title: "Film \($0)", address: "/nowhere/\($0).mp4") },
            languages: ["Deutsch", "English"], language: 0)
    }

    private static func words(of model: OSDModel?) -> String? {
        guard case .text(let words, _, _)? = model?.widgets.first(where: { $0.id == .heading })?.face else {
            return nil
        }
        return words.split(separator: "\n").joined(separator: " ")
    }

    @Test func `words about a film are read in the menu, for their time`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        await rehearsal.open()
        await rehearsal.player.act { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(3)))
        }
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } == "What would you like to see?")
        await rehearsal.player.act { $0.say("This film cannot be played.") }
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } == "This film cannot be played.")
        await rehearsal.turn(.seconds(10))
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } == "What would you like to see?")
        await rehearsal.end()
    }

    @Test(arguments: [true, false])
    func `the menu stays until the chosen film is shown`(hasVideo: Bool) async throws {
        let rehearsal = try await Rehearsal(["loop.mp4", "chosen.mp4"])
        let (loop, chosen) = (rehearsal.list.items[0], rehearsal.list.items[1])
        await rehearsal.ask { $0.replaceItems(with: [loop]) }
        await rehearsal.open(.seconds(60))
        func isCovered() async -> Bool { await rehearsal.player.act { Self.words(of: $0.model) != nil } }
        await rehearsal.player.act { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(2)))
            player.tapPoster(1)
        }
        // As the program does, in this order.
        await rehearsal.ask { $0.replaceItems(with: [chosen]) }
        await rehearsal.player.act { $0.setTouchUse(.controls(hasMenu: true)) }
        let pressed = await rehearsal.player.act { player in
            player.model.widgets.first { $0.id == .picture(1) }?.state
        }
        #expect(pressed == .pressed)
        let reachesControls = await rehearsal.player.act { $0.input.visit.reachesControls }
        #expect(reachesControls)
        #expect(rehearsal.pipeline.location.title == "chosen")
        if hasVideo {
            await rehearsal.show(.zero, SeekRequest.initial)
        } else {
            await rehearsal.report(
                .ready(MediaInfo(duration: .seconds(60), isSeekable: true, isLocal: true, hasVideo: false)))
        }
        #expect(await !isCovered())
        await rehearsal.end()
    }

    @Test func `the film that plays can be chosen, too`() async throws {
        let rehearsal = try await Rehearsal(["chosen.mp4"])
        let chosen = rehearsal.list.items[0]
        await rehearsal.open()
        await rehearsal.ask { $0.pause() }
        await rehearsal.player.act { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(1)))
            player.input.visit.leaveMenu(during: player.session, at: player.clock.now)
        }
        await rehearsal.ask { list in
            list.replaceItems(with: [chosen])
            list.play()
        }
        await rehearsal.player.act { $0.setTouchUse(.controls(hasMenu: true)) }
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } != nil)
        await rehearsal.open()
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } == nil)
        await rehearsal.end()
    }

    @Test func `what else is to be seen ends a menu that was left`() async throws {
        let acts: [@Sendable (isolated PlayerLoop) -> Void] = [
            // The visit is over, a finger shows the controls, the film goes to another display.
            { $0.setTouchUse(.reports) }, { $0.show(.asked, at: $0.clock.now) }, { $0.take(nil) },
        ]
        for act in acts {
            let rehearsal = try await Rehearsal(["loop.mp4"])
            await rehearsal.open()
            let isLeft = await rehearsal.player.act { player in
                player.osd.isEnabled = true
                player.setTouchUse(.menu(Self.content(2)))
                player.input.visit.leaveMenu(during: player.session, at: player.clock.now)
                player.setTouchUse(.controls(hasMenu: true))
                return Self.words(of: player.model) != nil
            }
            #expect(isLeft)
            let isForgotten = await rehearsal.player.act { player in
                act(player)
                return player.input.visit.leftMenu == nil && Self.words(of: player.model) == nil
            }
            #expect(isForgotten)
            await rehearsal.end()
        }
    }

    @Test func `a poster is released if a program plays nothing`() async throws {
        let rehearsal = try await Rehearsal(["loop.mp4"])
        await rehearsal.open()
        func pressed() async -> Widget.State? {
            await rehearsal.player.act { player in player.model.widgets.first { $0.id == .picture(1) }?.state }
        }
        await rehearsal.player.act { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(2)))
            player.tapPoster(1)
        }
        #expect(await pressed() == .pressed)
        await rehearsal.turn(.milliseconds(1010))
        #expect(await pressed() == .normal)
        await rehearsal.end()
    }

    @Test func `a menu that no other film follows goes after a second`() async throws {
        let rehearsal = try await Rehearsal(["loop.mp4"])
        await rehearsal.open()
        await rehearsal.player.act { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(2)))
            player.input.visit.leaveMenu(during: player.session, at: player.clock.now)
            player.setTouchUse(.controls(hasMenu: true))
        }
        await rehearsal.turn(.milliseconds(990))
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } != nil)
        await rehearsal.turn(.milliseconds(20))
        #expect(await rehearsal.player.act { Self.words(of: $0.model) } == nil)
        await rehearsal.end()
    }

    @Test func `an open menu follows another display`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4"])
        await rehearsal.open()
        let other = Controls.Screen(width: 480, height: 800)
        func screen(_ act: @Sendable (isolated PlayerLoop) -> Void) async -> (menu: Controls.Screen?, isNeeded: Bool) {
            await rehearsal.player.act { player in
                act(player)
                return (player.input.visit.menu?.screen, player.needsOverlay)
            }
        }
        let opened = await screen { player in
            player.osd.isEnabled = true
            player.setTouchUse(.menu(Self.content(3)))
        }
        #expect(opened.menu != nil && opened.menu != other && opened.isNeeded)
        let moved = await screen { player in
            player.osd.setScreen(other)
            player.renewMenu()
        }
        #expect(moved.menu == other && moved.isNeeded)
        let left = await screen { player in
            player.setTouchUse(.controls(hasMenu: true))
            player.renewMenu()
        }
        #expect(left.menu == nil && !left.isNeeded)
        await rehearsal.end()
    }

    @Test func `a film that is kept ready for a visitor is the one that opens, also while the list has it next`()
        async throws
    {
        let rehearsal = try await Rehearsal(["loop.mp4", "chosen.mp4"])
        let (loop, chosen) = (rehearsal.list.items[0], rehearsal.list.items[1])
        await rehearsal.ask { $0.replaceItems(with: [loop]) }
        await rehearsal.open(.seconds(60))
        await rehearsal.ask { $0.preload(chosen) }
        await rehearsal.turn(.seconds(1))
        let count = rehearsal.pipelines.count
        #expect(rehearsal.pipelines.last?.location.title == "chosen" && rehearsal.pipelines.last?.loads == [])
        // As when the list is replaced: the film is added first, and then played.
        await rehearsal.ask { $0.append([chosen]) }
        await rehearsal.turn(.seconds(1))
        await rehearsal.ask { $0.play(chosen) }
        #expect(rehearsal.pipelines.count == count && rehearsal.pipeline.location.title == "chosen")
        await rehearsal.end()
    }

    @Test func `films are decoded for posters only when they may be, and are noted before`() async throws {
        let rehearsal = try await Rehearsal(["a.mp4", "b.mp4"])
        let films = rehearsal.list.items.compactMap(\.asset.location)
        var content = FilmMenu.Content(
            heading: "", films: films.map { FilmMenu.Film(title: $0.title, address: $0.name) })
        func prepare(decodesFilms: Bool) async {
            content.decodesFilms = decodesFilms
            await rehearsal.player.act { [content] player in player.prepareMenu(content) }
            let work = await rehearsal.player.act { $0.input.visit.posters.work }
            await work?.value
        }
        await prepare(decodesFilms: false)
        #expect(rehearsal.pictured == [])
        await prepare(decodesFilms: true)
        #expect(rehearsal.pictured == films.flatMap { [$0, nil] })
        // A film that cannot be decoded is not tried again.
        await prepare(decodesFilms: true)
        #expect(rehearsal.pictured.count == 4)
        await rehearsal.end()
    }

    @Test func `posters are kept near the shown page only`() {
        var menu = FilmMenu(Self.content(500), on: Controls.Screen(width: 1280, height: 720))
        var posters = VisitTouch.Posters()
        var number: UInt64 = 0
        func make() {
            while let film = posters.next {
                number += 1
                // One of them cannot be made, and is not tried again.
                posters.take(film == 1 ? nil : PictureID(number: number), of: film)
            }
        }
        #expect(posters.want(menu) == [])
        #expect(posters.want(menu) == nil)
        #expect(posters.next == 0)
        make()
        let first = posters.pictures
        #expect(Set(first.keys) == Set(menu.nearFilms).subtracting([1]))
        func swipe(_ to: Double) {
            func finger(_ x: Double) -> Finger {
                Finger(slot: 0, panel: TouchPanel.ID(number: 1), x: x, y: 0.6, time: .milliseconds(0))
            }
            _ = menu.handle(.down(finger(0.5)))
            _ = menu.handle(.motion(finger(to)))
            _ = menu.handle(.up(finger(to)))
        }
        for page in 1..<20 {
            swipe(0.1)
            #expect(menu.page == page)
            let gone = posters.want(menu)
            #expect((gone?.count ?? 0) == (page < 2 ? 0 : menu.pageSize - (page == 2 ? 1 : 0)), "on \(page)")
            make()
            #expect(posters.pictures.count <= menu.pageSize * 3)
        }
        // A display of another size needs all of them anew.
        let before = Set(posters.pictures.values)
        let other = FilmMenu(Self.content(500), on: Controls.Screen(width: 800, height: 480))
        #expect(posters.want(other).map { Set($0) } == before && posters.pictures.isEmpty)
    }
}

extension PlayerLoop {
    /// A finger's tap on the menu's poster of a film.
    fileprivate func tapPoster(_ film: Int) {
        guard let menu = input.visit.menu, let target = menu.scene[.picture(film)]?.target else { return }
        let finger = Finger(
            slot: 0, panel: TouchPanel.ID(number: 1),
            x: Double(target.x + target.width / 2) / Double(menu.screen.width),
            y: Double(target.y + target.height / 2) / Double(menu.screen.height), time: .milliseconds(0))
        handle(TouchNews.event(.down(finger)))
        handle(TouchNews.event(.up(finger)))
    }
}
