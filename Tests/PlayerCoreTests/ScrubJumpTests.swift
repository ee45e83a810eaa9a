import PlayerCore
import Testing

@Suite("Scrub: jumps from outside the slider (M6, M7, M8)")
struct ScrubJumpTests {
    @Test("a jump before the film is open is remembered, the newest of several (M6)")
    func remembered() throws {
        var timeline = ScrubTimeline(isOpen: false)
        try timeline.expect(
            """
            viewer | j40 | j60 |       |           |
            film   |     |     | ready | p         |
            sent   |     |     | e60   |           |
            set    |     |     | loud  | loud play |
            thumb  | 40  | 60  | 60    | 60        | 60
            due    | -   | -   | 2040  | -         | -
            """)
    }

    @Test("a remembered jump is kept inside the film, and dropped where there is none to be made (M6, M11)")
    func rememberedClamped() throws {
        var timeline = ScrubTimeline(isOpen: false)
        try timeline.expect(
            """
            viewer | j150 |        |
            film   |      | ready  | p
            sent   |      | e99.96 |
            """)
        timeline = ScrubTimeline(isOpen: false) { $0.mediaInfo.isSeekable = false }
        try timeline.expect(
            """
            viewer | j40 |       |
            film   |     | ready | at 3
            sent   |     |       |
            thumb  | 40  | 0     | 3
            due    | -   | -     | -
            """)
    }

