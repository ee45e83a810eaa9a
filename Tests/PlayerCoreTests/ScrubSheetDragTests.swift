import PlayerCore
import Testing

@Suite("Scrub: a finger drags a film that has a scrub sheet (N11)")
struct ScrubSheetDragTests {
    private func timeline(playing: Bool = false) -> ScrubTimeline {
        var timeline = ScrubTimeline(playing: playing)
        timeline.scrubber.hasSheet = true
        return timeline
    }

    @Test("while the finger runs nothing is sought; where it rests the very frame is")
    func rest() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            ms     | 0   | 20 | 40 | 60  | 120    | 160 | 300
            finger | v15 | 25 | 35 | 45  |        |     |
            film   |     |    |    |     |        | p45 |
            sent   |     |    |    |     | k45>45 |     |
            thumb  | 15  | 25 | 35 | 45  | 45     | 45  | 45
            due    |     |    |    | 120 |        | -   | -
            """)
        #expect(timeline.scrubber.isThere)
    }

    @Test("the film's own frame is seen from where it comes to where the finger leaves it")
    func isThere() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            ms     | 0   | 20 | 100    | 140
            finger | v15 | 25 |        |
            film   |     |    |        | p25
            sent   |     |    | k25>25 |
            """)
        #expect(timeline.scrubber.isThere)
        try timeline.expect("ms | 400\nfinger | 60")
        #expect(!timeline.scrubber.isThere)
    }

    @Test("one that runs over the frame that is shown does not stop there")
    func runsOver() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            ms     | 0   | 100    | 140 | 400 | 420 | 440
            finger | v45 |        |     | 35  | 45  | 55
            film   |     |        | p45 |     |     |
            sent   |     | k45>45 |     |     |     |
            """)
        #expect(!timeline.scrubber.isThere)
    }

    @Test("one that leaves the sheet for the frame that is shown stops there")
    func leavesSheet() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            ms     | 0   | 100    | 140 | 400 |
            finger | v45 |        |     | 35  |
            film   |     |        | p45 |     |
            sent   |     | k45>45 |     |     |
            """)
        #expect(!timeline.scrubber.isThere)
        timeline.scrubber.hasSheet = false
        try timeline.expect(
            """
            ms     | 420 |
            finger | 45  |
            """)
        #expect(timeline.scrubber.isThere)
    }

    @Test("a lift in full motion seeks the very frame, and nothing before it")
    func lift() throws {
        var timeline = timeline(playing: true)
        try timeline.expect(
            """
            finger | v15        | 25 | 35 | ^45 |           |
            film   |            |    |    |     | p45       |
            sent   |            |    |    | e45 |           |
            set    | pause mute |    |    | loud | loud play |
            """)
        #expect(!timeline.scrubber.isSeeking)
    }

    @Test("a drag that is cancelled before anything was sought leaves the film where it is")
    func cancelled() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            finger | v15 | 25 | x
            sent   |     |    |
            thumb  | 15  | 25 | 0
            """)
        #expect(!timeline.scrubber.isSeeking)
    }

    @Test("a slow finger has each frame, which comes in time")
    func slow() throws {
        var timeline = timeline()
        try timeline.expect(
            """
            ms     | 0   | 60     | 100 | 300    | 340 | 500
            finger | v15 |        |     | 15.04  |     | 15.08
            film   |     |        | p15 |        | p   |
            sent   |     | k15>15 |     | a15.04 |     | a15.08
            """)
    }

    @Test("a rebuilt pipeline has none until it gets one")
    func lost() throws {
        var timeline = timeline()
        _ = timeline.scrubber.handle(.lost, at: .milliseconds(1000))
        #expect(!timeline.scrubber.hasSheet)
    }
}
