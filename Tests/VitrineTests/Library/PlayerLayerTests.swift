import Dispatch
import PlayerCore
import Testing

@testable import Vitrine

@Suite("A layer's gravity and rectangle (A1, S3, S4)")
struct PlayerLayerTests {
    private final class Mark {}

    @Test("a player is shown by the layer that came last, whichever goes first")
    func preloading() async {
        let engine = ScriptedMedia()
        let player = Player(engine: engine, actionAtItemEnd: .rewind)
        let (first, second) = (Mark(), Mark())
        let areas = [1, 2, 3].map { PlayerLayer.Rectangle(x: 0, y: 0, width: 100 * $0, height: 100) }
        player.core.show(on: nil, in: areas[0], by: ObjectIdentifier(first))
        player.core.show(on: nil, in: areas[1], by: ObjectIdentifier(second))
        player.core.hide(by: ObjectIdentifier(first))
        player.core.showElsewhere(on: nil, in: areas[2], by: ObjectIdentifier(first))
        player.core.showElsewhere(on: nil, in: areas[2], by: ObjectIdentifier(second))
        player.core.hide(by: ObjectIdentifier(second))
        player.core.outbox.sync {}
        #expect(engine.areas == [areas[0], areas[1], areas[2], nil])
        await player.close()
    }

    struct Case: CustomTestStringConvertible {
        var film: PlayerItem.Size
        var gravity = VideoGravity.resizeAspect
        var transform = DisplayTransform.identity
        var area = PlayerLayer.Rectangle(x: 0, y: 0, width: 1280, height: 720)
        var place: PlayerLayer.Rectangle

        var testDescription: String { "\(film.width)x\(film.height), \(gravity), \(transform), \(area)" }
    }

    /// On a display of 1280x720.
    static let cases = [
        Case(film: .init(width: 640, height: 360), place: .init(x: 0, y: 0, width: 1280, height: 720)),
        Case(film: .init(width: 640, height: 480), place: .init(x: 160, y: 0, width: 960, height: 720)),
        Case(film: .init(width: 1280, height: 534), place: .init(x: 0, y: 93, width: 1280, height: 534)),
        Case(
            film: .init(width: 640, height: 480), gravity: .resizeAspectFill,
            place: .init(x: 0, y: 0, width: 1280, height: 720)),
        Case(
            film: .init(width: 640, height: 480), gravity: .resize,
            place: .init(x: 0, y: 0, width: 1280, height: 720)),
        // Upright, 720 wide and 1280 high for the viewer: 720x540 in its middle.
        Case(
            film: .init(width: 640, height: 480), transform: DisplayTransform(rotation: .quarter),
            place: .init(x: 370, y: 0, width: 540, height: 720)),
        Case(
            film: .init(width: 640, height: 480), transform: DisplayTransform(rotation: .half),
            place: .init(x: 160, y: 0, width: 960, height: 720)),
        // In a part of it.
        Case(
            film: .init(width: 640, height: 360), area: .init(x: 100, y: 60, width: 640, height: 480),
            place: .init(x: 100, y: 120, width: 640, height: 360)),
        Case(
            film: .init(width: 640, height: 480), area: .init(x: 600, y: 0, width: 640, height: 360),
            place: .init(x: 680, y: 0, width: 480, height: 360)),
        Case(
            film: .init(width: 640, height: 480), gravity: .resizeAspectFill,
            area: .init(x: 600, y: 0, width: 640, height: 360),
            place: .init(x: 600, y: 0, width: 640, height: 360)),
        Case(
            film: .init(width: 640, height: 480), gravity: .resize, area: .init(x: 600, y: 0, width: 640, height: 360),
            place: .init(x: 600, y: 0, width: 640, height: 360)),
        // 200 wide and 300 high for the viewer: 200x150 in its middle, which is 150 wide and 200 high on the display.
        Case(
            film: .init(width: 640, height: 480), transform: DisplayTransform(rotation: .quarter),
            area: .init(x: 1000, y: 500, width: 300, height: 200),
            place: .init(x: 1075, y: 500, width: 150, height: 200)),
        Case(
            film: .init(width: 640, height: 480), transform: DisplayTransform(rotation: .half),
            area: .init(x: 0, y: 500, width: 300, height: 200),
            place: .init(x: 16, y: 500, width: 268, height: 200)),
    ]

    @Test("where films stand on a display", arguments: cases)
    func place(_ one: Case) {
        #expect(one.gravity.place(one.film, in: one.area, one.transform) == one.place)
    }

    @Test("the gravity reaches the engine once for each change, also while a film plays, and before there is one")
    func gravity() async {
        let media = ScriptedMedia()
        var options = PlayerOptions()
        options.gravity = .resize
        let player = Player(engine: media, actionAtItemEnd: .rewind, options: options)
        for gravity in [.resize, .resizeAspect, .resizeAspect] as [VideoGravity] {
            player.core.command(.setGravity(gravity))
        }
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        player.core.command(.setGravity(.resizeAspectFill))
        await player.close()
        let reported = media.commands.compactMap { if case .setGravity(let gravity) = $0 { gravity } else { nil } }
        #expect(reported == [.resizeAspect, .resizeAspectFill])
    }
}
