import Testing

@testable import PlayerCore

/// Languages of tracks (A11).
struct LanguageTagTests {
    @Test(arguments: [
        ("de", "de"), ("deu", "de"), ("ger", "de"), ("DE-at", "de-AT"), ("pt_BR", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("gsw", "gsw"), ("de-DE-1996", "de-DE-1996"), ("en-x-ab", "en-x-ab"), ("x-own", "x-own"),
    ])
    func `a tag is written as usual`(_ text: String, _ tag: String) {
        #expect(LanguageTag(text)?.description == tag)
    }

    @Test(arguments: ["", "und", "zxx", "mul", "d", "de-", "-", "de-toolongasubtag", "12", "d e", "x"])
    func `what is no language is refused`(_ text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(arguments: [
        ("de", "Deutsch"), ("eng", "English"), ("pt-BR", "Português (BR)"), ("gsw", "gsw"), ("zh-Hant", "中文 (Hant)"),
    ])
    func `it has the name that its speakers give it`(_ text: String, _ name: String) {
        #expect(LanguageTag(text)?.displayName == name)
    }

    /// RFC 4647, 3.4, with its own example.
    @Test(arguments: [
        ("zh-Hant-CN-x-private1-private2", "zh,zh-Hant-CN,zh-Hant", 1),
        ("zh-Hant-CN-x-private1-private2", "zh-Hant-CN-x-private1,zh-Hant-CN", 0),
        ("zh-Hant-CN-x-private1-private2", "fr,zh", 1),
        ("de-AT", "en,de", 1), ("fr,de-CH", "en,de,fr", 2), ("fr-CA,en", "de,en", 1),
        // A more specific tag than requested comes after all others.
        ("de", "de-AT,de", 1), ("de", "en,de-AT", 1), ("de,en", "en,de-AT", 1),
        ("deu", "eng,ger", 1), ("fr", "de,en", nil),
        // Prefixes of letters are no prefixes of tags.
        ("en", "enm", nil),
    ])
    func `the best of the preferences is looked up, then what it falls back to`(
        _ preference: String, _ tags: String, _ best: Int?
    )
        throws
    {
        let tags = tags.split(separator: ",").map { LanguageTag(String($0)) }
        #expect(LanguageTag.best(of: tags, for: try #require(LanguageTag.list(preference))) == best)
    }

    @Test func `tracks without a language match no preference`() throws {
        #expect(LanguageTag.best(of: [nil, LanguageTag("de")], for: try #require(LanguageTag.list("de"))) == 1)
        #expect(LanguageTag.best(of: [nil], for: try #require(LanguageTag.list("de"))) == nil)
        #expect(LanguageTag.list("de,") != nil)
        #expect(LanguageTag.list("de,1") == nil)
        #expect(LanguageTag.list("") == nil)
    }
}

/// The choice of a track, and its name (A11).
struct MediaOptionTests {
    private func tracks(_ kind: MediaCharacteristic, _ languages: String?...) -> [MediaOption] {
        languages.enumerated().map { place, language in
            MediaOption(kind: kind, number: place + 1, language: language.flatMap { LanguageTag($0) })
        }
    }

    private func languages(_ text: String) -> TrackPreference { .languages(LanguageTag.list(text) ?? []) }

    @Test func `sound that nobody asked for is better than none, subtitles are not`() {
        #expect(languages("fr").choose(among: tracks(.audible, "en", "de")) == 1)
        #expect(languages("fr").choose(among: tracks(.legible, "en", "de")) == nil)
        #expect(languages("fr,de").choose(among: tracks(.audible, "en", "de")) == 2)
        #expect(languages("de").choose(among: tracks(.legible, nil, "de")) == 2)
        #expect(TrackPreference.any.choose(among: tracks(.legible, nil, "de")) == 1)
        #expect(TrackPreference.none.choose(among: tracks(.audible, "en")) == nil)
        #expect(languages("de").choose(among: []) == nil)
    }

    @Test(
        arguments: [
            ("de", nil, "Deutsch"), ("de", "Deutsch (SDH)", "Deutsch (SDH)"), ("en", "Director", "English – Director"),
            (nil, "Director", "Director"), (nil, nil, "Track 3"), ("de", "", "Deutsch"),
        ] as [(String?, String?, String)])
    func `a track has a name for people`(_ language: String?, _ title: String?, _ name: String) {
        let track = MediaOption(kind: .legible, number: 3, language: language.flatMap { LanguageTag($0) }, title: title)
        #expect(track.displayName == name)
    }
}

/// Texts of subtitles in time.
struct CueListTests {
    @Test func `of texts of one time, no more lines are read than there is room for`() {
        let signs = (0..<6).map { Cue(start: .seconds($0), end: .seconds(10), text: "sign \($0)") }
        #expect(CueList(signs).text(at: .seconds(7)) == "sign 2\nsign 3\nsign 4\nsign 5")
    }

    @Test func `a damaged file's numbers are no times`() {
        let second: UInt64 = 1_000_000_000
        // From 10 s to 9 s, as GStreamer's parser counts it.
        let early = Cue(start: 10 * second, length: 0 &- second, text: "a")
        #expect(early == Cue(start: .seconds(10), end: .seconds(14), text: "a"))
        #expect(Cue(start: 10 * second, length: .max, text: "a") == early)
        #expect(Cue(start: 1 << 63, length: second, text: "a") == nil)
        #expect(Cue(start: 3_600_000_000_000_000, length: second, text: "a") == nil)
    }

    private func cue(_ start: Int64, _ end: Int64, _ text: String) -> Cue {
        Cue(start: .seconds(start), end: .seconds(end), text: text)
    }

    private func change(_ list: CueList, _ time: Int64) -> Int64? {
        list.nextChange(after: .seconds(time)).map { $0.nanoseconds / 1_000_000_000 }
    }

    @Test func `a text is read from its start to before its end`() {
        let list = CueList([cue(5, 7, "b"), cue(1, 3, "a")])
        #expect((0...8).map { list.text(at: .seconds($0)) } == ["", "a", "a", "", "", "b", "b", "", ""])
        #expect((0...8).map { change(list, $0) } == [1, 3, 3, 5, 5, 7, 7, nil, nil])
    }

    @Test func `texts of the same time stand below each other, a long one among short ones too`() {
        let list = CueList([cue(0, 100, "sign"), cue(1, 2, "a"), cue(3, 4, "b"), cue(3, 5, "c")])
        #expect(list.text(at: .seconds(1)) == "sign\na")
        #expect(list.text(at: .seconds(3)) == "sign\nb\nc")
        #expect(list.text(at: .seconds(50)) == "sign")
        #expect(change(list, 50) == 100)
        #expect(change(list, 3) == 4)
    }

    @Test func `what comes again after a seek is there once`() {
        var list = CueList()
        for _ in 1...3 { for start: Int64 in [4, 2, 0] { list.add(cue(start, start + 1, "\(start)")) } }
        #expect(list.cues.map(\.text) == ["0", "2", "4"])
        list.add(cue(2, 2, "no time"))
        list.add(cue(2, 3, ""))
        #expect(list.cues.count == 3)
    }

    @Test func `of a text that a seek led into the end alone is not there besides`() {
        var list = CueList([cue(0, 9, "sign"), cue(4, 7, "a")])
        list.add(cue(6, 7, "a"))
        #expect(list.cues == [cue(0, 9, "sign"), cue(4, 7, "a")])
        list = CueList([cue(6, 7, "a"), cue(5, 7, "a"), cue(5, 7, "b"), cue(5, 6, "a"), cue(4, 7, "a")])
        #expect(list.cues == [cue(4, 7, "a"), cue(5, 7, "b"), cue(5, 6, "a")])
    }

    @Test func `a stream without an end does not fill the memory`() {
        var list = CueList()
        for start in 0..<Int64(CueList.most + 10) { list.add(cue(start, start + 1, "x")) }
        #expect(list.cues.count == CueList.most && list.isFull)
        #expect(list.cues.first?.start == .seconds(10))
    }

    @Test func `after a seek back to the start a full list takes what is read there`() {
        let most = Int64(CueList.most)
        var list = CueList((100..<most + 100).map { cue($0, $0 + 1, "x") })
        for start: Int64 in 0..<3 { list.add(cue(start, start + 1, "\(start)")) }
        #expect((0...3).map { list.text(at: .seconds($0)) } == ["0", "1", "2", ""])
        #expect(list.cues.count == CueList.most && list.cues.last?.start == .seconds(most + 96))
    }
}
