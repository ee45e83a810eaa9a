import PlayerCore
import Testing

/// The picture above the thumb, of a film whose frame does not follow the finger (A10).
@Suite struct PreviewTests {
    static let screens = ControlsLayoutTests.screens

    static func content(read: Range<Int> = 0..<20) -> ControlsContent {
        var content = ControlsLayoutTests.content()
        content.isFollowing = false
        for place in content.pictures.indices where !read.contains(place) { content.pictures[place].id = nil }
        return content
    }

    /// The controls of a screen while a finger holds the bar at a value.
    static func held(_ screen: Int, at value: Double, _ content: ControlsContent = content()) -> Controls {
        held(ControlsLayoutTests.controls(screen, content), at: value)
    }

    static func held(_ controls: Controls, at value: Double) -> Controls {
        var controls = controls
        controls.send({ .down($0) }, value, at: 0)
        return controls
    }

    static func picture(_ widget: Widget?) -> PictureID? {
        if case .preview(let id, _, _)? = widget?.face { id } else { nil }
    }

    @Test(arguments: screens.indices) func itStandsAboveTheThumbAndStopsAtTheEdges(screen: Int) throws {
        let free = ControlsLayoutTests.controls(screen, Self.content())
        for value in [0, 0.01, 0.3, 0.5, 0.83, 1] {
            let controls = Self.held(screen, at: value)
            let layout = controls.layout
            let frame = try #require(controls.preview(at: .zero)).frame
            #expect(frame.x >= 0 && frame.x + frame.width <= layout.displayWidth)
            let thumb = Int(layout.thumbX(at: value).rounded())
            let isAtAnEdge = frame.x <= layout.margin || frame.x + frame.width >= layout.displayWidth - layout.margin
            #expect(abs(frame.x + frame.width / 2 - thumb) <= 1 || isAtAnEdge)
            #expect(frame.x < thumb && thumb < frame.x + frame.width || layout.displayWidth < 2 * frame.width)
            // Inside the surface, and above the text.
            #expect(frame.y >= layout.surface.y)
            #expect(frame.y + frame.height <= layout.surface.y + layout.textTop)
            #expect(frame.width == controls.pictureSize.width && frame.height == controls.pictureSize.height)
            // Nothing moves under the finger.
            #expect(layout.track == free.layout.track && layout.touchTarget == free.layout.touchTarget)
            #expect(layout.buttons == free.layout.buttons)
            #expect(layout.surface.y + layout.textTop == free.layout.surface.y + free.layout.textTop)
            #expect(layout.surface.y + layout.fadeTop == free.layout.surface.y + free.layout.fadeTop)
            #expect(controls.scene == Self.held(screen, at: value, ControlsLayoutTests.content()).scene)
        }
    }

    @Test(arguments: [(240, 135), (160, 128), (128, 160), (100, 400)]) func aDisplayWithoutRoomHasNone(
        width: Int, height: Int
    ) {
        let free = Controls(screen: .init(width: width, height: height), content: Self.content())
        let controls = Self.held(free, at: 0.5)
        #expect(controls.slider.heldValue != nil)
        #expect(controls.preview(at: .zero) == nil)
        #expect(controls.layout.surface == free.layout.surface)
    }

    @Test func itIsTheNearestOfThoseThatHaveBeenRead() {
        func number(at value: Double, read: Range<Int>) -> UInt64? {
            Self.picture(Self.held(9, at: value, Self.content(read: read)).preview(at: .zero))?.number
        }
        for place in 0...60 {
            let nearest = UInt64(min((place + 1) / 3, 19))
            #expect(number(at: Double(place) / 60, read: 0..<20) == nearest)
        }
        for (value, nearest) in [(0.0, 6), (0.31, 6), (0.4, 8), (0.7, 8)] as [(Double, UInt64)] {
            #expect(number(at: value, read: 6..<9) == nearest)
        }
        #expect(Self.held(9, at: 0.5, Self.content(read: 0..<0)).preview(at: .zero) == nil, "none has been read")
    }

    @Test func itFollowsTheFingerAndGoesWithIt() throws {
        let free = ControlsLayoutTests.controls(9, Self.content(read: 0..<0))
        var controls = Self.held(free, at: 0.5)
        #expect(controls.preview(at: .zero) == nil)
        // Read while the finger rests.
        controls.take(Self.content())
        #expect(Self.picture(controls.preview(at: .seconds(61)))?.number == 10)
        #expect(controls.preview(at: .seconds(61))?.face == .preview(.init(number: 10), time: "00:01:01", fontSize: 24))
        let before = try #require(controls.preview(at: .zero)).frame.x
        controls.send({ .motion($0) }, 0.7, at: 20)
        let moved = try #require(controls.preview(at: .zero))
        #expect(Self.picture(moved)?.number == 14 && moved.frame.x > before + 100)
        controls.send({ .up($0) }, 0.7, at: 40)
        #expect(controls.preview(at: .zero) == nil)
        #expect(controls.layout == free.layout)
        // A finger that is taken back, and a film that goes.
        for end in [{ $0.send({ .cancel($0) }, 0.5, at: 80) }, { _ = $0.cancelDrag(at: .milliseconds(80)) }]
            as [(inout Controls) -> Void]
        {
            var controls = Self.held(free, at: 0.5)
            end(&controls)
            #expect(controls.preview(at: .zero) == nil && controls.layout == free.layout)
        }
    }

    @Test func whereTheFrameFollowsOrAPanelIsOpenThereIsNone() throws {
        let local = Self.held(9, at: 0.5, ControlsLayoutTests.content())
        #expect(local.preview(at: .zero) == nil)
        #expect(local.layout == ControlsLayoutTests.controls(9).layout)
        var open = ControlsLayoutTests.controls(9, Self.content())
        open.tap(try #require(open.scene[.button(.filmstrip)]).target)
        let layout = open.layout
        let held = Self.held(open, at: 0.5)
        #expect(held.slider.heldValue != nil && held.panel == .filmstrip)
        #expect(held.preview(at: .zero) == nil && held.layout == layout)
    }

    @Test func theBarAloneHasIt() {
        var content = Self.content()
        content.mode = .bar
        #expect(Self.picture(Self.held(9, at: 0.5, content).preview(at: .zero))?.number == 10)
    }
}

extension Controls {
    /// A finger on the bar at a value.
    fileprivate mutating func send(_ event: (Finger) -> TouchEvent, _ value: Double, at milliseconds: Int64) {
        let y = Double(layout.track.y) + Double(layout.track.height) / 2
        _ = handle(event(finger(layout.thumbX(at: value), y, milliseconds)), isVisible: true, hasBar: true)
    }
}
