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

    @Test func `a language that is told late does not change what is heard, only what is wanted`() {
        var choice = FilmTracks()
        choice.heard = 1
        #expect(choice.selected(.audible, among: tracks(nil, nil), preferring: german) == 1)
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 1)
        #expect(choice.wanted(.audible, among: tracks("en", "de"), preferring: german) == 2)
        choice.heard = 2
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 2)
    }

    @Test func `where nothing is heard, the wanted one is told, and none where none is wanted`() {
        var choice = FilmTracks()
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == 2)
        choice.heard = 1
        choice.choose(nil, of: .audible)
        #expect(choice.selected(.audible, among: tracks("en", "de"), preferring: german) == nil)
    }

    @Test func `a track that the film has late leaves the numbers of files beside it alone`() {
        var choice = FilmTracks()
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
}
