import PlayerCore
import Testing

/// The actions of fingers on the controls.
@Suite struct ControlsTests {
    static let hd = 9

    static func controls(_ content: ControlsContent = ControlsLayoutTests.content()) -> Controls {
        ControlsLayoutTests.controls(hd, content)
    }

    static func acts(_ outputs: [Controls.Output]) -> [ControlsAction] {
        outputs.compactMap { if case .act(let action) = $0 { action } else { nil } }
    }

    @Test func theButtonStartsAndStopsTheFilm() throws {
        var controls = Self.controls()
        let button = try #require(controls.scene[.button(.play)]).target
        let come1 = controls.tap(button)
        #expect(Self.acts(come1) == [.setPlaying(true)])
        var content = ControlsLayoutTests.content()
        content.isPlaying = true
        controls.take(content)
        #expect(controls.scene[.button(.play)]?.face == .icon(.pause, hasDisc: true))
        let come2 = controls.tap(button)
        #expect(Self.acts(come2) == [.setPlaying(false)])
    }

    @Test func noSubtitlesAreCalledSoInTheViewersLanguage() throws {
        func first(_ language: LanguageTag?) throws -> WidgetFace? {
            var content = ControlsLayoutTests.content()
            content.viewerLanguage = language
            var controls = Self.controls(content)
            controls.tap(try #require(controls.scene[.button(.subtitles)]).target)
            return controls.scene[.option(0)]?.face
        }
        for (tag, word) in [("de-AT", "Keine"), ("cs", "Žádné"), ("ja", "None")] {
            guard case .label(let text, _)? = try first(LanguageTag(tag)) else { Issue.record("no list"); return }
            #expect(text == word)
        }
    }

    @Test func aButtonLeadsBackToTheMenu() throws {
        var controls = Self.controls()
        let button = try #require(controls.scene[.button(.menu)]).target
        #expect(Self.acts(controls.tap(button)) == [.openMenu])
        var content = ControlsLayoutTests.content()
        content.hasMenu = false
        controls.take(content)
        #expect(controls.scene[.button(.menu)] == nil)
    }

    @Test func hiddenControlsDoNothing() throws {
        var controls = Self.controls()
        let target = try #require(controls.scene[.button(.play)]).target
        let finger = controls.finger(Double(target.x + 5), Double(target.y + 5), 0)
        _ = controls.handle(.down(finger), isVisible: false, hasBar: true)
        let outputs = controls.handle(.up(finger), isVisible: true, hasBar: true)
        #expect(Self.acts(outputs).isEmpty)
        #expect(outputs.contains(.slider(.tap(place: finger, barWasVisible: false))))
    }

    @Test func aFingerThatSlipsOffDoesNothing() throws {
        var controls = Self.controls()
        let target = try #require(controls.scene[.button(.play)]).target
        let x = Double(target.x + target.width / 2)
        _ = controls.handle(.down(controls.finger(x, Double(target.y + 20), 0)), isVisible: true, hasBar: true)
        #expect(controls.scene[.button(.play)]?.state == .pressed)
        _ = controls.handle(.motion(controls.finger(x, 300, 20)), isVisible: true, hasBar: true)
        #expect(controls.scene[.button(.play)]?.state == .normal)
        let outputs = controls.handle(.up(controls.finger(x, 300, 40)), isVisible: true, hasBar: true)
        #expect(Self.acts(outputs).isEmpty)
        #expect(!controls.isTouched)
    }

    @Test func aFingerThatLiesOnAButtonFreesTheControls() throws {
        var controls = Self.controls()
        let target = try #require(controls.scene[.button(.play)]).target
        let (x, y) = (Double(target.x + 20), Double(target.y + 20))
        _ = controls.handle(.down(controls.finger(x, y, 0)), isVisible: true, hasBar: true)
        #expect(controls.deadline == .milliseconds(5000))
        let come3 = controls.wake(at: .milliseconds(5000))
        #expect(Self.acts(come3).isEmpty)
        #expect(controls.scene[.button(.play)]?.state == .normal && !controls.isTouched)
        let come4 = controls.tap(target, at: 6000, slot: 1)
        #expect(Self.acts(come4) == [.setPlaying(true)])
        let come5 = controls.handle(.up(controls.finger(x, y, 7000)), isVisible: true, hasBar: true)
        #expect(Self.acts(come5).isEmpty)
    }

    @Test func aPanelHasItsRoomWhileAnotherFingerRests() throws {
        let closed = Self.controls()
        var (alone, controls) = (closed, closed)
        let button = try #require(closed.scene[.button(.subtitles)]).target
        alone.tap(button)
        _ = controls.handle(.down(controls.finger(300, 100, 0, 5)), isVisible: true, hasBar: true)
        controls.tap(button, at: 1000, slot: 1)
        #expect(controls.panel == .subtitles && controls.layout == alone.layout && alone.layout != closed.layout)
        controls.tap(button, at: 2000, slot: 1)
        #expect(controls.panel == nil && controls.layout == closed.layout)
    }

    @Test func aPanelClosesByATouchBesideItOrAfterEightSeconds() throws {
        var controls = Self.controls()
        let button = try #require(controls.scene[.button(.subtitles)]).target
        let come6 = controls.tap(button)
        #expect(come6.contains(.panelChanged(isOpen: true)))
        #expect(controls.panel == .subtitles)
        #expect(controls.scene[.option(0)]?.state == .chosen, "none is read")
        // A touch on the panel keeps it open.
        let option = try #require(controls.scene[.option(1)]).target
        let come7 = controls.tap(option, at: 1000)
        #expect(Self.acts(come7) == [.select(.legible, 1)])
        #expect(controls.panel == .subtitles)
        #expect(controls.deadline == .milliseconds(9050))
        // A touch beside it, on the film, closes it, and does not reach the film.
        let outputs = controls.tap(.init(x: 300, y: 100, width: 10, height: 10), at: 2000)
        #expect(outputs.contains(.panelChanged(isOpen: false)))
        #expect(!outputs.contains { if case .slider(.tap) = $0 { true } else { false } })
        controls.tap(button, at: 3000)
        let come8 = controls.wake(at: .milliseconds(11_049))
        #expect(come8.isEmpty && controls.panel == .subtitles)
        let come9 = controls.wake(at: .milliseconds(11_050))
        #expect(come9 == [.panelChanged(isOpen: false)])
        #expect(controls.panel == nil)
    }

    @Test func anotherButtonOpensItsOwnPanel() throws {
        var controls = Self.controls()
        controls.tap(try #require(controls.scene[.button(.subtitles)]).target)
        controls.tap(try #require(controls.scene[.button(.languages)]).target, at: 500)
        #expect(controls.panel == .languages)
        controls.tap(try #require(controls.scene[.button(.languages)]).target, at: 1000)
        #expect(controls.panel == nil)
    }

    @Test func theVolumeFollowsTheFingerAndComesBack() throws {
        var content = ControlsLayoutTests.content()
        content.loudness = Loudness(percent: 30, isMuted: true)
        content.volumeLimit = 60
        var controls = Self.controls(content)
        controls.tap(try #require(controls.scene[.button(.volume)]).target)
        let level = try #require(controls.scene[.level])
        let (x, top) = (Double(level.frame.x + 10), Double(level.frame.y))
        let middle = top + Double(level.frame.height) / 2
        var outputs = controls.handle(.down(controls.finger(x, middle, 1000)), isVisible: true, hasBar: true)
        #expect(Self.acts(outputs) == [.setLoudness(Loudness(percent: 30))])
        outputs = controls.handle(.motion(controls.finger(x, top - 50, 1020)), isVisible: true, hasBar: true)
        #expect(Self.acts(outputs) == [.setLoudness(Loudness(percent: 60))], "no louder than the limit")
        #expect(controls.scene[.level]?.face == .level(1))
        outputs = controls.handle(.cancel(controls.finger(x, top - 50, 1040)), isVisible: true, hasBar: true)
        #expect(Self.acts(outputs) == [.setLoudness(Loudness(percent: 30, isMuted: true))])
    }

    @Test func aLiftThatWasNoneIsTakenBack() throws {
        var controls = Self.controls()
        let target = try #require(controls.scene[.button(.play)]).target
        let come10 = controls.tap(target)
        #expect(Self.acts(come10) == [.setPlaying(true)])
        let finger = controls.finger(Double(target.x + 20), Double(target.y + 20), 60)
        let come11 = controls.handle(.cancel(finger), isVisible: true, hasBar: true)
        #expect(Self.acts(come11) == [.setPlaying(false)])
        controls.tap(try #require(controls.scene[.button(.volume)]).target, at: 100)
        #expect(controls.panel == .volume)
        let come12 = controls.handle(.cancel(finger), isVisible: true, hasBar: true)
        #expect(come12.contains(.panelChanged(isOpen: false)))
        #expect(controls.panel == nil)
    }

    @Test func nothingMovesUnderAFinger() throws {
        var controls = Self.controls()
        let before = controls.layout
        let target = try #require(controls.scene[.button(.play)]).target
        let finger = controls.finger(Double(target.x + 20), Double(target.y + 20), 0)
        _ = controls.handle(.down(finger), isVisible: true, hasBar: true)
        var content = ControlsLayoutTests.content(0, 0)
        content.outputs = []
        content.isPlaying = true
        controls.take(content)
        #expect(controls.layout == before && controls.scene[.button(.subtitles)] != nil)
        #expect(controls.scene[.button(.play)]?.face == .icon(.pause, hasDisc: true), "what it shows is of now")
        _ = controls.handle(.up(finger), isVisible: true, hasBar: true)
        #expect(controls.layout != before && controls.scene[.button(.subtitles)] == nil)
    }

    @Test func aPanelThatTheNextFilmHasNoUseForCloses() throws {
        var controls = Self.controls()
        controls.tap(try #require(controls.scene[.button(.subtitles)]).target)
        let isGone13 = controls.take(ControlsLayoutTests.content(3, 1))
        #expect(isGone13 == false)
        let isGone14 = controls.take(ControlsLayoutTests.content(3, 0))
        #expect(isGone14)
        #expect(controls.panel == nil)
    }

    @Test func theFilmstripScrollsAndJumps() throws {
        var controls = Self.controls()
        controls.tap(try #require(controls.scene[.button(.filmstrip)]).target)
        let third = try #require(controls.scene[.picture(2)])
        let outputs = controls.tap(third.target, at: 1000)
        #expect(outputs.contains(.slider(.slider(.touchUp(0.1, at: .milliseconds(1050))))))
        // A drag scrolls, and does not jump.
        let y = Double(third.target.y + 20)
        _ = controls.handle(.down(controls.finger(1000, y, 2000)), isVisible: true, hasBar: true)
        _ = controls.handle(.motion(controls.finger(800, y, 2020)), isVisible: true, hasBar: true)
        #expect(controls.scene[.picture(2)]?.frame.x == third.frame.x - 200)
        let lifted = controls.handle(.up(controls.finger(800, y, 2040)), isVisible: true, hasBar: true)
        #expect(!lifted.contains { if case .slider(.slider) = $0 { true } else { false } })
        #expect(controls.scene[.picture(2)]?.frame.x == third.frame.x - 200)
        // A drag that is taken back scrolls nothing.
        _ = controls.handle(.down(controls.finger(1000, y, 3000)), isVisible: true, hasBar: true)
        _ = controls.handle(.motion(controls.finger(1300, y, 3020)), isVisible: true, hasBar: true)
        _ = controls.handle(.cancel(controls.finger(1300, y, 3040)), isVisible: true, hasBar: true)
        #expect(controls.scene[.picture(2)]?.frame.x == third.frame.x - 200)
    }
}
