import PlayerCore
import Testing

/// One value turns frame, bar and touch (N2).
struct DisplayTransformTests {
    /// The viewer's corners, and their places on the display.
    @Test(arguments: [
        (DisplayTransform(rotation: .none), [(0, 0), (1, 0), (0, 1)]),
        (DisplayTransform(rotation: .quarter), [(1, 0), (1, 1), (0, 0)]),
        (DisplayTransform(rotation: .half), [(1, 1), (0, 1), (1, 0)]),
        (DisplayTransform(rotation: .threeQuarters), [(0, 1), (0, 0), (1, 1)]),
        (DisplayTransform(rotation: .none, isReflected: true), [(1, 0), (0, 0), (1, 1)]),
        (DisplayTransform(rotation: .quarter, isReflected: true), [(1, 1), (1, 0), (0, 1)]),
    ])
    func cornersGoWhereTheTurnBringsThem(transform: DisplayTransform, corners: [(Int, Int)]) {
        let viewers = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
        for (viewer, corner) in zip(viewers, corners) {
            let place = transform.place(x: viewer.0, y: viewer.1)
            #expect(place == (Double(corner.0), Double(corner.1)))
        }
    }

    @Test(arguments: DisplayTransform.all)
    func theInverseBringsEachPlaceBack(transform: DisplayTransform) {
        let there = transform.place(x: 0.125, y: 0.75)
        #expect(transform.inverse.place(x: there.x, y: there.y) == (0.125, 0.75))
        #expect(transform.then(transform.inverse) == .identity)
    }

    @Test(arguments: DisplayTransform.all, DisplayTransform.all)
    func twoAfterEachOtherAreTheirSum(first: DisplayTransform, second: DisplayTransform) {
        let between = first.place(x: 0.125, y: 0.75)
        let after = second.place(x: between.x, y: between.y)
        #expect(first.then(second).place(x: 0.125, y: 0.75) == after)
    }

    /// A film's tag is one of the eight, and nothing else is accepted.
    @Test func aFilmSaysHowItIsBroughtUpright() {
        let said = [false, true].flatMap { flipped in
            [0, 90, 180, 270].map { DisplayTransform(orientation: "\(flipped ? "flip-" : "")rotate-\($0)") }
        }
        #expect(said == DisplayTransform.all)
        for word in [
            "", "rotate", "rotate-", "rotate-45", "90", "flip", "flop-rotate-90", "flip-rotate-90-", "rotate-90-90",
        ] {
            #expect(DisplayTransform(orientation: word) == nil, "\(word)")
        }
    }

    /// A phone's film on a display that is mounted on its side: the remaining turn.
    @Test func aFilmSTurnAndTheDisplaySAreOne() throws {
        let film = try #require(DisplayTransform(orientation: "rotate-90"))
        #expect(film.then(DisplayTransform(rotation: .threeQuarters)) == .identity)
        #expect(film.then(DisplayTransform(rotation: .quarter)) == DisplayTransform(rotation: .half))
        #expect(
            film.then(DisplayTransform(isReflected: true))
                == DisplayTransform(rotation: .threeQuarters, isReflected: true))
        #expect(film.then(DisplayTransform(rotation: .half)).size(width: 1024, height: 768) == (768, 1024))
    }

    /// Pixels and fractions agree, so that the touch hits what is drawn.
    @Test(arguments: DisplayTransform.all)
    func aRectangleLiesWhereItsCornersLie(transform: DisplayTransform) {
        let display = (width: 400, height: 200)
        let viewer = transform.size(width: display.width, height: display.height)
        let surface = OSDLayout.Rectangle(x: 10, y: 150, width: 80, height: 40)
        let placed = transform.place(surface, displayWidth: display.width, displayHeight: display.height)
        let corners = [(surface.x, surface.y), (surface.x + surface.width, surface.y + surface.height)].map { x, y in
            transform.place(x: Double(x) / Double(viewer.width), y: Double(y) / Double(viewer.height))
        }
        let left = (min(corners[0].x, corners[1].x) * 400).rounded(),
            top = (min(corners[0].y, corners[1].y) * 200).rounded()
        #expect((Double(placed.x), Double(placed.y)) == (left, top))
        #expect((placed.width, placed.height) == (transform.swapsSides ? (40, 80) : (80, 40)))
    }
}
