import PlayerCore
import Testing

@testable import Media
@testable import Vitrine

/// The track that is reported as heard (A11).
struct FilmTracksTests {
    private func tracks(_ languages: String?...) -> [MediaOption] {
        languages.enumerated().map { place, language in
            MediaOption(kind: .audible, number: place + 1, language: language.flatMap { LanguageTag($0) })
        }
    }

    private let german = TrackPreferences(
        audio: .languages(LanguageTag.list("de") ?? []), subtitle: .none, sound: FilmOutput.Sound())

    @Test func `a language that arrives late does not change what is heard, only what is wanted`() {
        let choice = FilmTracks()
        choice.heard = 1
        #expect(choice.selected(.audible, among: tracks(nil, nil), preferring: german) == 1)
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 1)
        #expect(choice.wanted(.audible, among: tracks("en", "de"), preferring: german) == 2)
        choice.heard = 2
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 2)
    }

    @Test func `where nothing is heard, the wanted one is selected, and none where none is wanted`() {
        let choice = FilmTracks()
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 2)
        choice.heard = 1
        choice.choose(nil, of: .audible)
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == nil)
    }

    @Test func `a track that the film has late leaves the numbers of files beside it alone`() {
        let choice = FilmTracks()
        func texts(_ numbers: Int...) -> [MediaOption] { numbers.map { MediaOption(kind: .legible, number: $0) } }
        choice.add([(SubtitleFile(path: "film.de.srt"), CueList())], own: texts(1))
        #expect(choice.options(with: texts(1)).map(\.number) == [1, 2])
        choice.choose(2, of: .legible)
        let late = choice.options(with: texts(1, 2))
        #expect(late.map(\.number) == [1, 3, 2] && late.map(\.file) == [nil, nil, "film.de.srt"])
        #expect(choice.selected(.legible, among: late, preferring: german) == 2)
        let cue = Cue(start: .zero, end: .seconds(1), text: "late")
        #expect(choice.add(cue, ofOwn: 2) == 3)
        #expect(choice.texts[2]?.cues.isEmpty == true && choice.texts[3]?.cues.count == 1)
    }

    private func caption(_ channel: Int, _ text: String, at second: Int64) -> CaptionReader.Change {
        CaptionReader.Change(channel: channel, text: text, time: .seconds(second))
    }

    @Test func `closed captions are a track once there is a text, behind all that are known, and stay that`() {
        let choice = FilmTracks()
        let own = [
            MediaOption(kind: .audible, number: 1, language: LanguageTag("en")), MediaOption(kind: .legible, number: 1),
        ]
        func names() -> [Int: String] {
            let texts = choice.options(with: own).filter { $0.kind == .legible }
            return Dictionary(uniqueKeysWithValues: texts.map { ($0.number, $0.displayName) })
        }
        #expect(choice.show(caption(1, "", at: 0), own: own) == nil && names() == [1: "Track 1"])
        #expect(choice.show(caption(1, "one", at: 1), own: own) == 2)
        choice.add([(SubtitleFile(path: "film.de.srt", title: "file"), CueList())], own: own)
        #expect(choice.show(caption(3, "tres", at: 1), own: own) == 4)
        #expect(choice.show(caption(1, "", at: 2), own: own) == 2)
        #expect(names() == [1: "Track 1", 2: "English – Closed captions", 3: "file", 4: "Closed captions 3"])
        #expect(choice.texts[2]?.text(at: .seconds(1)) == "one" && choice.texts[2]?.text(at: .seconds(2)) == "")
        let late = choice.options(with: own + [MediaOption(kind: .legible, number: 2)])
        #expect(late.filter { $0.kind == .legible }.map(\.number) == [1, 5, 2, 3, 4])
    }

    @Test func `closed captions whose language nobody says are what a language chooses last`() {
        var captions = MediaOption(kind: .legible, number: 2)
        captions.isClosedCaptions = true
        let preference = TrackPreference.languages(LanguageTag.list("de") ?? [])
        let other = MediaOption(kind: .legible, number: 1, language: LanguageTag("fr"))
        #expect(preference.choose(among: [other, captions]) == 2)
        #expect(
            preference.choose(among: [captions, MediaOption(kind: .legible, number: 3, language: LanguageTag("de"))])
                == 3)
        captions.language = LanguageTag("en")
        #expect(preference.choose(among: [other, captions]) == nil)
        #expect(TrackPreference.none.choose(among: [captions]) == nil)
    }
}
