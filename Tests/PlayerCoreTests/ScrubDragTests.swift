import PlayerCore
import Testing

@Suite("Scrub: a finger drags (M3, M4, M7, N1)")
struct ScrubDragTests {
    @Test("one seek is in flight, the newest waits and goes out with the frame, older ones are forgotten (M7)")
    func oneInFlight() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | 25 | 35 | 45    | 55 |    |       |
            film   |            |    |    | p     |    |    | p     |
            sent   | k15        |    |    | g40.1 |    |    | g60.1 |
            set    | pause mute |    |    |       |    |    |       |
            thumb  | 15         | 25 | 35 | 45    | 55 | 55 | 55    | 55
            """)
    }

    @Test("inside the group the decoder goes on; back it is from the key frame, to the very frame (N1)")
    func insideTheGroup() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0    | 50  | 600   | 650 | 1000   | 1050 | 1500
            finger | v15  |     | 15.4  |     | 13     |      | 33
            film   |      | p15 |       | p   |        | p    |
            sent   | k15  |     | a15.4 |     | k13>13 |      | k33
            set    | mute |     |       |     |        |      |
            due    |      | -   |       | -   |        | -    |
            """)
    }

    @Test(
        "the decoder on its way through a group that the finger leaves is called off: nothing of that group comes any more"
    )
    func leavingTheGroup() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0    | 20  | 400 | 420 | 440
            finger | v15  |     | 17  | 19  | 21
            film   |      | p15 |     |     |
            sent   | k15  |     | a17 |     | k30.1>30
            thumb  | 15   | 15  | 17  | 19  | 21
            """)
    }

    @Test("a decoder at work in the group where the finger will be is not called off before the finger is there")
    func aheadOfTheFinger() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0    | 43  | 400 | 410  | 420 | 430            | 440 | 450    | 460
            finger | v15  |     | 17  | 17.5 | 18  | 18.5           |     | 19.5   | 19.9
            film   |      | p15 |     |      |     |                | p   |        |
            sent   | k15  |     | a17 |      |     | k21.6575>20.04 |     | a20.28 |
            """)
    }

    @Test("fast: key frames; at rest: the very frame, once, and no more wake-ups (N1)")
    func rest() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20 | 40 | 50    | 70  | 100    | 150 | 200 | 2200
            finger | v15 | 35 | 55 |       |     |        |     |     |
            film   |     |    |    | p     | p60 |        | p   |     |
            sent   | k15 |    |    | g60.1 |     | k55>55 |     |     |
            due    |     |    |    |       | 100 |        | -   | -   | -
            """)
    }

    @Test("a finger that moves slowly sees every frame it passes (N1)")
    func slow() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0   | 20  | 220    | 260 | 420    | 460 | 620    | 660
            finger | v15 |     | 15.04  |     | 15.08  |     | 15.12  |
            film   |     | p15 |        | p   |        | p   |        | p
            sent   | k15 |     | a15.04 |     | a15.08 |     | a15.12 |
            """)
    }

    @Test("where no key frame is known each is sought once; the very frame follows at rest")
    func unknownKeyframes() throws {
        var timeline = ScrubTimeline(knowsKeyframes: false)
        try timeline.expect(
            """
            ms     | 0     | 20 | 40 | 50    | 70  | 100    | 150 | 200
            finger | v15   | 35 | 55 |       |     |        |     |
            film   |       |    |    | p     | p50 |        | p   |
            sent   | k15>- |    |    | k60>- |     | k55>55 |     |
            due    |       |    |    |       | 100 |        | -   | -
            """)
    }

    @Test("remote media: thumb and text only, one seek at touch-up (M4)")
    func remote() throws {
        var timeline = ScrubTimeline { $0.mediaInfo.isLocal = false }
        try timeline.expect(
            """
            ms     | 0     | 20 | 40 | 500 | 520 | 540   | 900
            film   | at 7  |    |    |     |     |       | p
            finger | v15   | 25 | 35 |     | 36  | ^     |
            sent   |       |    |    |     |     | e36   |
            set    | pause |    |    |     |     | loud  | loud play
            thumb  | 15    | 25 | 35 | 35  | 36  | 36    | 36
            due    | -     | -  | -  | -   | -   | 20540 | -
            """)
    }

    @Test("sound alone shows nothing while it is dragged; it is settled when all streams are there")
    func soundOnly() throws {
        var timeline = ScrubTimeline { $0.mediaInfo.hasVideo = false }
        try timeline.expect(
            """
            finger | v15   | 25 | ^    |         |
            film   |       |    |      | settled |
            sent   |       |    | e25  |         |
            set    | pause |    | loud | loud play |
            thumb  | 15    | 25 | 25   | 25      | 25
            due    | -     | -  |      | -       | -
            """)
    }

    @Test("a finger whose moves are read late does not rest: only a wake decides that (N1)")
    func lateMoves() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20 | 200  | 220 | 300
            finger | v15 | 25 | 35   |     |
            film   |     |    | p15  |     | p
            sent   | k15 |    | g35  |     | k35>35
            """)
    }

    @Test("position reports do not move a held thumb, nor one that waits for its frame (M3)")
    func reports() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   | at 7 |     | at 3 |     | at 3 | p  | at 26
            finger |      | v15 |      | ^25 |      |    |
            thumb  | 7    | 15  | 15   | 25  | 25   | 25 | 26
            """)
    }

    @Test(
        "a finger at rest wakes nobody for ever, whatever the film says of its frames",
        arguments: [nil, 0, 1, 20, 41, 1000, 3_600_000] as [Int64?])
    func wrongFrameDuration(milliseconds: Int64?) throws {
        var timeline = ScrubTimeline { $0.mediaInfo.frameDuration = milliseconds.map(MediaTime.milliseconds) }
        try timeline.expect("finger | v15 | 35 | 55")
        var seeks = 0
        for step in 0..<200 where timeline.film.pending != nil || timeline.scrubber.deadline != nil {
            if timeline.film.pending != nil { seeks += 1 }
            try timeline.expect(
                """
                ms   | \(60 + step * 20)
                film | \(timeline.film.pending == nil ? "" : "p")
                """)
        }
        #expect(timeline.scrubber.deadline == nil)
        #expect(seeks < 10)
        if milliseconds ?? 40 <= 41 { #expect(timeline.film.shown == .seconds(55)) }
    }
}
