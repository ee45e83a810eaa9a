import Media
import PlayerCore
import Testing

@testable import Vitrine

/// Which track is told to be heard (A11).
struct TrackSelectionTests {
    private func tracks(_ languages: String?...) -> [MediaOption] {
        languages.enumerated().map { place, language in
            MediaOption(kind: .audible, number: place + 1, language: language.flatMap { LanguageTag($0) })
        }
    }

    private func selection(_ languages: String) -> TrackSelection {
        TrackSelection(
            audio: .languages(LanguageTag.list(languages) ?? []), subtitle: .none, sound: FilmOutput.Sound())
    }

    @Test func `a language that is told late does not change what is heard, only what is wanted`() {
        var choice = selection("de")
        choice.heard = 1
        #expect(choice.selected(.audible, among: tracks(nil, nil)) == 1)
        #expect(choice.selected(.audible, among: tracks("en", "de")) == 1)
        #expect(choice.wanted(.audible, among: tracks("en", "de")) == 2)
        choice.heard = 2
        #expect(choice.selected(.audible, among: tracks("en", "de")) == 2)
    }

    @Test func `where nothing is heard, the wanted one is told, and none where none is wanted`() {
        var choice = selection("de")
        #expect(choice.selected(.audible, among: tracks("en", "de")) == 2)
        choice.heard = 1
        choice.chosen[.audible] = .some(nil)
        #expect(choice.selected(.audible, among: tracks("en", "de")) == nil)
        choice.forget()
        #expect(choice.heard == nil && choice.chosen.isEmpty)
    }
}
