import Testing

@testable import KMS

@Suite("Pictures composed of planes")
struct CompositionTests {
    /// A layer of packed pixels, given as 0xAARRGGBB, at its own size.
    private func packed(
        _ pixels: [UInt32], width: Int, format: PixelFormat = .argb8888, x: Int = 0, y: Int = 0, padding: Int = 0
    ) -> PlaneLayer {
        let height = pixels.count / width
        var bytes: [UInt8] = []
        for line in 0..<height {
            for pixel in pixels[line * width..<(line + 1) * width] {
                bytes += (0..<4).map { UInt8(truncatingIfNeeded: pixel >> ($0 * 8)) }
            }
            bytes += [UInt8](repeating: 0xEE, count: padding)
        }
        return PlaneLayer(
            format: format, width: width, height: height,
            components: [.init(bytes: bytes, pitch: width * 4 + padding)],
            source: .init(x: 0, y: 0, width: Double(width), height: Double(height)),
            destination: .init(x: x, y: y, width: width, height: height))
    }

    /// A 2x2 picture of one colour.
    private func yuv(_ format: PixelFormat, _ luma: UInt8, _ cb: UInt8, _ cr: UInt8) -> PlaneLayer {
        let y = PlaneLayer.Component(bytes: [luma, luma, luma, luma], pitch: 2)
        let components: [PlaneLayer.Component] =
            switch format {
            case .yuv420: [y, .init(bytes: [cb], pitch: 1), .init(bytes: [cr], pitch: 1)]
            case .yvu420: [y, .init(bytes: [cr], pitch: 1), .init(bytes: [cb], pitch: 1)]
            case .nv12: [y, .init(bytes: [cb, cr], pitch: 2)]
            default: [y, .init(bytes: [cr, cb], pitch: 2)]
            }
        return PlaneLayer(
            format: format, width: 2, height: 2, components: components,
            source: .init(x: 0, y: 0, width: 2, height: 2), destination: .init(x: 0, y: 0, width: 2, height: 2))
    }

    private func color(_ layers: PlaneLayer...) -> [UInt8] {
        Array(Picture.composed(width: 1, height: 1, layers: layers).bytes)
    }

    /// The composed pixels as 0xRRGGBB.
    private func pixels(_ width: Int, _ height: Int, _ layers: PlaneLayer...) -> [UInt32] {
        let bytes = Picture.composed(width: width, height: height, layers: layers).bytes
        return stride(from: 0, to: bytes.count, by: 3).map {
            UInt32(bytes[$0]) << 16 | UInt32(bytes[$0 + 1]) << 8 | UInt32(bytes[$0 + 2])
        }
    }

    @Test("A display without planes is black")
    func black() {
        #expect(pixels(2, 1) == [0, 0])
    }

    @Test("Red, green and blue come from their places in every 32-bit format")
    func packedFormats() {
        #expect(color(packed([0xFF11_2233], width: 1, format: .xrgb8888)) == [0x11, 0x22, 0x33])
        #expect(color(packed([0xFF11_2233], width: 1, format: .argb8888)) == [0x11, 0x22, 0x33])
        #expect(color(packed([0xFF11_2233], width: 1, format: .xbgr8888)) == [0x33, 0x22, 0x11])
        #expect(color(packed([0xFF11_2233], width: 1, format: .abgr8888)) == [0x33, 0x22, 0x11])
        #expect(color(packed([0x0011_2233], width: 1, format: .xrgb8888)) == [0x11, 0x22, 0x33], "X is not alpha")
        #expect(color(packed([0x0011_2233], width: 1, format: .xbgr8888)) == [0x33, 0x22, 0x11], "X is not alpha")
    }

