import OSDDrawing
import PlayerCore
import Testing

/// Widgets as pixels.
@Suite struct WidgetPainterTests {
    /// Letters that cover their whole box.
    private struct Blocks: WidgetMaterial {
        var pictures: [PictureID: PicturePixels] = [:]

        func letters(of text: String, fontSize: Int, isBold: Bool) -> TextMask? {
            let (width, height) = (text.count * fontSize / 2, fontSize)
            return TextMask(width: width, height: height, coverage: Array(repeating: 255, count: width * height))
        }

        func picture(_ id: PictureID, width: Int, height: Int) -> PicturePixels? { pictures[id] }
    }

    private static let layout = OSDLayout(
        displayWidth: 1280, displayHeight: 720, millimetres: nil, buttons: ControlButton.allCases, panelHeight: 300)

    private func painted(_ widgets: [Widget], _ material: (any WidgetMaterial)? = Blocks()) -> [Pixel] {
        var model = OSDModel(isVisible: true)
        model.bar = .init(thumb: 0.5)
        model.widgets = widgets
        return pixels(of: model, OSDPainter(layout: Self.layout, material: material))
    }

    private func pixels(of model: OSDModel, _ painter: OSDPainter) -> [Pixel] {
        let surface = Self.layout.surface
        var bytes = [UInt8](repeating: 0x5A, count: surface.width * surface.height * 4)
        bytes.withUnsafeMutableBytes { painter.paint(model, into: $0, stride: surface.width * 4) }
        return stride(from: 0, to: bytes.count, by: 4).map {
            Pixel(alpha: bytes[$0 + 3], red: bytes[$0 + 2], green: bytes[$0 + 1], blue: bytes[$0])
        }
    }

    private func part(of pixels: [Pixel], in frame: Widget.Rectangle) -> [Pixel] {
        let surface = Self.layout.surface
        return (frame.y - surface.y..<frame.y + frame.height - surface.y).flatMap { y in
            pixels[y * surface.width + max(frame.x, 0)..<y * surface.width + min(frame.x + frame.width, surface.width)]
        }
    }

    private func button(_ icon: ControlIcon, _ state: Widget.State, hasDisc: Bool) -> Widget {
        let place = Self.layout.buttons[1]
        return Widget(
            .button(.languages), frame: place.frame, target: place.target, face: .icon(icon, hasDisc: hasDisc),
            state: state)
    }

    @Test(arguments: ControlIcon.allCases) func eachSignIsItsOwn(icon: ControlIcon) {
        let sign = painted([button(icon, .normal, hasDisc: false)])
        let seen = part(of: sign, in: Self.layout.buttons[1].frame)
        let white = seen.count { $0 == .white }
        #expect(white > 15 && white < seen.count * 2 / 3, "\(white) white pixels of \(seen.count)")
        for other in ControlIcon.allCases where other != icon {
            #expect(painted([button(other, .normal, hasDisc: false)]) != sign, "\(icon) and \(other)")
        }
    }

    @Test func statesAreSeen() {
        let looks = [Widget.State.normal, .pressed, .chosen, .hidden].map {
            painted([button(.subtitles, $0, hasDisc: false)])
        }
        #expect(Set(looks).count == 4)
        let disc = [Widget.State.normal, .pressed].map { painted([button(.play, $0, hasDisc: true)]) }
        #expect(Set(disc).count == 2)
    }

