import PlayerCore
import Testing

@testable import Media

/// A picture whose luma is light in its upper left quarter, which shows turn and place.
@Suite("A scrub sheet's pictures on a plane")
struct SheetPainterTests {
    private let width = 64
    private let height = 32

    private var picture: [UInt8] {
        var bytes = [UInt8](repeating: 50, count: width * height)
        for y in 0..<height / 2 { for x in 0..<width / 2 { bytes[y * width + x] = 200 } }
        return bytes + [UInt8](repeating: 128, count: width * height / 2)
    }

    private func screen(
        _ width: Int, _ height: Int, turn: DisplayTransform = .identity, covers: Bool = true, scales: Bool = false,
        gravity: VideoGravity = .resizeAspect
    ) -> FilmOutput.Screen {
        var screen = FilmOutput.Screen(
            sink: .plane(.init(fileDescriptor: -1, connectorID: 1, planeID: 2)), width: width, height: height,
            canScale: scales, coversDisplay: covers, turn: turn, formats: ["I420"])
        screen.gravity = gravity
        return screen
    }

    /// The luma of a painted canvas.
    private func paint(_ screen: FilmOutput.Screen, _ width: Int, _ height: Int) throws -> [[UInt8]] {
        let chroma = width * height
        let canvas = SheetPainter.Canvas(
            width: width, height: height, format: "I420",
            components: [
                .init(offset: 0, pitch: width), .init(offset: chroma, pitch: width / 2),
                .init(offset: chroma * 5 / 4, pitch: width / 2),
            ])
        let job = SheetPainter.Job(
            width: self.width, height: self.height, color: FilmColor(matrix: .bt709), screen: screen, canvas: canvas)
        try GStreamer.start()
        let painter = try #require(SheetPainter(job))
        var bytes = [UInt8](repeating: 7, count: chroma * 3 / 2)
        let isPainted = picture.withUnsafeBytes { from in
            bytes.withUnsafeMutableBytes { painter.paint(from, into: $0) }
        }
        #expect(isPainted)
        return (0..<height).map { Array(bytes[$0 * width..<($0 + 1) * width]) }
    }

    @Test("of a width that is no multiple of four, on which GStreamer's own lines would end")
    func odd() throws {
        let (width, height) = (450, 360)
        let canvas = SheetPainter.Canvas(
            width: 64, height: 64, format: "I420",
            components: [.init(offset: 0, pitch: 64), .init(offset: 4096, pitch: 32), .init(offset: 5120, pitch: 32)])
        let job = SheetPainter.Job(
            width: width, height: height, color: FilmColor(matrix: .bt709), screen: screen(64, 64), canvas: canvas)
        try GStreamer.start()
        let painter = try #require(SheetPainter(job))
        var bytes = [UInt8](repeating: 7, count: 6144)
        let luma = width * height
        let picture = [UInt8](repeating: 120, count: luma) + [UInt8](repeating: 128, count: luma / 2)
        let isPainted = picture.withUnsafeBytes { from in bytes.withUnsafeMutableBytes { painter.paint(from, into: $0) }
        }
        #expect(isPainted && bytes[32 * 64 + 32] == 120)
    }

    @Test("as large as the canvas")
    func whole() throws {
        let rows = try paint(screen(128, 64), 128, 64)
        #expect(rows[10][10] > 190 && rows[10][100] < 60 && rows[50][10] < 60)
    }

    @Test("with black beside it where the shapes differ")
    func borders() throws {
        let rows = try paint(screen(128, 128), 128, 128)
        #expect(rows[10][10] == 16 && rows[120][64] == 16)
        #expect(rows[40][10] > 190 && rows[80][10] < 60)
    }

    @Test("over all of it where it is to fill it")
    func fill() throws {
        let rows = try paint(screen(128, 128, gravity: .resizeAspectFill), 128, 128)
        #expect(rows[10][10] > 190 && rows[10][120] < 60 && rows[120][10] < 60)
    }

    @Test("turned as the film is", arguments: DisplayTransform.all)
    func turned(_ turn: DisplayTransform) throws {
        let (across, down) = turn.size(width: width, height: height)
        let rows = try paint(screen(across, down, turn: turn), across, down)
        let light = turn.place(
            .init(x: 0, y: 0, width: width / 2, height: height / 2), displayWidth: across, displayHeight: down)
        for y in [light.y + 2, light.y + light.height - 3] {
            for x in [light.x + 2, light.x + light.width - 3] { #expect(rows[y][x] > 190) }
        }
        #expect(rows.joined().filter { $0 > 150 }.count == width * height / 4)
    }

    @Test("as it is for a plane that scales")
    func scaling() {
        let size = SheetPainter.size(width: 640, height: 360, on: screen(1920, 1080, covers: false, scales: true))
        #expect(size?.width == 640 && size?.height == 360)
        #expect(SheetPainter.size(width: 640, height: 360, on: screen(1920, 1080)) == nil)
    }

    @Test("not into a canvas that is too short")
    func short() throws {
        let canvas = SheetPainter.Canvas(width: 64, height: 32, format: "I420", components: [])
        let job = SheetPainter.Job(
            width: width, height: height, color: FilmColor(matrix: .bt601), screen: screen(64, 32), canvas: canvas)
        try GStreamer.start()
        let painter = try #require(SheetPainter(job))
        var bytes = [UInt8](repeating: 0, count: 100)
        let isPainted = picture.withUnsafeBytes { from in bytes.withUnsafeMutableBytes { painter.paint(from, into: $0) }
        }
        #expect(!isPainted)
    }
}
