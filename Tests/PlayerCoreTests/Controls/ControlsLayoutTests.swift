import PlayerCore
import Testing

/// The controls' places on common displays.
@Suite struct ControlsLayoutTests {
    static let screens: [(width: Int, height: Int, millimetres: (width: Int, height: Int)?)] = [
        (320, 240, nil), (800, 480, nil), (800, 480, (155, 86)), (480, 800, (86, 155)), (1024, 600, (154, 86)),
        (1024, 600, nil), (1280, 720, nil), (720, 1280, (62, 110)), (1080, 1920, nil), (1920, 1080, nil),
        (1920, 1080, (221, 124)), (1920, 1080, (1210, 680)), (3840, 2160, nil), (3840, 2160, (600, 340)),
    ]

    static func content(_ languageCount: Int = 3, _ subtitleCount: Int = 2) -> ControlsContent {
        var content = ControlsContent()
        content.hasFilm = true
        content.hasMenu = true
        content.languages = (0..<languageCount).map {
            MediaOption(kind: .audible, number: $0 + 1, title: "Language \($0)")
        }
        content.language = 1
        content.subtitles = (0..<subtitleCount).map { MediaOption(kind: .legible, number: $0 + 1, title: "Text \($0)") }
        content.loudness = Loudness()
        content.outputs = [
            SoundRoute(device: "a", name: "HDMI-A-1, a display with a long name", kind: .hdmi),
            SoundRoute(device: "b", name: "Headphones", kind: .headphones),
        ]
        content.output = content.outputs[0]
        content.pictures = (0..<20).map {
            .init(id: PictureID(number: UInt64($0)), place: Double($0) / 20, caption: "00:00:00")
        }
        return content
    }

    static func controls(_ screen: Int, _ content: ControlsContent = content()) -> Controls {
        let (width, height, millimetres) = screens[screen]
        return Controls(screen: .init(width: width, height: height, millimetres: millimetres), content: content)
    }

    /// With each panel, and none.
    static func opened(_ screen: Int, _ content: ControlsContent = content()) -> [Controls] {
        ControlsPanel.allCases.compactMap { panel in
            var controls = controls(screen, content)
            let wanted = controls.scene.widgets.first { controls.opens($0, panel) }
            guard let button = wanted?.target else { return nil }
            controls.tap(button)
            return controls.panel == panel ? controls : nil
        }
    }

    @Test(arguments: screens.indices) func targetsAreLargeEnoughAndApart(screen: Int) {
        let (width, height, millimetres) = Self.screens[screen]
        let least = millimetres.map { max(64, 9 * Double(width) / Double($0.width) - 1) } ?? 64
        // A display of 240 lines has no room for a panel.
        for controls in [Self.controls(screen)] + (height > 240 ? Self.opened(screen) : []) {
            let widgets = controls.scene.widgets.filter { $0.id != .panel && $0.state != .hidden }
            for widget in widgets {
                #expect(Double(widget.target.height) >= least, "\(widget.id)")
                if widget.id != .bar { #expect(Double(widget.target.width) >= least, "\(widget.id)") }
                guard case .picture = widget.id else {
                    #expect(widget.target.x >= 0 && widget.target.x + widget.target.width <= width, "\(widget.id)")
                    #expect(widget.target.y >= 0 && widget.target.y + widget.target.height <= height, "\(widget.id)")
                    continue
                }
            }
            for (place, one) in widgets.enumerated() {
                for other in widgets[..<place] {
                    #expect(!one.target.overlaps(other.target), "\(one.id) and \(other.id)")
                }
            }
        }
    }

    @Test(arguments: screens.indices) func allThatIsDrawnLiesInTheSurface(screen: Int) {
        for controls in [Self.controls(screen)] + Self.opened(screen) {
            let surface = controls.layout.surface
            #expect(
                surface.y >= 0 && surface.y + surface.height == controls.layout.displayHeight && surface.height % 2 == 0
            )
            for widget in controls.scene.widgets {
                #expect(widget.frame.y >= surface.y, "\(widget.id)")
                #expect(widget.frame.y + widget.frame.height <= surface.y + surface.height, "\(widget.id)")
            }
        }
    }

