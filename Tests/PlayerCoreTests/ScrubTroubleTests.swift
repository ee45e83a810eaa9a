import PlayerCore
import Testing

@Suite("Scrub: what goes wrong (M7, M8)")
struct ScrubTroubleTests {
    @Test("a seek never answered: the pipeline is built anew at its target after 2 s, and plays on")
    func neverAnswered() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20   | 2010 | 2020       | 2100  | 2120
            finger | v15 | ^40  |      |            |       |
            film   |     |      |      |            | ready | at 40
            sent   | k15 | e40  |      | rebuild 40 |       |
            thumb  | 15  | 40   | 40   | 40         | 40    | 40
            due    |     | 2020 | 2020 | -          | -     | -
            """)
        #expect(timeline.scrubber.wantsPlaying && !timeline.scrubber.isSeeking && timeline.film.isPlaying)
    }

    @Test("never answered in mid-drag: built anew where the finger is, paused; the drag goes on through it")
    func neverAnsweredInDrag() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0          | 20 | 2000       | 2020 | 2050  | 2100 | 2120 | 2140 | 2160
            finger | v15        | 25 |            | 35   |       |      |      | ^45  |
            film   |            |    |            |      | ready | p    | p    |      | p
            sent   | k15        |    | rebuild 25 |      | k35   | a35  |      | e45  |
            set    | pause mute |    |            |      | mute  |      |      | loud | loud play
            thumb  | 15         | 25 | 25         | 35   | 35    | 35   | 35   | 45   | 45
            """)
        #expect(timeline.scrubber.wantsPlaying && !timeline.scrubber.isSeeking)
        // A finger that lifts while nothing is seekable is answered by the new pipeline.
        timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0          | 20 | 2000       | 2020 | 2040 | 2060  | 2080
            finger | v15        | 25 |            | 35   | ^45  |       |
            film   |            |    |            |      |      | ready | p
            sent   | k15        |    | rebuild 25 |      |      | e45   |
            thumb  | 15         | 25 | 25         | 35   | 45   | 45    | 45
            """)
        #expect(!timeline.scrubber.isSeeking && !timeline.film.isPlaying)
        // So is a finger that is taken back.
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0          | 2000       | 2040 | 2060  | 2080
            viewer |            |            |      |       |
            finger | v15        |            | x    |       |
            film   |            |            |      | ready | p
            sent   | k15        | rebuild 15 |      | e0    |
            thumb  | 15         | 15         | 0    | 0     | 0
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.film.isPlaying)
    }

    @Test("the pipeline is lost with its display: built anew where the film is, or was going; a drag goes on (N7)")
    func lostPipeline() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0    | 20        | 40    | 60
            film   | at 7 | lost      | ready | at 7
            sent   |      | rebuild 7 |       |
            thumb  | 7    | 7         | 7     | 7
            """)
        #expect(timeline.scrubber.wantsPlaying && timeline.film.isPlaying)
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0          | 20         | 40    | 60   | 80   | 100
            finger | v15        |            |       |      | ^45  |
            film   |            | lost       | ready | p    |      | p
            sent   | k15        | rebuild 15 | k15   | a15  | e45  |
            set    | pause mute |            | mute  |      | loud | loud play
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.film.isPlaying)
        // The new pipeline starts at the last seek's target.
        timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0   | 20         | 40
            viewer | j40 |            |
            film   |     | lost       | ready
            sent   | e40 | rebuild 40 |
            thumb  | 40  | 40         | 40
            """)
        #expect(!timeline.scrubber.isSeeking && !timeline.film.isPlaying)
    }

    @Test("touches that make one another's seeks void do not put off the rebuilding for ever")
    func neverAnsweredTaps() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20  | 1500 | 1520 | 3000 | 3020 | 4500 | 4520 | 6000
            finger | v15 | ^15 | v25  | ^25  | v35  | ^35  | v45  | ^45  |
            sent   | k15 | e15 |      | e25  |      | e35  |      | e45  | rebuild 45
            """)
    }

    @Test("a seek that is on its way may take its time, but not for ever")
    func slow() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 1900     | 3800     | 5700     | 7700
            viewer | j40 |          |          |          |
            film   |     | progress | progress | progress |
            sent   | e40 |          |          |          | rebuild 40
            due    | 2000 | 3900    | 5800     | 7700     |
            """)
        timeline = ScrubTimeline()
        let seconds = (1...20).map { "\($0 * 1000)" }.joined(separator: " | ")
        try timeline.expect(
            """
            ms     | 0   | \(seconds)
            viewer | j40 |\(String(repeating: "          |", count: 19))
            film   |     |\(String(repeating: " progress |", count: 19))
            sent   | e40 |\(String(repeating: "          |", count: 19)) rebuild 40
            """)
    }

    @Test("backwards, nothing is seen of a group while it is decoded: it has its time, but not for ever")
    func slowGroup() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0    | 1900  | 19999 | 20000
            viewer | j40  |       |       |
            film   |      | group |       |
            sent   | e40  |       |       | rebuild 40
            due    | 2000 | 20000 | 20000 |
            """)
    }

    @Test("touches that make void what is on its way do not count as one that never comes back")
    func slowTaps() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20  | 1500 | 1520     | 3000 | 3020     | 4500 | 4520 | 6000 | 6520
            finger | v15 | ^15 | v25  | ^25      | v35  | ^35      | v45  | ^45  |      |
            film   |     |     |      | progress |      | progress |      |      |      |
            sent   | k15 | e15 |      | e25      |      | e35      |      | e45  |      | rebuild 45
            """)
    }

    @Test("a jump asked for while the pipeline is built anew is made then (M6)")
    func jumpWhileRebuilding() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 2000       | 2040 | 2060  | 2080
            viewer | j40 |            | j70  |       |
            film   |     |            |      | ready | p
            sent   | e40 | rebuild 40 |      | e70   |
            """)
    }

    @Test("the newest of several jumps is where the film is built anew")
    func neverAnsweredJumps() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            ms     | 0    | 1000 | 2000
            viewer | j40  | j60  |
            sent   | e40  |      | rebuild 60
            """)
        #expect(!timeline.scrubber.wantsPlaying)
    }

    @Test("a film that is closed takes its drag and all its seeks with it (M8)")
    func closed() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40 | j50 |        |       |
            film   |     |     | closed | ready | at 1
            sent   | e40 |     |        |       |
            thumb  | 40  | 50  | 0      | 0     | 1
            due    |     |     | -      | -     | -
            """)
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | 25 |        | 35 | ^ |       |
            film   |            |    | closed |    |   | ready |
            sent   | k15        |    |        |    |   |       |
            set    | pause mute |    |        |    |   |       |
            thumb  | 15         | 25 | 0      | 0  | 0 | 0     | 0
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.scrubber.wantsPlaying)
        // A jump that is remembered for a film that is never opened does not apply to another one.
        timeline = ScrubTimeline(isOpen: false)
        try timeline.expect(
            """
            viewer | j40 |        |
            film   |     | closed | ready
            sent   |     |        |
            """)
    }

    @Test("a last seek that fails gives the state back, and the time that is true")
    func lastFails() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   | at 7       |      | fail      |
            finger | v15        | ^40  |           |
            sent   | k15        | e40  |           |
            set    | pause mute | loud | loud play |
            thumb  | 15         | 40   | 7         | 7
            due    |            |      | -         | -
            """)
    }

    @Test("a seek that fails while another waits: the waiting one goes out")
    func failsWhileWaiting() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40 | j60 |      |
            film   |     |     | fail | p
            sent   | e40 |     | e60  |
            thumb  | 40  | 60  | 60   | 60
            """)
    }

    @Test("a seek of a drag that fails is not asked for again until the finger moves: no busy loop")
    func dragFails() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            ms     | 0   | 20   | 200 | 220 | 240  | 260 | 400
            finger | v15 |      | 25  | 35  |      |     |
            film   |     | fail |     |     | fail | p35 |
            sent   | k15 |      | k25 |     | g35  |     |
            due    |     | -    |     |     |      | -   | -
            """)
    }

    @Test("a seek from before the drag that fails does not end the drag")
    func failsUnderTheFinger() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  |            |      |
            finger |      | v15        |      |
            film   |      |            | fail |
            sent   | e40  |            | k15  |
            set    | loud | pause mute |      |
            """)
        #expect(timeline.scrubber.isDragging)
    }

    @Test("behind the last frame: that one, and no loop, with the finger down or up")
    func behindTheEnd() throws {
        var timeline = ScrubTimeline { $0.end = .milliseconds(99_920) }
        try timeline.expect(
            """
            ms     | 0   | 20  | 40     | 60  | 100          | 120   | 130   | 900 | 920    | 940
            finger | v15 |     | 100    |     |              |       |       |     | ^      |
            film   |     | p15 |        | p90 |              | p     | p     |     |        | p
            sent   | k15 |     | g99.96 |     | k99.96>99.96 | l80   |       |     | e99.96 |
            thumb  | 15  | 15  | 99.96  |     | 99.96        | 99.96 | 99.96 |     | 99.96  | 99.96
            due    |     |     |        | 100 |              |       | -     | -   |        | -
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.film.shown == .milliseconds(99_880))
    }

    @Test("a jump behind the last frame: that one is shown, and sound and time are where they were asked to be (M3)")
    func jumpBehindTheEnd() throws {
        var timeline = ScrubTimeline { $0.end = .seconds(60) }
        try timeline.expect(
            """
            viewer | j80  |      |      |           |
            film   |      | p    | p    | p         |
            sent   | e80  | l50  | e80  |           |
            set    | loud | mute | loud | loud play |
            thumb  | 80   | 80   | 80   | 80        | 80
            due    |      |      |      | -         | -
            """)
        #expect(!timeline.scrubber.isSeeking && timeline.film.shown == .milliseconds(59_960))
        // A newer one waits only for the seek in flight.
        timeline = ScrubTimeline { $0.end = .seconds(60) }
        try timeline.expect(
            """
            viewer | j80 |     | j30 |     |
            film   |     | p   |     | p   | p
            sent   | e80 | l50 |     | e30 |
            thumb  | 80  | 80  | 30  | 30  | 30
            """)
        timeline = ScrubTimeline { $0.end = .seconds(60) }
        try timeline.expect(
            """
            viewer | j80 |     |     | j30 |     |
            film   |     | p   | p   |     | p   | p
            sent   | e80 | l50 | e80 |     | e30 |
            thumb  | 80  | 80  | 80  | 30  | 30  | 30
            """)
    }

    @Test("the last frame is the last one, however long it stands")
    func lastFrame() throws {
        var timeline = ScrubTimeline(playing: false) {
            $0.frame = .seconds(1)
            $0.mediaInfo.frameDuration = .milliseconds(40)
            $0.reportsLengths = false
        }
        try timeline.expect(
            """
            ms     | 0   | 20  | 400    | 420          | 440 | 900    | 920
            finger | v99 |     | 99.5   |              |     | ^      |
            film   |     | p99 |        | p            | p   |        | p
            sent   | k99 |     | a99.5  | k99.5>99.5   |     | e99.5  |
            due    |     | -   |        |              | -   |        | -
            """)
        #expect(timeline.film.shown == .seconds(99))
    }

    @Test("a frame that has a duration is not asked for again meanwhile")
    func longFrame() throws {
        var timeline = ScrubTimeline(playing: false) {
            $0.frame = .seconds(1)
            $0.mediaInfo.frameDuration = .milliseconds(40)
        }
        try timeline.expect(
            """
            ms     | 0   | 20  | 400  | 500    | 520 | 900    | 920
            finger | v50 |     | 50.9 | 51.2   |     | ^      |
            film   |     | p50 |      |        | p   |        | p
            sent   | k50.1>50 | |    | a51.2  |     | e51.2  |
            due    |     | -   | -    |        | -   |        | -
            """)
        #expect(timeline.film.shown == .seconds(51))
    }

    @Test(
        "a film far shorter than it says: its last frame is found in a few seeks",
        arguments: [99, 60, 1, 0] as [Int64])
    func wrongDuration(seconds: Int64) throws {
        var timeline = ScrubTimeline {
            $0.end = .seconds(seconds)
            $0.group = .seconds(1)
        }
        try timeline.expect("viewer | j99.9")
        var seeks = 0
        while timeline.film.pending != nil, seeks < 50 {
            seeks += 1
            try timeline.expect(
                """
                ms   | \(seeks * 20)
                film | p
                """)
        }
        #expect(seeks <= 12 && !timeline.scrubber.isSeeking && timeline.scrubber.deadline == nil)
        #expect(timeline.film.shown == max(timeline.film.lastFrame, .zero))
    }

    @Test("a finger that trembles behind the last frame does not drive it away")
    func trembling() throws {
        var timeline = ScrubTimeline(playing: false) { $0.end = .milliseconds(99_000) }
        try timeline.expect("finger | v99.9")
        for step in 1...30 {
            try timeline.expect(
                """
                ms     | \(step * 100)
                finger | \(99.9 - Double(step) / 100)
                """)
            for wait in 1...6 where timeline.film.pending != nil {
                try timeline.expect(
                    """
                    ms   | \(step * 100 + wait * 15)
                    film | p
                    """)
            }
        }
        #expect(timeline.film.shown == .milliseconds(98_960))
        // Once found, it is found again at once.
        try timeline.expect(
            """
            ms     | 4000 | 4100 | 4200 | 4300 | 4400 | 4500
            finger | 98.8 |      |      |      | 99.5 |
            film   |      | p    |      |      |      |
            """)
        for step in 0..<10 {
            try timeline.expect(
                """
                ms   | \(5000 + step * 100)
                film | \(timeline.film.pending == nil ? "" : "p")
                """)
        }
        #expect(timeline.film.shown == .milliseconds(98_960))
    }

    @Test("where a film ended is nothing to the next film (M6, M8)")
    func anotherFilmsEnd() throws {
        var timeline = ScrubTimeline(playing: false) { $0.end = .seconds(60) }
        try timeline.expect(
            """
            ms     | 0   | 20  | 40  | 60     | 80  | 100   | 120
            viewer | j80 |     |     |        | j90 |       |
            film   |     | end | p   | closed |     | ready | p90
            sent   | e80 | l50 | e80 |        |     | e90   |
            """)
        #expect(!timeline.scrubber.isSeeking)
    }

    @Test("no end and no failure is remembered for the next gesture")
    func nextGesture() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            viewer | j50 |     |     |   | j60 |   |     |      |     |   |
            finger |     |     |     |   |     |   | v15 |      | x   |   | v15
            film   |     | end | p   | p |     | p |     | fail |     | p |
            sent   | e50 | l40 | e50 |   | e60 |   | k15 |      | e60 |   | k15
            """)
    }

    @Test("a newer jump than one behind the end is not lost")
    func jumpAfterTheEnd() throws {
        var timeline = ScrubTimeline { $0.end = .seconds(60) }
        try timeline.expect(
            """
            viewer | j90 | j30 |     |
            film   |     |     | p   | p
            sent   | e90 |     | e30 |
            thumb  | 90  | 30  | 30  | 30
            """)
    }

    @Test("an older seek's frame is nobody's answer (M8)")
    func stale() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            finger | v15        | ^25  |      |         |           |
            film   |            |      | old  | settled | p         | at 26
            sent   | k15        | e25  |      |         |           |
            set    | pause mute | loud |      |         | loud play |
            thumb  | 15         | 25   | 25   | 25      | 25        | 26
            """)
    }

    @Test("nothing is done before there is a film, or without a place to seek in")
    func withoutFilm() throws {
        var timeline = ScrubTimeline(isOpen: false)
        try timeline.expect(
            """
            finger | v15 | 25 | ^ | x |      |
            viewer |     |    |   |   | play |
            sent   |     |    |   |   |      |
            set    |     |    |   |   | play |
            due    | -   | -  | - | - | -    | -
            """)
        timeline = ScrubTimeline { $0.mediaInfo.isSeekable = false }
        try timeline.expect(
            """
            finger | v15 | 25 | ^ |     |
            viewer |     |    |   | j40 |
            sent   |     |    |   |     |
            set    |     |    |   |     |
            thumb  | 0   | 0  | 0 | 0   |
            """)
    }
}
