import PlayerCore
import Synchronization
import Testing

@testable import Media

/// The OSD of a display without a plane for it (B3), and its turning (N2): the compositor's input, pixel by pixel.
@Suite(.serialized) struct OSDCompositorTests {
    static let layout = OSDLayout(displayWidth: 320, displayHeight: 240, millimetres: nil)

    /// Every painted pixel is different.
    private static let paint: OverlayPipeline.Paint = { _, _, pixels, stride in
        let pixels = pixels.bindMemory(to: UInt32.self)
        for index in pixels.indices { pixels[index] = 0xFF00_0000 | UInt32(index) }
    }

    @Test(arguments: DisplayTransform.all) func theSurfaceArrivesTurned(turn: DisplayTransform) async throws {
        let surface = Self.layout.surface
        let display = turn.size(width: Self.layout.displayWidth, height: Self.layout.displayHeight)
        let place = turn.place(surface, displayWidth: display.width, displayHeight: display.height)
        let screen = Background()
        let pipeline = try OverlayPipeline(
            layout: Self.layout, compositor: screen.compositor,
            place: { _ in OverlayPlace(rectangle: place, turn: turn) },
            paint: Self.paint)
        var model = OSDModel(isVisible: true)
        model.bar = .init(thumb: 0.5)
        pipeline.show(model)
        let shown = try #require(await screen.next())
        #expect(shown.place == place)
        try #require(shown.pixels.count == surface.width * surface.height)
        for (x, y) in [(0, 0), (surface.width - 1, 0), (0, surface.height - 1), (7, 11)] {
            let pixel = turn.place(
                .init(x: surface.x + x, y: surface.y + y, width: 1, height: 1), displayWidth: display.width,
                displayHeight: display.height)
            let index = (pixel.y - place.y) * place.width + pixel.x - place.x
            #expect(shown.pixels[index] & 0xFF_FFFF == UInt32(y * surface.width + x))
        }
        pipeline.show(OSDModel())
        #expect(await screen.next() == nil, "hidden, nothing is left of it")
        #expect(await pipeline.stop())
    }
}

/// The background below the film.
private final class Background: Sendable {
    struct Shown: Sendable {
        var place: OSDLayout.Rectangle
        var pixels: [UInt32]
    }

    let compositor: OSDCompositor
    private let shown: AsyncStream<Shown?>

    init() {
        let (stream, news) = AsyncStream.makeStream(of: Shown?.self)
        shown = stream
        compositor = OSDCompositor { surface in
            var pixels: [UInt32] = []
            surface?.withPixels { pixels = Array($0.bindMemory(to: UInt32.self)) }
            news.yield(surface.map { Shown(place: $0.place, pixels: pixels) })
        }
    }

    func next() async -> Shown? {
        for await one in shown { return one }
        return nil
    }
}
