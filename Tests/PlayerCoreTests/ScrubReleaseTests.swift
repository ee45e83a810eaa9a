import PlayerCore
import Testing

@Suite("Scrub: the finger leaves (M4, A7)")
struct ScrubReleaseTests {
    @Test("one exact seek, which does not wait for the one in flight, then the film plays on")
    func interrupting() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | 25  | ^25.5 |     |           |
            film   |            | p15 |       | old | p         |
            sent   | k15        | g25 | e25.5 |     |           |
            set    | pause mute |     | loud  |     | loud play |
            thumb  | 15         | 25  | 25.5  | 25.5 | 25.48    | 25.48
            due    |            |     | 2040  | 2040 | -        | -
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.film.shown == .milliseconds(25_480))
    }

    @Test("a film that was paused stays paused")
    func paused() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            finger | v15  | ^25  |
            film   |      |      | p
            set    | mute | loud | loud pause
            """)
        #expect(!timeline.scrubber.wantsPlaying)
    }

    @Test("the frame is on the screen already: one more seek brings the sound to it")
    func align() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            finger | v15  |     | ^    |
            film   |      | p15 |      | p
            sent   | k15  |     | e15  |
            set    | mute |     | loud | loud pause
            """)
    }

    @Test("further ahead in the same group: one seek brings frame and sound")
    func goingOn() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0          | 20  | 400   | 420 | 440  | 500
            finger | v15        |     | 15.8  | 17  | ^    |
            film   |            | p15 |       |     |      | p
            sent   | k15        |     | a15.8 |     | e17  |
            set    | pause mute |     |       |     | loud | loud play
            thumb  | 15         | 15  | 15.8  | 17  | 17   | 17
            """)
    }

    @Test("without sound, further ahead in the same group: the decoder goes on, then the film plays on, without a seek")
    func goingOnInSilence() throws {
        var timeline = ScrubTimeline { $0.hasSound = false }
        try timeline.expect(
            """
            ms     | 0          | 20  | 400   | 420 | 440 | 500
            finger | v15        |     | 15.8  | 17  | ^   |
            film   |            | p15 |       |     |     | p
            sent   | k15        |     | a15.8 |     | a17 |
            set    | pause mute |     |       |     |     | loud play
            thumb  | 15         | 15  | 15.8  | 17  | 17  | 17
            """)
        #expect(!timeline.scrubber.isSeeking)
    }

    @Test(
        "without sound, it goes on to a frame that begins elsewhere: one more seek makes the time asked for the film's own",
        arguments: [15.2, 16.4])
    func goingOnToAnother(place: Double) throws {
        var timeline = ScrubTimeline { $0.hasSound = false }
        try timeline.expect(
            """
            ms     | 0          | 20  | 400   | 420 | 440       | 500
            finger | v15        |     | 15.8  | ^   |           |
            film   |            | p15 |       |     | p\(place) | p
            sent   | k15        |     | a15.8 |     | e15.8     |
            set    | pause mute |     |       |     | loud      | loud play
            """)
    }

    @Test("without sound, the frame is on the screen already: the film plays on at once")
    func shownInSilence() throws {
        var timeline = ScrubTimeline { $0.hasSound = false }
        try timeline.expect(
            """
            finger | v15        |     | ^         |
            film   |            | p15 |           |
            sent   | k15        |     |           |
            set    | pause mute |     | loud play |
            """)
    }

    @Test("without sound, a seek on its way to the frame, or to one before it, is not made void")
    func onItsWayInSilence() throws {
        var timeline = ScrubTimeline { $0.hasSound = false }
        try timeline.expect(
            """
            ms     | 0          | 20  | 1000   | 1020 | 1100
            finger | v15        |     | 13     | ^    |
            film   |            | p15 |        |      | p
            sent   | k15        |     | k13>13 |      |
            set    | pause mute |     |        |      | loud play
            """)
        try timeline.expect(
            """
            ms     | 2000       | 2020 | 3000   | 3020  | 3100  | 3200
            finger | v15        |      | 13     | ^13.4 |       |
            film   |            | p15  |        |       | p     | p
            sent   | k15        |      | k13>13 |       | a13.4 |
            set    | pause mute |      |        |       |       | loud play
            """)
        // In another group, or before its target, it is.
        for place in ["25", "12.5"] {
            var timeline = ScrubTimeline { $0.hasSound = false }
            try timeline.expect(
                """
                ms     | 0          | 20  | 1000   | 1020      | 1100
                finger | v15        |     | 13     | ^\(place) |
                film   |            | p15 |        |           | p
                sent   | k15        |     | k13>13 | e\(place) |
                set    | pause mute |     |        | loud      | loud play
                """)
        }
    }

    @Test("without sound, what is to go on in another way, or stands at a preview seek's frame, comes with one seek")
    func seekInSilence() throws {
        var timeline = ScrubTimeline { $0.hasSound = false }
        try timeline.expect(
            """
            finger | v15        |     |       | ^    |
            viewer |            |     | again |      |
            film   |            | p15 |       |      | p
            sent   | k15        |     |       | e15  |
            set    | pause mute |     |       | loud | loud play
            """)
        try timeline.expect(
            """
            ms     | 200        | 220 | 240 | 260  | 280
            finger | v15        | 50    |     | ^50 |
            film   |            | p15   | p50 |     | p
            sent   | k15        | g50.1 |     | e50 |
            set    | pause mute |       |     | loud | loud play
            """)
    }

    @Test("where the decoder cannot go on, it is a seek")
    func goingOnFails() throws {
        var timeline = ScrubTimeline(playing: false) { $0.hasSound = false }
        try timeline.expect(
            """
            ms     | 0    | 20  | 400  | 420  | 440
            finger | v15  |     | ^17  |      |
            film   |      | p15 |      | fail | p
            sent   | k15  |     | a17  | e17  |
            set    | mute |     |      | loud | loud pause
            """)
    }

    @Test("a frame that the decoder is on its way past is sought anew, not gone on to")
    func passedBy() throws {
        var timeline = ScrubTimeline(playing: false) { $0.hasSound = false }
        try timeline.expect(
            """
            ms     | 0    | 20  | 400 | 420   | 440   | 500
            finger | v15  |     | ^17 | v16.2 | ^     |
            film   |      | p15 |     |       |       | p
            sent   | k15  |     | a17 |       | e16.2 |
            set    | mute |     |     | mute  | loud  | loud pause
            """)
    }

    @Test("a tap on the bar jumps")
    func tap() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   | at 7       |      | p
            finger | v42        | ^    |
            sent   | k42        | e42  |
            set    | pause mute | loud | loud play
            thumb  | 42         | 42   | 42
            """)
    }

    @Test("cancel: the time and the state from before")
    func cancel() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   | at 7       |    |      | p         |
            finger | v15        | 25 | x    |           |
            sent   | k15        |    | e7   |           |
            set    | pause mute |    | loud | loud play |
            thumb  | 15         | 25 | 7    | 7         | 7
            """)
    }

    @Test("a lift that is taken back: the time from before, whether the last seek is done or not, and once")
    func takenBack() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   | at 7       |      |      | p         |
            finger | v15        | ^25  | x    |           | x
            sent   | k15        | e25  | e7   |           |
            set    | pause mute | loud | loud | loud play |
            thumb  | 15         | 25   | 7    | 7         | 7
            """)
        timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            film   | at 7 |      | p          |    | p          |
            finger | v15  | ^25  |            | x  |            |
            sent   | k15  | e25  |            | e7 |            |
            thumb  | 15   | 25   | 25         | 7  | 7          | 7
            """)
    }

    @Test("a lift is not taken back once something else was asked for")
    func takenBackTooLate() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            film   | at 7 |     | p |     | p |
            finger | v15  | ^25 |   |     |   | x
            viewer |      |     |   | j40 |   |
            sent   | k15  | e25 |   | e40 |   |
            thumb  | 15   | 25  | 25 | 40 | 40 | 40
            """)
    }

    @Test("cancel before anything was sent sends nothing")
    func cancelRemote() throws {
        var timeline = ScrubTimeline { $0.mediaInfo.isLocal = false }
        try timeline.expect(
            """
            film   | at 7  |    |           |
            finger | v15   | 25 | x         |
            sent   |       |    |           |
            set    | pause |    | loud play |
            thumb  | 15    | 25 | 7         | 7
            """)
    }

    @Test("play and pause during a drag, or while its last seek is under way, count after it")
    func playingCounts() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        |       | ^    |            |
            viewer |            | pause |      |            |
            film   |            |       |      | p          |
            set    | pause mute |       | loud | loud pause |
            """)
        try timeline.expect(
            """
            ms     | 200  | 220  | 240        | 260  | 280
            finger | v40  | ^    |            |      |
            viewer |      | play | pause play |      |
            film   |      |      |            |      | p
            set    | mute | loud |            |      | loud play
            """)
    }

    @Test("a finger that comes back before the last frame has come waits for it, and goes on from there")
    func touchDownWhileSettling() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | ^    | v30  | 35 |     |     | ^    |           |
            film   |            |      |      |    | p   | p35 |      | p         |
            sent   | k15        | e15  |      |    | g35 |     | e35  |           |
            set    | pause mute | loud | mute |    |     |     | loud | loud play |
            thumb  | 15         | 15   | 30   | 35 | 35  | 35  | 35   | 35        | 35
            """)
    }

    @Test("a second drag cancelled before the first one's frame has come goes back to the first one's target")
    func cancelWhileSettling() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | ^    | v30  | x    |
            film   |            |      |      |      | p
            sent   | k15        | e15  |      | e15  |
            set    | pause mute | loud | mute | loud | loud play
            """)
    }

    @Test("a release without key frames known, and at the ends of the bar")
    func ends() throws {
        var timeline = ScrubTimeline(knowsKeyframes: false)
        try timeline.expect(
            """
            finger | v15   | ^100   |   | v50   | ^0 |
            film   |       |        | p |       |    | p
            sent   | k15>- | e99.96 |   | k50>- | e0 |
            thumb  | 15    | 99.96  |   | 50    | 0  | 0
            """)
    }

    @Test("a drag ends even where the film can no longer be sought in")
    func unseekable() throws {
        for ending in ["^", "x"] {
            var timeline = ScrubTimeline { $0.mediaInfo.isLocal = false }
            try timeline.expect(
                """
                film   | at 7  | unseekable |
                finger | v15   |            | \(ending)
                sent   |       |            |
                set    | pause |            | loud play
                thumb  | 15    |            | 7
                due    |       |            | -
                """)
            #expect(!timeline.scrubber.isSeeking)
        }
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | 25 |         | ^    |
            film   |            |    | endless |      | p
            sent   | k15        |    |         | e25  |
            set    | pause mute |    |         | loud | loud play
            """)
    }
}