    @Test(arguments: screens.indices) func theBarKeepsItsPlaceUnderAPanel(screen: Int) {
        let closed = Self.controls(screen)
        for controls in Self.opened(screen) {
            #expect(controls.layout.track == closed.layout.track)
            #expect(controls.layout.touchTarget == closed.layout.touchTarget)
            #expect(controls.layout.buttons == closed.layout.buttons)
            #expect(
                controls.layout.surface.y + controls.layout.textTop == closed.layout.surface.y + closed.layout.textTop)
            #expect(
                controls.layout.surface.y + controls.layout.fadeTop == closed.layout.surface.y + closed.layout.fadeTop)
        }
    }

    @Test(arguments: screens.indices) func theTrackIsLongAndTextStaysBesideTheButtons(screen: Int) {
        let layout = Self.controls(screen).layout
        let (left, right) = (layout.track.x, layout.track.x + layout.track.width)
        #expect(layout.track.width * 10 >= layout.displayWidth * 4)
        let isStacked = layout.buttons.contains { $0.target.y >= layout.touchTarget.y + layout.touchTarget.height }
        for button in layout.buttons where !isStacked {
            #expect(
                button.frame.x + button.frame.width + layout.heldThumbRadius < left
                    || button.frame.x - layout.heldThumbRadius > right, "\(button.button)")
        }
        #expect(layout.fraction(atX: Double(left)) == 0 && layout.fraction(atX: Double(right)) == 1)
    }

    @Test func buttonsAreThereOnlyWhereTheyAreOfUse() {
        var content = ControlsContent()
        #expect(content.buttons.isEmpty, "no film")
        content.hasFilm = true
        #expect(content.buttons == [.play])
        content.languages = [MediaOption(kind: .audible, number: 1)]
        #expect(content.buttons == [.play], "one sound is no choice")
        content.subtitles = [MediaOption(kind: .legible, number: 1)]
        #expect(content.buttons == [.play, .subtitles], "subtitles or none")
        content.outputs = [.configured]
        content.loudness = Loudness()
        #expect(content.buttons == [.play, .subtitles, .volume])
        content.mode = .bar
        #expect(content.buttons == [.play])
        content.hasMenu = true
        #expect(content.buttons == [.play, .menu], "the way back is there whatever else is not")
        content.mode = .off
        #expect(content.buttons.isEmpty)
    }

    @Test(arguments: screens.indices) func theWayBackIsInTheCorner(screen: Int) throws {
        let layout = Self.controls(screen).layout
        let last = try #require(layout.buttons.last)
        #expect(last.button == .menu && last.target.x + last.target.width == layout.displayWidth)
    }

    @Test func manyLanguagesStandOnPages() throws {
        for screen in Self.screens.indices {
            var controls = try #require(Self.opened(screen, Self.content(40, 60)).first)
            var seen: Set<String> = []
            for _ in 0..<40 {
                for widget in controls.scene.widgets {
                    if case .option = widget.id, case .label(let text, _) = widget.face { seen.insert(text) }
                }
                guard let more = controls.scene[.more] else { break }
                controls.tap(more.target)
            }
            #expect(seen.count == 40)
        }
    }

    @Test(arguments: screens.indices) func withoutButtonsItIsTheBarOfEver(screen: Int) {
        let (width, height, millimetres) = Self.screens[screen]
        let layout = OSDLayout(displayWidth: width, displayHeight: height, millimetres: millimetres)
        #expect(layout.buttons.isEmpty)
        #expect(layout.track.x == layout.margin && layout.track.width == width - 2 * layout.margin)
        #expect(layout.touchTarget.x == 0 && layout.touchTarget.width == width)
    }
}

extension Controls {
    func opens(_ widget: Widget, _ panel: ControlsPanel) -> Bool {
        switch (widget.id, panel) {
        case (.button(.languages), .languages), (.button(.subtitles), .subtitles), (.button(.volume), .volume),
            (.button(.outputs), .outputs), (.button(.filmstrip), .filmstrip):
            true
        default: false
        }
    }

    /// In the middle of a target.
    @discardableResult
    mutating func tap(_ target: Widget.Rectangle, at milliseconds: Int64 = 0, slot: Int32 = 0) -> [Output] {
        let finger = finger(
            Double(target.x) + Double(target.width) / 2, Double(target.y) + Double(target.height) / 2, milliseconds,
            slot)
        var lifted = finger
        lifted.time = .milliseconds(milliseconds + 50)
        return handle(.down(finger), isVisible: true, hasBar: true) + handle(.up(lifted), isVisible: true, hasBar: true)
    }

    func finger(_ x: Double, _ y: Double, _ milliseconds: Int64, _ slot: Int32 = 0) -> Finger {
        Finger(
            slot: slot, panel: TouchPanel.ID(number: 1), x: x / Double(layout.displayWidth),
            y: y / Double(layout.displayHeight), time: .milliseconds(milliseconds))
    }
}

extension OSDLayout.Rectangle {
    func overlaps(_ other: Self) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}
