import Testing

@testable import KMS

@Suite("Modes that suit a film, and modes that are left when one is refused (S2)")
struct ModeRuleTests {
    private static let rates = [23_976, 24_000, 25_000, 29_970, 30_000, 50_000, 59_940, 60_000, 100_000, 119_880]
    private func hd(_ millihertz: Int, interlaced: Bool = false) -> DisplayMode {
        DisplayMode(width: 1920, height: 1080, refreshMillihertz: millihertz, isInterlaced: interlaced)
    }

    private func match(_ frameDuration: Int, _ rates: [Int], present: Int) -> Int? {
        ModeRule.matching(frameDuration: frameDuration, in: rates.map { hd($0) }, present: hd(present))?
            .refreshMillihertz
    }

    @Test(
        "A television's rates: the lowest whole multiple from 48 Hz on, else the film's own; 1000/1001 is another",
        arguments: [
            (41_666_667, 24_000), (41_708_333, 119_880), (40_000_000, 50_000), (33_333_333, nil), (33_366_667, 59_940),
            (20_000_000, 50_000), (16_666_667, nil), (16_683_333, 59_940),
        ] as [(Int, Int?)])
    func television(frameDuration: Int, expected: Int?) {
        #expect(match(frameDuration, Self.rates, present: 60_000) == expected)
    }

    @Test("A mode that suits as well as the best stays: each change makes the display dark")
    func present() {
        #expect(match(40_000_000, Self.rates, present: 100_000) == nil)
        #expect(match(41_666_667, [24_000, 48_000, 60_000, 72_000], present: 72_000) == nil)
        #expect(
            match(41_666_667, [24_000, 48_000, 60_000, 72_000], present: 24_000) == 48_000, "the OSD moves at it too")
    }

    @Test("A rate of 1000/1001 beside the film's is taken for want of the right one")
    func sibling() {
        #expect(match(41_708_333, [24_000, 60_000], present: 60_000) == 24_000)
        #expect(match(33_366_667, [50_000, 60_000], present: 60_000) == nil)
        #expect(match(33_366_667, [50_000, 60_000], present: 50_000) == 60_000)
    }

    @Test("A rate as a pixel clock gives it is as good as the round one")
    func nearly() {
        #expect(match(20_000_000, [49_990, 60_004], present: 60_004) == 49_990)
        #expect(match(16_666_667, [49_990, 60_004], present: 49_990) == 60_004)
    }

    @Test("Nothing suits, nothing is known, other sizes and interlaced modes: no change")
    func nothing() {
        #expect(match(40_000_000, [60_000, 75_000], present: 60_000) == 75_000)
        #expect(match(40_000_000, [60_000], present: 60_000) == nil)
        #expect(match(0, Self.rates, present: 60_000) == nil)
        #expect(match(2_000_000, Self.rates, present: 60_000) == nil, "500 frames a second")
        let others = [hd(50_000, interlaced: true), DisplayMode(width: 1280, height: 720, refreshMillihertz: 50_000)]
        #expect(ModeRule.matching(frameDuration: 20_000_000, in: others, present: hd(60_000)) == nil)
    }

    @Test("After a refused mode come its size at other rates, then smaller sizes, fields last; nothing larger")
    func fallbacks() {
        let all = Inventories.televisionModes
        let list = ModeRule.fallbacks(from: Inventories.hd60, in: all).map(\.description)
        #expect(
            list == [
                "1920x1080@59.94", "1920x1080@50", "1920x1080@24", "1920x1080@120", "1280x720@60", "640x480@59.94",
                "1920x1080@60i",
            ])
        #expect(ModeRule.fallbacks(from: Inventories.vga, in: all).isEmpty)
    }

    @Test("A refused mode is reported as a warning and as a reason")
    func refusal() throws {
        var choice = try DisplayChoice.choose(from: Inventories.vkms(modes: Inventories.televisionModes))
        #expect(choice.fallbackModes.first?.description == "1920x1080@59.94")
        choice.refuse(choice.mode, because: "Invalid argument (22)")
        #expect(choice.refusals == ["mode 1920x1080@60 is not possible: Invalid argument (22)"])
        #expect(choice.reasons.last == choice.refusals.last)
    }
}
