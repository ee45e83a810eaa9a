import Foundation
import PlayerCore
import Testing

@testable import Vitrine

@Suite("Sounds and subtitles to choose from (A11)", .timeLimit(.minutes(1)))
struct MediaSelectionTests {
    static let tracks = [
        MediaOption(kind: .audible, number: 1, language: LanguageTag("en")),
        MediaOption(kind: .audible, number: 2, language: LanguageTag("de")),
        MediaOption(kind: .legible, number: 1, language: LanguageTag("de"), title: "Deutsch (SDH)"),
        MediaOption(kind: .legible, number: 2, language: LanguageTag("en")),
        MediaOption(kind: .legible, number: 3),
    ]

    let media = ScriptedMedia(tracks: Self.tracks)

    private func selected(_ item: PlayerItem, _ kind: MediaCharacteristic) -> MediaOption? {
        item.mediaSelectionGroup(for: kind)?.selectedOption
    }

    @Test("groups have options with names; one, none, or the player's languages are chosen, and reported")
    func groups() async throws {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let item = PlayerItem(Asset("film.mkv"))
        #expect(item.mediaSelectionGroup(for: .audible) == nil)
        player.replaceCurrentItem(with: item)
        var reported = item.mediaSelectionGroupUpdates(for: .legible).makeAsyncIterator()
        while let group = await reported.next(), group == nil {}
        let (audible, legible) = (
            try #require(item.mediaSelectionGroup(for: .audible)), try #require(item.mediaSelectionGroup(for: .legible))
        )
        #expect(audible.options.map(\.displayName) == ["English", "Deutsch"] && audible.selectedOption?.number == 1)
        #expect(legible.options.map(\.displayName) == ["Deutsch (SDH)", "English", "Track 3"])
        #expect(legible.selectedOption == nil)
        item.select(legible.options[2], in: legible)
        #expect(await reported.next()??.selectedOption == legible.options[2])
        #expect(item.choice(of: .legible) == .track(2))
        item.select(nil, in: legible)
        let none = try #require(await reported.next() ?? nil)
        #expect(none.selectedOption == nil)
        item.selectAutomatically(in: legible)
        player.setMediaSelectionCriteria(.languages([LanguageTag("fr")!, LanguageTag("en-GB")!]), for: .legible)
        #expect(await reported.next()??.selectedOption == legible.options[1])
        await player.close()
    }

    @Test("the criteria outlive what is chosen of an item, and choose again where that is wanted")
    func criteria() async throws {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let german = TrackPreference.languages([LanguageTag("de")!])
        player.setMediaSelectionCriteria(german, for: .legible)
        let item = PlayerItem(Asset("film.mkv"))
        player.replaceCurrentItem(with: item)
        var reported = item.mediaSelectionGroupUpdates(for: .legible).makeAsyncIterator()
        while let group = await reported.next(), group == nil {}
        let group = try #require(item.mediaSelectionGroup(for: .legible))
        #expect(group.selectedOption == group.options[0])
        for option in [nil, group.options[1], group.options[2]] {
            item.select(option, in: group)
            #expect(await reported.next()??.selectedOption == option)
            #expect(player.mediaSelectionCriteria(for: .legible) == german)
            item.selectAutomatically(in: group)
            while let now = await reported.next(), now?.selectedOption != group.options[0] {}
        }
        await player.close()
    }

    @Test(
        "what was chosen is chosen by its language of the items that follow, unless something else was chosen of them")
    func followsLanguage() async throws {
        let player = QueuePlayer(engine: media, actionAtItemEnd: .advance)
        let items = (1...3).map { PlayerItem(Asset("\($0).mkv")) }
        items[2].choose(.track(0), of: .audible)
        for item in items { player.insert(item) }
        let audible = try #require(
            await items[0].mediaSelectionGroupUpdates(for: .audible).first { $0 != nil } ?? nil)
        items[0].select(audible.options[1], in: audible)
        #expect(player.mediaSelectionCriteria(for: .audible) == .any)
        player.advanceToNextItem()
        _ = await items[1].mediaSelectionGroupUpdates(for: .audible).first { $0 != nil }
        #expect(selected(items[1], .audible)?.number == 2 && items[1].choice(of: .audible) == .automatic)
        items[1].selectAutomatically(in: audible)
        _ = await items[1].mediaSelectionGroupUpdates(for: .audible).first { $0?.selectedOption?.number == 1 }
        player.advanceToNextItem()
        _ = await items[2].mediaSelectionGroupUpdates(for: .audible).first { $0?.selectedOption?.number == 1 }
        player.setMediaSelectionCriteria(.any, for: .audible)
        await player.close()
        #expect(items[2].choice(of: .audible) == .track(0))
    }

    @Test("what the player begins with is the options'")
    func options() {
        var options = PlayerOptions()
        options.subtitle = .languages([LanguageTag("de")!])
        let player = Player(engine: media, actionAtItemEnd: .rewind, options: options)
        #expect(player.mediaSelectionCriteria(for: .legible) == options.subtitle)
        #expect(player.mediaSelectionCriteria(for: .audible) == .any)
    }

    @Test("on GStreamer: subtitles beside a film are options, and chosen by language of the next one")
    func beside() async throws {
        let folder = try TemporaryFolder()
        let items = try ["one", "two"].map { name in
            let film = try RawFilm.write(frames: 50, name: "\(name).avi", in: folder.url)
            let languages = name == "one" ? ["de", "en"] : ["en", "fr", "de"]
            for language in languages {
                let text = "1\n00:00:00,000 --> 00:00:01,000\n\(language)\n"
                try Data(text.utf8).write(to: folder.url.appending(path: "\(name).\(language).srt"))
            }
            return PlayerItem(Asset(film))
        }
        let player = QueuePlayer(items, options: PlayerOptions(hasOSD: false, hasSound: false))
        let group = try #require(
            await items[0].mediaSelectionGroupUpdates(for: .legible).first { $0?.options.count == 2 } ?? nil)
        #expect(Set(group.options.map(\.displayName)) == ["Deutsch", "English"] && group.selectedOption == nil)
        let german = try #require(group.options.first { $0.language == LanguageTag("de") })
        items[0].select(german, in: group)
        _ = await items[0].mediaSelectionGroupUpdates(for: .legible).first { $0?.selectedOption == german }
        player.advanceToNextItem()
        let next = try #require(
            await items[1].mediaSelectionGroupUpdates(for: .legible).first { $0?.options.count == 3 } ?? nil)
        #expect(next.selectedOption?.language == LanguageTag("de"))
        #expect(items[1].mediaSelectionGroup(for: .audible)?.options == [])
        await player.close()
    }
}
