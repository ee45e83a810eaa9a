import PlayerCore
import Testing

/// On this display 1 % of the track is 9 pixels, and 3 mm are 20.
@Suite("Slider: a finger that rests, trembles, or never lifts (B1, B2, N13)")
struct SliderRestTests {
    @Test("a tremble reports nothing from its first turn on, and the release is the resting place")
    func tremble() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
             16 move 0 bar 40%     -> valueChanged 40%
             26 move 0 bar 39.6%
             36 move 0 bar 40%
             46 move 0 bar 39.5%
             56 move 0 bar 40%
            600 move 0 bar 41.8%
            616 move 0 bar 38.2%
            632 move 0 bar 41.8%
            640 up 0               -> touched, touchUp 40%
            """)
    }

    @Test("wherever a panel reports a resting finger within 3 mm, it stands", arguments: 1...20 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var random = ScrubRandom(seed: seed)
        var slider = Slider()
        let radius = SliderTimeline.layout.restRadius / 2
        var values: [Double] = []
        for report in 0..<7_000 {
            let place = SliderTimeline.onBar(0.5)
            func off() -> Double { (Double(random.below(2001)) / 1000 - 1) * radius * 0.7 }
            let finger = Finger(
                slot: 0, panel: SliderTimeline.panel.id,
                x: place.x + off() / Double(SliderTimeline.layout.displayWidth),
                y: place.y + off() / Double(SliderTimeline.layout.displayHeight),
                time: .milliseconds(Int64(report) * 10))
            let outputs = slider.handle(
                report == 0 ? .down(finger) : .motion(finger), layout: SliderTimeline.layout, isBarVisible: true,
                hasBar: true)
            guard report > 50 else { continue }
            for case .slider(.valueChanged(let value, _)) in outputs { values.append(value) }
        }
        #expect(values.isEmpty)
        #expect(slider.deadline == .milliseconds(60_000), "a tremble is no motion")
    }

    @Test("a slow finger is followed at each report, and back by more than a panel's noise")
    func slow() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            100 move 0 bar 21%     -> valueChanged 21%
            200 move 0 bar 22%     -> valueChanged 22%
            300 move 0 bar 23%     -> valueChanged 23%
            400 move 0 bar 24%     -> valueChanged 24%
            500 move 0 bar 23%     -> valueChanged 23%
            600 move 0 bar 22%     -> valueChanged 22%
            700 up 0               -> touched, touchUp 22%
            """)
    }

    @Test("a finger that has rested moves on at once, once it has left its place")
    func movesOn() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 21.9%
            908 move 0 bar 23%     -> valueChanged 23%
            916 move 0 bar 24%     -> valueChanged 24%
            932 move 0 bar 24.6%   -> valueChanged 25%
            940 up 0               -> touched, touchUp 25%
            """)
    }

    @Test(
        "a single report far from a resting finger is not followed; one nearby comes back with the next, or with the lift",
        arguments: [
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 50%
            916 move 0 bar 20.3%
            966 wake
            980 up 0               -> touched, touchUp 20%
            """,
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 50%
            916 up 0               -> touched, touchUp 20%
            """,
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 25%     -> valueChanged 25%
            916 move 0 bar 20.5%   -> valueChanged 20%
            932 move 0 bar 25%     -> valueChanged 25%
            940 up 0               -> valueChanged 20%, touched, touchUp 20%
            """,
        ])
    func spike(story: String) throws {
        try SliderTimeline.expect(story)
    }

    @Test(
        "what nothing contradicts for 50 ms is true",
        arguments: [
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 50%
            949 wake
            950 wake               -> valueChanged 50%
            980 up 0               -> touched, touchUp 50%
            """,
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
            900 move 0 bar 50%
            960 up 0               -> valueChanged 50%, touched, touchUp 50%
            """,
        ])
    func believed(story: String) throws {
        try SliderTimeline.expect(story)
    }

    @Test("a contact that does not move for a minute is void: as cancelled, and the next finger finds the panel free")
    func void() throws {
        let slider = try SliderTimeline.expect(
            """
                 0 down 0 bar 20%  -> touched, touchDown 20%
             20000 move 0 bar 21%
             40000 move 0 bar 50%
             40016 move 0 bar 20%
             59999 wake
             60000 wake            -> void 0, touched, cancel
             60010 move 0 bar 70%
             61000 down 1 bar 60%  -> touched, touchDown 60%
             61500 up 1            -> touched, touchUp 60%
             62000 down 1 film 50% -> touched
             62080 up 1            -> touched, tap hides
             70000 up 0
            """)
        #expect(slider.fingersDown == 0 && slider.deadline == nil)
    }

    @Test("a motion puts the minute off")
    func putOff() throws {
        try SliderTimeline.expect(
            """
                 0 down 0 bar 20%  -> touched, touchDown 20%
             50000 move 0 bar 30%  -> valueChanged 30%
             50016 move 0 bar 30%
             60000 wake
            110015 wake
            110016 wake            -> void 0, touched, cancel
            """)
    }

    @Test("a finger that lies on the film keeps no other one from tapping it")
    func tapBesideARestingFinger() throws {
        try SliderTimeline.expect(
            """
                 0 down 0 film 2%  -> touched
              1000 down 1 film 50% -> touched
              1080 up 1            -> touched, tap hides
              2000 down 1 film 50% -> touched
              2080 up 1            -> touched, tap hides
             60000 wake            -> void 0, touched
            """)
    }

    @Test("a palm that comes first owns the drag until it is lifted or void; the film does not jump to another finger")
    func palmFirst() throws {
        try SliderTimeline.expect(
            """
                 0 down 0 bar 40%  -> touched, touchDown 40%
                 2 down 1 film 41% -> touched
                 4 down 2 bar 42%  -> touched
                 6 down 3 bar 60%  -> touched
                20 move 3 bar 80%
               500 up 3            -> touched
              5500 up 0            -> touched, touchUp 40%
              5501 up 1            -> touched
              5502 up 2            -> touched
            """)
    }

    @Test("a cancel right after the lift takes it back, until another touch")
    func takenBack() throws {
        try SliderTimeline.expect(
            """
              0 down 0 bar 20%     -> touched, touchDown 20%
             50 up 0               -> touched, touchUp 20%
             60 cancel 0           -> cancel
             70 cancel 0
            100 down 0 bar 30%     -> touched, touchDown 30%
            150 up 0               -> touched, touchUp 30%
            200 down 1 film 50%    -> touched
            210 cancel 0
            """)
    }
}
