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

    @Test func normalizingMovesTheThumbLessThanASixteenthOfAPixel() {
        for step in 0...999 {
            let fraction = Double(step) / 999
            let moved = model(thumb: fraction).normalized(for: layout).bar?.thumb ?? -1
            #expect(abs(layout.thumbX(at: moved) - layout.thumbX(at: fraction)) <= 1.0 / 16 + 1e-9)
        }
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