    @Test("one that is in flight is waited for; then only the newest goes out (M7, M8)")
    func newestOnly() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  | j50 | j60 |      |           |
            film   |      |     | old | p    | p         |
            sent   | e40  |     |     | e60  |           |
            set    | loud |     |     | loud | loud play |
            thumb  | 40   | 50  | 60  | 60   | 60        | 60
            """)
        #expect(timeline.film.shown == .seconds(60))
    }

    @Test("an exact jump to where a quick one is under way is not lost")
    func exactAfterQuick() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | k45   | j45 |     |
            film   |       |     | p   | p
            sent   | k45>- |     | e45 |
            """)
        #expect(timeline.film.shown == .seconds(45))
    }

    @Test("what is to come with a seek comes with one more where a seek to the same place is under way (A8)")
    func again() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            film   |     |       | p   | p  | at 47 |       | p
            viewer | j45 | again |     |    |       | again |
            sent   | e45 |       | e45 |    |       | e47   |
            thumb  | 45  | 45    | 45  | 45 | 47    | 47    | 47
            """)
    }

    @Test("another rate that is asked for under a finger comes with the drag's last seek, also a cancelled one's (A8)")
    func rateUnderAFinger() throws {
        for isLocal in [true, false] {
            var timeline = ScrubTimeline { $0.mediaInfo.isLocal = isLocal }
            try timeline.expect(
                """
                finger | v0 |    | x  |
                viewer |    | x2 |    |
                film   |    |    |    | p
                sent   | \(isLocal ? "?" : "") |    | e0 |
                thumb  | 0  | 0  | 0  | 0
                """)
            #expect(timeline.film.playedRate == 2 && !timeline.scrubber.isSeeking)
        }
    }

    @Test("a quick jump that waits for a drag's last seek lets the sound in, and is as fast as it is to be (A8)")
    func quickBehindADrag() throws {
        var timeline = ScrubTimeline { $0.rate = 2 }
        try timeline.expect(
            """
            finger | v15        |       | ^15.2 |       |
            viewer |            |       |       | k45   |
            film   |            | p15   |       |       | p     | p
            sent   | k15        |       | e15.2 |       | k45>- |
            set    | pause mute |       | loud  |       |       | loud play
            """)
        #expect(timeline.film.playedRate == 2)
        var silent = ScrubTimeline { $0.hasSound = false }
        try silent.expect(
            """
            finger | v15        |       | ^15.2 |       |
            viewer |            |       |       | k45   |
            film   |            | p15   |       |       | p     | p
            sent   | k15        |       | a15.2 |       | k45>- |
            set    | pause mute |       |       |       | loud  | loud play
            """)
    }

    @Test(
        "a jump as far as numbers go is one as far as films go, where nobody knows the film's end",
        arguments: [true, false])
    func farthest(isOpen: Bool) {
        var scrubber = Scrubber(wantsPlaying: false)
        let mediaInfo = MediaInfo(duration: nil, isSeekable: true, frameDuration: .milliseconds(40))
        if isOpen { _ = scrubber.handle(.ready(mediaInfo), at: .milliseconds(0)) }
        var actions = scrubber.handle(.jump(to: .unlimited, within: .exact), at: .milliseconds(0))
        if !isOpen { actions = scrubber.handle(.ready(mediaInfo), at: .milliseconds(0)) }
        let targets = actions.compactMap { if case .seek(let request) = $0 { request.target } else { nil } }
        #expect(targets == [.farthest])
    }

    @Test("steps are taken one after another, each from the frame of the one before; a jump ends them (A8, M7)")
    func steps() throws {
        var timeline = ScrubTimeline(playing: false) { $0.frame = .milliseconds(700) }
        try timeline.expect(
            """
            viewer | j14 |   | +   | + + |       | - |   | - -   |       |   | +   | + j30 |     |
            film   |     | p |     |     | p     |   | p |       | p     | p |     |       | p   | p
            sent   | e14 |   | n14 |     | n14.7 |   |   | b15.4 | b14.7 |   | n14 |       | e30 |
            """)
        #expect(timeline.film.shown == timeline.film.frameStart(at: .seconds(30)) && !timeline.scrubber.isSeeking)
    }

    @Test("steps beyond the film's start are forgotten there: the next one leads on")
    func stepsOutOfTheFilm() throws {
        var timeline = ScrubTimeline(playing: false) { $0.frame = .milliseconds(700) }
        try timeline.expect(
            """
            viewer | j0.7 |   | - - - |   | +  |   |
            film   |      | p |       | p |    | p |
            sent   | e0.7 |   | b0.7  |   | n0 |   |
            """)
        #expect(timeline.film.shown == .milliseconds(700) && !timeline.scrubber.isSeeking)
    }

    @Test("behind the last frame there is none to step to: it is shown again, and further steps are forgotten")
    func stepsBehindTheLastFrame() throws {
        var timeline = ScrubTimeline(playing: false) { $0.frame = .milliseconds(700) }
        let last = timeline.film.lastFrame
        try timeline.expect(
            """
            viewer | j99.4 |   | + + + |   |       |
            film   |       | p |       | p |       |
            sent   | e99.4 |   | n99.4 |   |       |
            """)
        #expect(timeline.film.shown == last && !timeline.scrubber.isSeeking && !timeline.scrubber.hasStepped)
    }

    @Test("no step is taken before a film is there, whatever the last one before did")
    func stepsWithoutAFilm() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            viewer | j40 |   | + |   |      | + |
            film   |     | p |   | p | lost |   |
            """)
        #expect(!timeline.scrubber.hasStepped)
    }

    @Test("steps go on from where they are when the film is to go on in another way (A8)")
    func stepsInAnotherWay() throws {
        var timeline = ScrubTimeline(playing: false) { $0.frame = .milliseconds(700) }
        try timeline.expect(
            """
            viewer | j14 |   | + + | again |       |       |   |
            film   |     | p |     |       | p     | p     | p |
            sent   | e14 |   | n14 |       | e14.7 | n14.7 |   |
            """)
        #expect(timeline.film.shown == .milliseconds(15_400) && !timeline.scrubber.isSeeking)
    }

    @Test("a quick jump is one key frame")
    func quick() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | k45   |           |
            film   |       | p         |
            sent   | k45>- |           |
            set    |       | loud play |
            thumb  | 45    | 40        |
            """)
    }

    @Test("a jump with tolerances is a key frame between them, also behind it, else exact (M6)")
    func tolerances() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j42~3,0 |           | j38~1,2 |    | j45~3,3 |           |
            film   |         | p         |         | p  |         | p         |
            sent   | k40.1>- |           | k40.1>- |    | e45     |           |
            set    |         | loud play |         | loud play | loud | loud play |
            thumb  | 42      | 40        | 38      | 40 | 45      | 45        |
            """)
        timeline = ScrubTimeline(knowsKeyframes: false)
        try timeline.expect(
            """
            viewer | j42~3,0 |
            film   |         | p
            sent   | e42     |
            thumb  | 42      | 42
            """)
    }

    @Test("a key frame that lies elsewhere than was known is followed by the very frame")
    func toleranceMissed() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j42~3,0 |      |
            film   |         | p30  | p
            sent   | k40.1>- | e42  |
            set    |         | loud | loud play
            thumb  | 42      | 42   | 42
            """)
        // There is no frame at all there.
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j38~1,3 |      |
            film   |         | end  | p
            sent   | k40.1>- | e38  |
            set    |         | loud | loud play
            thumb  | 38      | 38   | 38
            """)
    }

    @Test("a drag has precedence; what waited before it is forgotten (M8)")
    func dragFirst() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  | j50 |            | j60 |      |     |
            finger |      |     | v15        |     |      |     | ^   |
            film   |      |     |            |     | p    | p15 |     | p
            sent   | e40  |     |            |     | k15  |     | e15 |
            thumb  | 40   | 50  | 15         | 15  | 15   | 15  | 15  | 15
            """)
        #expect(timeline.film.shown == .seconds(15))
    }

    @Test("a jump never decodes on: sound that waits for its turn would stand in the way")
    func neverAdvances() throws {
        var timeline = ScrubTimeline(playing: false)
        try timeline.expect(
            """
            viewer | j15  |   | j15.4 |
            film   |      | p |       | p
            sent   | e15  |   | e15.4 |
            """)
        timeline = ScrubTimeline(playing: false) { $0.mediaInfo.isLocal = false }
        try timeline.expect(
            """
            viewer | j15  |   |       |
            finger |      |   | v15.4 | ^
            film   |      | p |       |
            sent   | e15  |   |       | e15.4
            """)
    }

    @Test("a film that plays while it jumps is paused at once, so that it stands at the frame of the jump that follows")
    func pauseWhileJumping() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  | pause | j60 |      |            | play
            film   |      |       |     | p    | p          |
            sent   | e40  |       |     | e60  |            |
            set    | loud | pause |     | loud | loud pause | play
            """)
        #expect(timeline.film.shown == .seconds(60))
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  | pause | play |           |
            film   |      |       |      | p         |
            sent   | e40  |       |      |           |
            set    | loud | pause |      | loud play |
            """)
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j40  | pause |      |
            finger |      |       | v15  |
            set    | loud | pause | mute |
            """)
    }

    @Test("the frame of a jump in a film that plays is not the last one: a finger there seeks anew")
    func notTheLastFrame() throws {
        var timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j42  | pause |            |      |
            film   |      |       | p          |      |
            finger |      |       |            | v42  |
            sent   | e42  |       |            | k42  |
            set    | loud | pause | loud pause | mute |
            """)
        timeline = ScrubTimeline()
        try timeline.expect(
            """
            viewer | j42  |            |     |
            finger |      | v42        |     |
            film   |      |            | p   |
            sent   | e42  |            | k42 |
            set    | loud | pause mute |     |
            """)
    }
}
