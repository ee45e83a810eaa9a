import PlayerCore
import Testing

@Suite struct OSDModelTests {
    @Test(
        arguments: [
            (MediaTime.seconds(5), MediaTime.seconds(7384), "00:00:05 / 02:03:04"),
            (.milliseconds(59_999), .seconds(60), "00:00:59 / 00:01:00"),
            (nil, .seconds(60), " --  / 00:01:00"),
            (.seconds(1), nil, "00:00:01 /  -- "),
            (nil, nil, " --  /  -- "),
        ] as [(MediaTime?, MediaTime?, String)])
    func timeTextM5(position: MediaTime?, duration: MediaTime?, text: String) {
        #expect(OSDModel.timeText(position: position, duration: duration) == text)
    }

    @Test(
        arguments: [
            (.zero, .seconds(7384), "-02:03:04"),
            (.seconds(5), .seconds(7384), "-02:02:59"),
            // Both parts are cut, as in the text that counts up.
            (.milliseconds(59_999), .milliseconds(60_500), "-00:00:01"),
            (.seconds(60), .milliseconds(60_500), "-00:00:00"),
            (.seconds(61), .seconds(60), "-00:00:00"),
            (nil, .seconds(60), " --  / 00:01:00"),
            (.seconds(1), nil, "00:00:01 /  -- "),
        ] as [(MediaTime?, MediaTime?, String)])
    func remainingText(position: MediaTime?, duration: MediaTime?, text: String) {
        #expect(OSDModel.remainingText(position: position, duration: duration) == text)
    }

    private let layout = OSDLayout(displayWidth: 1024, displayHeight: 768, millimetres: nil)

    private func model(thumb: Double) -> OSDModel {
        OSDModel(isVisible: true, bar: .init(thumb: thumb), timeText: "00:00:01 / 00:00:10", title: "Film")
    }

    @Test func movesTooSmallToBeSeenAreEqual() {
        let pixel = 1 / Double(layout.track.width)
        #expect(
            model(thumb: 0.5).normalized(for: layout) == model(thumb: 0.5 + pixel / 40).normalized(for: layout))
        #expect(
            model(thumb: 0.5).normalized(for: layout) != model(thumb: 0.5 + pixel / 4).normalized(for: layout))
    }

    @Test func allHiddenModelsAreEqual() {
        var hidden = model(thumb: 0.5)
        hidden.isVisible = false
        #expect(hidden.normalized(for: layout) == OSDModel().normalized(for: layout))
        #expect(model(thumb: 0.5).normalized(for: layout) != OSDModel())
    }

    @Test func withoutABarThereIsNoPreview() {
        var model = model(thumb: 0.5)
        model.preview = Widget(
            .preview, frame: layout.track, face: .preview(PictureID(number: 1), time: "00:00:05", fontSize: 18))
        #expect(model.normalized(for: layout).preview == model.preview)
        model.isLive = true
        #expect(model.normalized(for: layout).preview == nil)
    }

    @Test func normalizingMovesTheThumbLessThanASixteenthOfAPixel() {
        for step in 0...999 {
            let fraction = Double(step) / 999
            let moved = model(thumb: fraction).normalized(for: layout).bar?.thumb ?? -1
            #expect(abs(layout.thumbX(at: moved) - layout.thumbX(at: fraction)) <= 1.0 / 16 + 1e-9)
        }
    }

    @Test func `marks stand on whole pixels, each once, and none at the bar's ends`() {
        let pixel = 1 / Double(layout.track.width)
        var chaptered = model(thumb: 0.5)
        chaptered.bar?.marks = [0, pixel / 4, 0.25, 0.25 + pixel / 8, 0.75, 1, 2, .nan]
        let marks = chaptered.normalized(for: layout).bar?.marks ?? []
        #expect(marks.count == 2)
        for (mark, wanted) in zip(marks, [0.25, 0.75]) { #expect(abs(mark - wanted) <= pixel / 2) }
        let columns = marks.map { layout.markColumns(at: $0) }
        #expect(columns.allSatisfy { $0.count == layout.markWidth })
        #expect(
            columns.allSatisfy { $0.lowerBound > layout.track.x && $0.upperBound < layout.track.x + layout.track.width }
        )
        var moved = chaptered
        moved.bar?.marks[2] += pixel / 20
        #expect(moved.normalized(for: layout) == chaptered.normalized(for: layout))
        moved.bar?.marks[2] += 3 * pixel
        #expect(moved.normalized(for: layout) != chaptered.normalized(for: layout))
    }

    @Test func liveMediaHaveNoBarM11() {
        var live = model(thumb: 0.5)
        live.isLive = true
        #expect(live.normalized(for: layout).bar == nil)
    }

    @Test func aFractionThatIsNoNumberCountsAsTheStart() {
        #expect(model(thumb: .nan).normalized(for: layout) == model(thumb: 0).normalized(for: layout))
    }
}
