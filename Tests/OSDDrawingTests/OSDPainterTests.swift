import OSDDrawing
import PlayerCore
import Testing

/// The surface's pixels (B3): exact at the important places, multiplied by alpha everywhere.
@Suite struct OSDPainterTests {
    static let sizes = [(320, 240), (800, 480), (1024, 600), (1280, 720), (1920, 1080)]

    static let models: [OSDModel] = [
        OSDModel(isVisible: true),
        OSDModel(isVisible: true, isLive: true),
        OSDModel(isVisible: true, bar: .init(thumb: 0)),
        OSDModel(isVisible: true, bar: .init(thumb: 1, isHeld: true)),
        OSDModel(isVisible: true, bar: .init(thumb: 0.3217, buffered: 0.61)),
        OSDModel(isVisible: true, bar: .init(thumb: 0.3217, buffered: 1, isHeld: true)),
        OSDModel(isVisible: true, bar: .init(thumb: 0.7, buffered: 0.2)),
        OSDModel(isVisible: true, bar: .init(thumb: .nan, buffered: .infinity)),
        OSDModel(isVisible: true, bar: .init(thumb: -4, buffered: 7)),
    ]

    @Test(arguments: sizes.indices, models.indices) func noChannelExceedsAlpha(size: Int, model: Int) {
        let picture = Picture(Self.models[model], size: Self.sizes[size])
        #expect(
            picture.first { max($0.red, $0.green, $0.blue) > $0.alpha } == nil)
    }

    @Test(arguments: models.indices) func theSameModelGivesTheSameBytesWhateverWasThere(model: Int) {
        let clean = Picture(Self.models[model], size: (1024, 600), fill: 0)
        let dirty = Picture(Self.models[model], size: (1024, 600), fill: 0xAB)
        #expect(clean.bytes == dirty.bytes)
    }

    @Test func paddingBetweenRowsIsLeftAlone() {
        let picture = Picture(Self.models[4], size: (320, 240), padding: 64, fill: 0xAB)
        for y in 0..<picture.height {
            let end = y * picture.stride + picture.width * 4
            #expect(picture.bytes[end..<end + 64].allSatisfy { $0 == 0xAB })
        }
        let packed = Picture(Self.models[4], size: (320, 240))
        #expect(packed[100, 60] == picture[100, 60])
    }

    @Test func blackFadesInFromNothingToTheTextAndNeverLightens() {
        let picture = Picture(OSDModel(isVisible: true), size: (1024, 600))
        let alphas = (0..<picture.height).map { picture[500, $0].alpha }
        #expect(alphas[0] <= 2)
        #expect(zip(alphas, alphas.dropFirst()).allSatisfy { $0 <= $1 })
        // No step that is visible as an edge.
        #expect(zip(alphas, alphas.dropFirst()).allSatisfy { $1 - $0 <= 16 })
        // 60 to 70 % black below the text's letters, at most 75 % below the bar.
        let text = picture.layout.textTop + picture.layout.textHeight / 2
        #expect((153...179).contains(alphas[text]))
        #expect((160...191).contains(alphas[picture.height - 1]))
    }

    @Test(arguments: [0, 0.1, 0.25, 0.3333, 0.5, 0.9, 1]) func theThumbsCentreIsWhereTheLayoutSays(fraction: Double) {
        for isHeld in [false, true] {
            let model = OSDModel(isVisible: true, bar: .init(thumb: fraction, isHeld: isHeld))
            let picture = Picture(model, size: (1024, 600))
            // The centroid of the thumb's white, above the track, which would bias it.
            let y = picture.trackCentre - picture.layout.track.height / 2 - 2
            var weight = 0.0
            var moment = 0.0
            for x in 0..<picture.width {
                let white = Double(picture[x, y].red)
                weight += white
                moment += white * (Double(x) + 0.5)
            }
            #expect(abs(moment / weight - picture.layout.thumbX(at: fraction)) < 0.05)
            #expect(picture[Int(picture.layout.thumbX(at: fraction)), picture.trackCentre] == .white)
        }
    }

    @Test func aQuarterPixelsMoveShows() {
        let layout = Picture.layout(size: (1024, 600))
        let step = 0.25 / Double(layout.track.width)
        let pictures = (0..<5).map {
            Picture(OSDModel(isVisible: true, bar: .init(thumb: 0.5 + Double($0) * step)), size: (1024, 600))
        }
        for (before, after) in zip(pictures, pictures.dropFirst()) {
            #expect(before.bytes != after.bytes)
            // Glides: no pixel changes at once from bare surface to thumb.
            let largest = zip(before.bytes, after.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(largest < 110)
        }
    }

    @Test func aHeldThumbIsLarger() {
        func whitePixels(isHeld: Bool) -> Int {
            let picture = Picture(OSDModel(isVisible: true, bar: .init(thumb: 0.5, isHeld: isHeld)), size: (1024, 600))
            return (0..<picture.width).count { picture[$0, picture.trackCentre] == .white }
        }
        let layout = Picture.layout(size: (1024, 600))
        #expect(abs(whitePixels(isHeld: false) - 2 * layout.thumbRadius) <= 2)
        #expect(abs(whitePixels(isHeld: true) - 2 * layout.heldThumbRadius) <= 2)
    }

    @Test func playedBufferedAndUnplayedPartsDiffer() {
        let picture = Picture(OSDModel(isVisible: true, bar: .init(thumb: 0.4, buffered: 0.7)), size: (1024, 600))
        func track(_ fraction: Double) -> Pixel {
            picture[Int(picture.layout.thumbX(at: fraction)), picture.trackCentre]
        }
        #expect(track(0.1) == track(0.3))
        #expect(track(0.5) == track(0.65))
        #expect(track(0.75) == track(0.95))
        #expect(track(0.1) == Pixel(alpha: 255, red: 0x5A, green: 0xB4, blue: 0xFF))
        #expect(track(0.5).alpha > track(0.8).alpha)
        #expect(track(0.5).red > track(0.8).red)
        #expect(track(0.8).red > 40)
    }

    @Test(arguments: [(320, 240), (1024, 600), (1920, 1080)]) func marksAreGapsInTheTrackAndNowhereElse(
        size: (Int, Int)
    ) {
        let bar = OSDModel.Bar(thumb: 0.5, buffered: 0.7)
        var marked = bar
        marked.marks = [0.2, 0.6, 0.9]
        let (plain, picture) = (
            Picture(OSDModel(isVisible: true, bar: bar), size: size),
            Picture(OSDModel(isVisible: true, bar: marked), size: size)
        )
        let (layout, bare) = (picture.layout, Picture(OSDModel(isVisible: true), size: size))
        let columns = marked.marks.flatMap { Array(layout.markColumns(at: $0)) }
        #expect(columns.count == 3 * layout.markWidth)
        let rows = layout.track.y - layout.surface.y..<layout.track.y - layout.surface.y + layout.track.height
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let isGap = rows.contains(y) && columns.contains(x)
                #expect(picture[x, y] == (isGap ? bare[x, y] : plain[x, y]), "at \(x), \(y)")
            }
        }
        for mark in marked.marks {
            let columns = layout.markColumns(at: mark)
            let middle = Double(columns.lowerBound + columns.upperBound) / 2
            #expect(abs(middle - layout.thumbX(at: mark)) <= 1)
        }
    }

    @Test func theTracksEndsAreRound() {
        let picture = Picture(OSDModel(isVisible: true, bar: .init(thumb: 0.5)), size: (1920, 1080))
        let track = picture.layout.track
        let top = track.y - picture.layout.surface.y
        for (edge, outwards) in [(track.x, -1), (track.x + track.width - 1, 1)] {
            // The cap reaches out in the middle, not at the track's corner.
            let out = edge + outwards * track.height / 2
            #expect(picture[out, picture.trackCentre] != picture[2, picture.trackCentre])
            #expect(picture[out, top] == picture[2, top])
            #expect(picture[edge, top] != picture[2, top])
            let beyond = edge + outwards * (track.height / 2 + 1)
            #expect(picture[beyond, picture.trackCentre] == picture[2, picture.trackCentre])
        }
    }

    @Test func textRowsHoldOnlyBlack() {
        for model in Self.models where !model.isLive {
            let picture = Picture(model, size: (800, 480))
            let rows = picture.layout.textTop..<picture.layout.textTop + picture.layout.textHeight
            #expect(picture.first(inRows: rows) { $0.red != 0 || $0.green != 0 || $0.blue != 0 } == nil)
        }
    }

    @Test func liveMediaHaveAMarkAndNoTrackM11() {
        let picture = Picture(OSDModel(isVisible: true, bar: .init(thumb: 0.5), isLive: true), size: (1024, 600))
        let layout = picture.layout
        let mark = picture[layout.track.x + layout.liveMarkRadius, layout.textTop + layout.textHeight / 2]
        #expect(mark == Pixel(alpha: 255, red: 0xFF, green: 0x5A, blue: 0x4F))
        #expect(picture.first(inRows: picture.trackCentre..<picture.trackCentre + 1) { $0.red != 0 } == nil)
        // The mark ends before the title begins.
        let titleX = layout.titleX(isLive: true)
        let row = layout.textTop + layout.textHeight / 2
        #expect((titleX - 2..<picture.width).allSatisfy { picture[$0, row].red == 0 })
    }

    /// An independent, slow picture: 16x16 samples of each pixel, real numbers, no intermediate rounding.
    @Test(arguments: [0.0, 0.2, 0.41237, 1.0]) func agreesWithASampledReference(thumb: Double) {
        let bar = OSDModel.Bar(thumb: thumb, buffered: 0.6, isHeld: thumb == 0.2)
        let picture = Picture(OSDModel(isVisible: true, bar: bar), size: (320, 240))
        let reference = SampledReference(bar: bar, layout: picture.layout)
        for y in picture.layout.textTop + picture.layout.textHeight..<picture.height {
            let background = Double(picture[0, y].alpha) / 255
            for x in 0..<picture.width {
                let expected = reference.color(x: x, y: y, background: background)
                let pixel = picture[x, y]
                let worst = max(
                    abs(Double(pixel.red) - expected.red), abs(Double(pixel.green) - expected.green),
                    abs(Double(pixel.blue) - expected.blue), abs(Double(pixel.alpha) - expected.alpha))
                // Antialiasing by distance and by area differ by up to a tenth of a pixel's coverage.
                guard worst >= 26 else { continue }
                Issue.record("at \(x),\(y): \(pixel) for \(expected)")
            }
        }
    }
}
