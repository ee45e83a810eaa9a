import PlayerCore
import Testing

/// The places of the display's parts on common displays (B3).
@Suite struct OSDLayoutTests {
    /// Width, height, and the picture's size in millimetres if the display reports it.
    static let displays: [(width: Int, height: Int, millimetres: (width: Int, height: Int)?)] = [
        (320, 240, nil), (800, 480, nil), (800, 480, (155, 86)), (1024, 600, (154, 86)), (1024, 768, nil),
        (720, 1280, (62, 110)), (1280, 720, nil), (1920, 1080, nil), (1920, 1080, (221, 124)),
        (1920, 1080, (1210, 680)), (3840, 2160, (600, 340)),
    ]

    @Test(arguments: displays.indices) func partsLieInTheSurfaceAndDoNotOverlap(display: Int) {
        let (width, height, millimetres) = Self.displays[display]
        let layout = OSDLayout(displayWidth: width, displayHeight: height, millimetres: millimetres)
        #expect(layout.surface.x == 0 && layout.surface.width == width)
        #expect(layout.surface.y >= 0 && layout.surface.y + layout.surface.height == height)
        #expect(layout.surface.height % 2 == 0)
        let centre = layout.track.y + layout.track.height / 2
        #expect(layout.surface.y + layout.textTop + layout.textHeight <= centre - layout.heldThumbRadius)
        #expect(centre + layout.heldThumbRadius + 2 <= height)
        #expect(layout.track.x - layout.heldThumbRadius - 2 >= 0)
        #expect(layout.track.x + layout.track.width + layout.heldThumbRadius + 2 <= width)
        #expect(layout.textTop >= layout.textHeight / 2)
    }

    @Test func aFingerRestsWithinThreeMillimetres() {
        func radius(_ width: Int, _ height: Int, _ millimetres: (width: Int, height: Int)?) -> Double {
            OSDLayout(displayWidth: width, displayHeight: height, millimetres: millimetres).restRadius
        }
        #expect(abs(radius(1920, 1080, (1210, 680)) - 4.76) < 0.01)
        #expect(abs(radius(720, 1280, (62, 110)) - 34.84) < 0.01)
        #expect(radius(1024, 768, nil) == 15)
        #expect(radius(1920, 1080, (16, 9)) == 15, "a wrong EDID")
    }

    @Test(arguments: displays.indices) func theTouchTargetIsNineMillimetresOr64Pixels(display: Int) {
        let (width, height, millimetres) = Self.displays[display]
        let layout = OSDLayout(displayWidth: width, displayHeight: height, millimetres: millimetres)
        #expect(layout.touchTarget.height >= 64)
        if let millimetres {
            let needed = 9 * Double(width) / Double(millimetres.width)
            #expect(Double(layout.touchTarget.height) >= needed.rounded(.down))
        }
        #expect(layout.touchTarget.y >= 0 && layout.touchTarget.y + layout.touchTarget.height <= height)
        #expect(layout.touchTarget.contains(x: Double(width) / 2, y: Double(layout.track.y)))
    }

    /// Closed captions often have three.
    @Test(arguments: displays.indices) func fourLinesOfSubtitlesHaveRoomAboveTheBar(display: Int) {
        let (width, height, millimetres) = Self.displays[display]
        let layout = OSDLayout(
            displayWidth: width, displayHeight: height, millimetres: millimetres, hasSubtitles: true)
        let room = layout.surface.height - layout.subtitleBottom(isBarVisible: true)
        #expect(room >= 4 * (layout.subtitleFontSize * 5 / 4) || layout.surface.y == 0)
    }

    @Test func aDisplaysWrongSizeCountsAsUnknown() {
        let unknown = OSDLayout(displayWidth: 1920, displayHeight: 1080, millimetres: nil)
        for wrong in [(0, 0), (16, 9), (160, 90 * 4), (16_000, 9000)] {
            #expect(OSDLayout(displayWidth: 1920, displayHeight: 1080, millimetres: wrong) == unknown)
        }
    }

    @Test func fractionAndThumbAreEachOthersInverse() {
        let layout = OSDLayout(displayWidth: 1024, displayHeight: 768, millimetres: nil)
        for step in 0...1000 {
            let fraction = Double(step) / 1000
            #expect(abs(layout.fraction(atX: layout.thumbX(at: fraction)) - fraction) < 1e-12)
        }
        #expect(layout.fraction(atX: -50) == 0)
        #expect(layout.fraction(atX: 5000) == 1)
        #expect(layout.thumbX(at: .nan) == Double(layout.track.x))
    }

    @Test func theTitleEndsBeforeTheTime() {
        let layout = OSDLayout(displayWidth: 800, displayHeight: 480, millimetres: nil)
        #expect(layout.titleRight(besides: "") == 800 - layout.margin)
        let right = layout.titleRight(besides: "00:00:00 / 00:00:00")
        #expect(right < 800 - layout.margin - 9 * layout.fontSize)
        #expect(right > layout.titleX(isLive: true) + 10 * layout.fontSize)
    }
}