    @Test("Red, green and blue come from their places in the 24-bit formats")
    func packed24Formats() {
        func layer(_ format: PixelFormat) -> PlaneLayer {
            PlaneLayer(
                format: format, width: 2, height: 1, components: [.init(bytes: [1, 2, 3, 4, 5, 6], pitch: 6)],
                source: .init(x: 0, y: 0, width: 2, height: 1), destination: .init(x: 0, y: 0, width: 2, height: 1))
        }
        #expect(pixels(2, 1, layer(.bgr888)) == [0x010203, 0x040506])
        #expect(pixels(2, 1, layer(.rgb888)) == [0x030201, 0x060504])
    }

    @Test("A higher plane covers a lower one by its alpha, colours multiplied already")
    func preMultiplied() {
        let below = packed([0xFF64_64C8], width: 1, format: .xrgb8888)
        #expect(color(below, packed([0x8040_0000], width: 1)) == [UInt8(0x40) + 50, 50, 100])
        #expect(color(below, packed([0x0000_0000], width: 1)) == [0x64, 0x64, 0xC8])
        #expect(color(packed([0x8040_0000], width: 1), below) == [0x64, 0x64, 0xC8], "the order counts")
        #expect(
            color(below, packed([0x0064_6464], width: 1)) == [200, 200, 255], "light without cover adds up to white")
    }

    @Test("Straight alpha and no alpha, where the plane is set so")
    func otherBlendModes() {
        let below = packed([0xFF64_64C8], width: 1, format: .xrgb8888)
        var above = packed([0x80FF_0000], width: 1)
        above.blend = .coverage
        #expect(color(below, above) == [178, 50, 100])
        above.blend = .none
        #expect(color(below, above) == [255, 0, 0])
        above.alpha = 0x8000
        #expect(color(below, above) == [178, 50, 100], "the plane's own alpha")
        above.blend = .preMultiplied
        above.alpha = 0
        #expect(color(below, above) == [0x64, 0x64, 0xC8])
    }

    @Test(
        "All 4:2:0 formats: white, black and the primary colours of limited range",
        arguments: [PixelFormat.yuv420, .yvu420, .nv12, .nv21])
    func yuvFormats(format: PixelFormat) {
        #expect(color(yuv(format, 235, 128, 128)) == [255, 255, 255])
        #expect(color(yuv(format, 16, 128, 128)) == [0, 0, 0])
        var red = yuv(format, 63, 102, 240)
        #expect(color(red).isNear([255, 1, 0]), "BT.709 red")
        red = yuv(format, 81, 90, 240)
        red.encoding = .bt601
        #expect(color(red).isNear([254, 0, 0]), "BT.601 red")
        var white = yuv(format, 255, 128, 128)
        white.range = .full
        #expect(color(white) == [255, 255, 255])
        var grey = yuv(format, 16, 128, 128)
        grey.range = .full
        #expect(color(grey) == [16, 16, 16])
    }

    @Test("Chroma is shared by two lines and columns, odd sizes included")
    func chroma() {
        let layer = PlaneLayer(
            format: .yuv420, width: 3, height: 3,
            components: [
                .init(bytes: [UInt8](repeating: 128, count: 9), pitch: 3),
                .init(bytes: [128, 128, 128, 128], pitch: 2), .init(bytes: [128, 240, 128, 128], pitch: 2),
            ], source: .init(x: 0, y: 0, width: 3, height: 3),
            destination: .init(x: 0, y: 0, width: 3, height: 3))
        let picture = Picture.composed(width: 3, height: 3, layers: [layer])
        let isRed = (0..<9).map { picture[$0 % 3, $0 / 3].red > 200 }
        #expect(isRed == [false, false, true, false, false, true, false, false, false])
    }

    @Test(
        "Padding at the lines' ends is skipped, with copies and with blending",
        arguments: [PixelFormat.xrgb8888, .argb8888])
    func padding(format: PixelFormat) {
        let layer = packed([0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004], width: 2, format: format, padding: 12)
        #expect(pixels(2, 2, layer) == [1, 2, 3, 4])
    }

    @Test(
        "A plane that reaches beyond the display is cut at its edges", arguments: [PixelFormat.xrgb8888, .argb8888])
    func clipping(format: PixelFormat) {
        let four: [UInt32] = [0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004]
        #expect(pixels(2, 2, packed(four, width: 2, format: format, x: 1, y: 1)) == [0, 0, 0, 1])
        #expect(pixels(2, 2, packed(four, width: 2, format: format, x: -1, y: -1)) == [4, 0, 0, 0])
        #expect(pixels(2, 2, packed(four, width: 2, format: format, x: 5, y: 0)) == [0, 0, 0, 0])
        #expect(pixels(2, 2, packed(four, width: 2, format: format, x: 0, y: -7)) == [0, 0, 0, 0])
    }

    @Test("A part of the framebuffer is shown", arguments: [PixelFormat.xrgb8888, .argb8888])
    func sourceRectangle(format: PixelFormat) {
        var layer = packed((1...9).map { 0xFF00_0000 | $0 }, width: 3, format: format)
        layer.source = .init(x: 1, y: 1, width: 2, height: 2)
        layer.destination = .init(x: 0, y: 0, width: 2, height: 2)
        #expect(pixels(2, 2, layer) == [5, 6, 8, 9])
    }

    @Test("A plane that scales shows the nearest pixels, larger and smaller")
    func scaling() {
        var layer = packed([0xFF00_0001, 0xFF00_0002], width: 2, format: .xrgb8888)
        layer.destination = .init(x: 0, y: 0, width: 4, height: 2)
        #expect(pixels(4, 2, layer) == [1, 1, 2, 2, 1, 1, 2, 2])
        layer = packed((1...8).map { 0xFF00_0000 | $0 }, width: 4, format: .xrgb8888)
        layer.destination = .init(x: 0, y: 0, width: 2, height: 1)
        #expect(pixels(2, 1, layer) == [6, 8])
    }

    /// vkms's own pictures followed the same rule, pixel by pixel, when compared with its writeback connector.
    @Test(
        "A plane is turned counter-clockwise after it is mirrored",
        arguments: [
            (PlaneRotation.rotate0, [1, 2, 3, 4, 5, 6]), ([.rotate180], [6, 5, 4, 3, 2, 1]),
            ([.rotate0, .reflectX], [3, 2, 1, 6, 5, 4]), ([.rotate0, .reflectY], [4, 5, 6, 1, 2, 3]),
            ([.rotate90], [3, 6, 2, 5, 1, 4]), ([.rotate270], [4, 1, 5, 2, 6, 3]),
            ([.rotate90, .reflectX], [1, 4, 2, 5, 3, 6]),
        ] as [(PlaneRotation, [UInt32])])
    func rotation(rotation: PlaneRotation, expected: [UInt32]) {
        var layer = packed((1...6).map { 0xFF00_0000 | $0 }, width: 3, format: .xrgb8888)
        layer.rotation = rotation
        let isTurned = !rotation.isDisjoint(with: [.rotate90, .rotate270])
        layer.destination = .init(x: 0, y: 0, width: isTurned ? 2 : 3, height: isTurned ? 3 : 2)
        #expect(pixels(layer.destination.width, layer.destination.height, layer) == expected)
    }

    @Test("A framebuffer that is shorter than it says is left out, not read beyond its end")
    func truncatedFramebuffer() {
        var layer = packed([0xFF00_0001, 0xFF00_0002], width: 1, format: .xrgb8888)
        layer.components[0].bytes.removeLast()
        #expect(pixels(1, 2, layer) == [0, 0])
        var film = yuv(.yuv420, 235, 128, 128)
        film.components.removeLast()
        #expect(pixels(2, 2, film) == [0, 0, 0, 0])
    }

    @Test("A film without a mark is BT.601 below 720 lines, else BT.709")
    func assumedEncoding() {
        #expect(ColorEncoding.assumed(forHeight: 719) == .bt601)
        #expect(ColorEncoding.assumed(forHeight: 720) == .bt709)
    }
}

extension [UInt8] {
    fileprivate func isNear(_ other: [UInt8]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }
}
