import FoundationEssentials
import Glibc
import Logging
import Media
import PlayerCore
import Testing
import Vitrine

@testable import VitrineProgram

@Suite("Visitors, and the films that they find")
struct VisitorsTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/visitors-\(UUID().uuidString)"

    private func stock() throws -> FilmStock {
        try FilmStock(
            films: ["a.mp4", "b.mp4"].map { try MediaLocation("\(folder)/\($0)") },
            attract: [MediaLocation("\(folder)/loop.mp4")])
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    private func prepare() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for name in ["a.mp4", "b.mp4", "loop.mp4"] { try write("no film", to: name) }
    }

    private func visitors(of stock: FilmStock) throws -> (Visitors, QueuePlayer) {
        var plan = Kiosk.Plan(stock: stock)
        plan.options.volume = 60
        plan.visit.languages = ["de", "en"].compactMap { LanguageTag($0) }
        let attract = stock.attract.map { PlayerItem(Asset($0)) }
        let player = QueuePlayer(playlist: attract, options: plan.options, log: Log.quiet)
        return (Visitors(plan, stock, attract: attract, player: player, log: Log.quiet), player)
    }

    @Test func `visits that end under a visitor leave the house's settings`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try prepare()
        let (visitors, player) = try visitors(of: try stock())
        visitors.begin()
        visitors.hear(.touch(.finger(.down(TouchFinger(panel: TouchPanel.ID(number: 1), slot: 0)))))
        #expect(!visitors.isNobodyThere)
        visitors.hear(.touch(.choseLanguage(1)))
        #expect(visitors.menu.language == 1)
        player.loudness = Loudness(percent: 90)
        player.defaultRate = PlaybackRate(thousandths: 2000)
        visitors.close()
        #expect(player.loudness == Loudness(percent: 60) && player.defaultRate == .normal)
        #expect(visitors.menu.language == 0 && visitors.isNobodyThere)
        await player.close()
    }

    @Test func `no film is decoded for its poster while a crash counts for the attract film`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try prepare()
        let (visitors, player) = try visitors(of: try stock())
        visitors.begin()
        #expect(!visitors.menu.decodesFilms)
        let due = try #require(visitors.deadline)
        #expect(due > .now + PlaybackJournal.healthyAfter)
        await player.close()
    }

    @Test func `an attract film that is replaced by another of its name and size is another one`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try prepare()
        let before = try stock()
        #expect(before.isSame(as: try stock()))
        try write("a film!", to: "loop.mp4")
        let after = try stock()
        #expect(!after.isSame(as: before) && after.attractRevisions != before.attractRevisions)
    }
}