    @Test func noChannelIsAboveAlphaAndNothingIsPaintedBesideTheFrames() {
        let panel = Widget.Rectangle(x: 900, y: Self.layout.panelBottom - 200, width: 300, height: 200)
        var row = Widget(
            .option(0), frame: .init(x: 910, y: panel.y + 10, width: 280, height: 64),
            face: .label("Deutsch", fontSize: 22), state: .chosen)
        let picture = PicturePixels(width: 100, height: 60, pixels: Array(repeating: 0xFF20_4060, count: 6000))
        let material = Blocks(pictures: [PictureID(number: 1): picture])
        let widgets = [
            Widget(.panel, frame: panel, gesture: .swallow, face: .panel), row,
            Widget(
                .picture(0), frame: .init(x: 940, y: panel.y + 90, width: 100, height: 60),
                face: .picture(PictureID(number: 1), caption: "00:00", fontSize: 14, isMarked: true), state: .chosen),
            Widget(.level, frame: .init(x: 1100, y: panel.y + 80, width: 64, height: 100), face: .level(0.4)),
        ]
        let (seen, bare) = (painted(widgets, material), painted([]))
        let surface = Self.layout.surface
        for (place, pixel) in seen.enumerated() {
            #expect(max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha)
            let (x, y) = (place % surface.width, place / surface.width + surface.y)
            if pixel != bare[place] { #expect(panel.contains(x: Double(x), y: Double(y)), "\(x), \(y)") }
        }
        // Text that does not fit is clipped.
        row.face = .label(String(repeating: "W", count: 80), fontSize: 22)
        let long = painted([row])
        let right = Widget.Rectangle(x: 1190, y: row.frame.y, width: 90, height: 64)
        #expect(part(of: long, in: right) == part(of: painted([]), in: right))
    }

    @Test func aPictureIsSeenThroughItsCaption() {
        // Red, and blue in its right half.
        let pixels = (0..<6000).map { $0 % 100 < 50 ? 0xFFFF_0000 : 0xFF00_00FF as UInt32 }
        let material = Blocks(pictures: [PictureID(number: 1): PicturePixels(width: 100, height: 60, pixels: pixels)])
        let frame = Widget.Rectangle(x: 940, y: Self.layout.panelBottom - 100, width: 100, height: 60)
        let seen = painted(
            [
                Widget(
                    .picture(0), frame: frame,
                    face: .picture(PictureID(number: 1), caption: "0", fontSize: 14, isMarked: false))
            ], material)
        for y in frame.y + 50..<frame.y + 56 {
            let row = part(of: seen, in: .init(x: frame.x, y: y, width: frame.width, height: 1))
            #expect(row[30].red > 80 && row[30].blue == 0 && row[70].blue > 80 && row[70].red == 0)
        }
    }

    /// The picture above the thumb, and nothing of it where it was before.
    @Test func aPreviewMovesOverTheWidgets() {
        let picture = PicturePixels(width: 160, height: 90, pixels: Array(repeating: 0xFF20_4060, count: 14_400))
        let painter = OSDPainter(
            layout: Self.layout, material: Blocks(pictures: [PictureID(number: 1): picture]))
        var model = OSDModel(isVisible: true)
        model.bar = .init(thumb: 0.2)
        model.widgets = [button(.play, .normal, hasDisc: true)]
        let bare = pixels(of: model, painter)
        let surface = Self.layout.surface
        for x in [20, 400, 1100] {
            let frame = Widget.Rectangle(x: x, y: Self.layout.panelBottom - 90, width: 160, height: 90)
            model.preview = Widget(
                .preview, frame: frame, gesture: .other,
                face: .preview(PictureID(number: 1), time: "00:01:02", fontSize: 16))
            let seen = pixels(of: model, painter)
            for (place, pixel) in seen.enumerated() {
                #expect(max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha)
                let (x, y) = (place % surface.width, place / surface.width + surface.y)
                if pixel != bare[place] { #expect(frame.contains(x: Double(x), y: Double(y)), "\(x), \(y)") }
            }
            let inner = part(of: seen, in: .init(x: x + 6, y: frame.y + 6, width: 148, height: 50))
            #expect(inner.allSatisfy { $0 == Pixel(alpha: 255, red: 0x20, green: 0x40, blue: 0x60) })
            let edge = part(of: seen, in: .init(x: x + 20, y: frame.y, width: 120, height: 1))
            #expect(edge.allSatisfy { $0 == .white })
            let time = part(of: seen, in: .init(x: x + 30, y: frame.y + 62, width: 100, height: 20))
            #expect(time.contains(.white))
        }
        model.preview = nil
        #expect(pixels(of: model, painter) == bare)
    }

    @Test func whatIsPaintedTwiceIsTheSame() {
        let painter = OSDPainter(layout: Self.layout, material: Blocks())
        var model = OSDModel(isVisible: true)
        model.bar = .init(thumb: 0.2)
        model.widgets = [button(.play, .normal, hasDisc: true)]
        let first = pixels(of: model, painter)
        model.bar?.thumb = 0.7
        let moved = pixels(of: model, painter)
        model.bar?.thumb = 0.2
        #expect(pixels(of: model, painter) == first && moved != first)
        model.widgets = [button(.play, .pressed, hasDisc: true)]
        #expect(pixels(of: model, painter) != first)
    }
}
