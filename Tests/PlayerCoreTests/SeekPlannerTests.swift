import Testing

@testable import PlayerCore

/// Properties that hold for any tuning of the constants.
@Suite("Seek planner: how to get to the frame under the finger (N1)")
struct SeekPlannerTests {
    /// Groups of 10 s in a film of 100 s with 40 ms frames; the frame at `head` on the screen.
    private func planner(head: MediaTime? = nil, group: Int64? = 10_000) -> SeekPlanner {
        var planner = SeekPlanner()
        planner.duration = .seconds(100)
        if let group { planner.keyframes = KeyframeMap((0..<100_000 / group).map { .milliseconds($0 * group) }) }
        if let head {
            let plan = SeekPlanner.Plan(target: head, method: .exact, frames: 3)
            planner.shown(head, until: head + .milliseconds(40), plan: plan, took: .milliseconds(30))
        }
        return planner
    }

    private static let fast = 400.0

    @Test("the frame on the screen is not asked for again")
    func shown() {
        let planner = planner(head: .seconds(15))
        for time in [15_000, 15_039] as [Int64] {
            #expect(planner.drag(to: .milliseconds(time), speed: 0) == nil)
            #expect(planner.release(at: .milliseconds(time), playsOn: true) == nil)
        }
        for time in [14_999, 15_040] as [Int64] {
            #expect(planner.drag(to: .milliseconds(time), speed: 0) != nil)
            #expect(planner.release(at: .milliseconds(time), playsOn: true) != nil)
        }
    }

    @Test(
        "a release does not believe in the frames' usual length: behind a frame without one it seeks",
        arguments: [nil, 20] as [Int64?])
    func surely(shownFor milliseconds: Int64?) {
        var planner = planner()
        let plan = SeekPlanner.Plan(target: .seconds(15), method: .keyframe(showing: .seconds(15)), frames: 3)
        planner.shown(
            .seconds(15), until: milliseconds.map { .milliseconds(15_000 + $0) }, plan: plan, took: .milliseconds(30))
        #expect(planner.release(at: .seconds(15), playsOn: true) == nil)
        #expect(planner.release(at: .milliseconds(15_030), playsOn: true)?.method == .exact)
        #expect(planner.release(at: .seconds(15), playsOn: false)?.method == .exact)
        #expect(planner.release(at: .seconds(16), playsOn: false)?.method == .exact)
    }

    @Test("a target that was answered is shown, however long its frame stands")
    func answered() {
        var planner = planner()
        let target = MediaTime.milliseconds(15_500)
        for method in [.exact, .advance, .keyframe(showing: target)] as [SeekRequest.Method] {
            planner.shown(
                .seconds(15), plan: .init(target: target, method: method, frames: 3), took: .milliseconds(9))
            #expect(planner.isShown(target) && !planner.isShown(target + .milliseconds(1)))
        }
        planner.shown(
            .seconds(15), plan: .init(target: target, method: .keyframe(showing: nil), frames: 1), took: .zero)
        #expect(!planner.isShown(target))
    }

    @Test("a jump is aimed behind the key frame that its tolerance allows, and into no other group (M6)")
    func jump() {
        let near = SeekTolerance(before: .seconds(3), after: .seconds(2))
        for (time, aimed) in [(22_000, 20_100), (29_000, 30_100), (91_000, 90_100)] as [(Int64, Int64)] {
            let plan = planner().jump(to: .milliseconds(time), within: near)
            #expect(plan?.target == .milliseconds(aimed) && plan?.method == .keyframe(showing: nil), "\(time) ms")
        }
        #expect(planner().jump(to: .seconds(25), within: near) == nil)
        #expect(planner(group: nil).jump(to: .seconds(22), within: near) == nil)
        #expect(planner().jump(to: .seconds(20), within: .exact) == nil)
        // Groups of two frames.
        #expect(planner(group: 80).jump(to: .milliseconds(20_010), within: near)?.target == .milliseconds(20_040))
        // Wherever the key frame is, and whether it is known.
        #expect(planner(group: nil).jump(to: .seconds(25), within: .keyFrameBefore)?.target == .seconds(25))
    }

    @Test("a frame that is known to stand long is shown until then; one that says a little more is not believed")
    func standing() {
        var planner = planner(head: .seconds(15))
        let plan = SeekPlanner.Plan(target: .seconds(15), method: .keyframe(showing: nil), frames: 1)
        planner.shown(.seconds(15), until: .seconds(17), plan: plan, took: .milliseconds(30))
        #expect(planner.drag(to: .milliseconds(16_999), speed: Self.fast) == nil)
        // The film plays on from the target, not from the frame's start.
        #expect(planner.release(at: .milliseconds(16_999), playsOn: true)?.method == .exact)
        #expect(planner.release(at: .milliseconds(15_030), playsOn: true) == nil)
        #expect(planner.drag(to: .seconds(17), speed: 0)?.method == .advance)
        planner.shown(.seconds(15), until: .milliseconds(15_050), plan: plan, took: .milliseconds(30))
        #expect(!planner.isShown(.milliseconds(15_045)))
    }

    @Test("going on that led behind the target has not answered it: a finger at rest is to see what stands there")
    func beyond() {
        var planner = planner(head: .seconds(15))
        let target = MediaTime.seconds(16)
        planner.shown(
            .seconds(18), plan: .init(target: target, method: .advance, frames: 25), took: .milliseconds(30))
        #expect(planner.drag(to: target, speed: 0)?.method == .keyframe(showing: target))
    }

    @Test("nothing is shown, and nothing gone on from, once the decoder is elsewhere")
    func lostHead() {
        var planner = planner(head: .seconds(15))
        planner.loseHead()
        #expect(!planner.isShown(.seconds(15)) && planner.head == nil)
        #expect(planner.drag(to: .milliseconds(15_040), speed: 0)?.method == .keyframe(showing: .milliseconds(15_040)))
        #expect(planner.release(at: .milliseconds(15_040), playsOn: true)?.method == .exact)
    }

    @Test("a finger at rest: the very frame, by going on inside the group, else from its key frame")
    func atRest() {
        let planner = planner(head: .seconds(15))
        let ahead = planner.drag(to: .milliseconds(19_500), speed: 0)
        #expect(ahead?.method == .advance && ahead?.target == .milliseconds(19_500))
        for time in [12_000, 25_000, 5_000] as [Int64] {
            #expect(planner.drag(to: .milliseconds(time), speed: 0)?.method == .keyframe(showing: .milliseconds(time)))
        }
        // If key frames are not known here, the demuxer knows them.
        let unknowing = self.planner(group: nil)
        #expect(unknowing.drag(to: .seconds(25), speed: 0)?.method == .keyframe(showing: .seconds(25)))
    }

    @Test("a fast finger gets a frame from its own group, early rather than exact")
    func fast() throws {
        let planner = planner(head: .seconds(15))
        let other = try #require(planner.drag(to: .seconds(24), speed: Self.fast / 4))
        guard case .keyframe(let showing?) = other.method else { Issue.record("\(other)"); return }
        #expect(showing >= .seconds(20) && showing < .seconds(24))
        let same = try #require(planner.drag(to: .milliseconds(17_000), speed: Self.fast))
        #expect(same.method == .advance && same.target > .seconds(15) && same.target < .milliseconds(17_000))
        let back = try #require(planner.drag(to: .seconds(11), speed: Self.fast))
        #expect(back.method == .keyframe(showing: .seconds(11)), "a step back must not lead too far back")
        let unknowing = self.planner(group: nil)
        #expect(unknowing.drag(to: .seconds(25), speed: Self.fast)?.method == .keyframe(showing: nil))
    }

    @Test(
        "N1: a fast finger gets the nearer key frame, also the one before it, and keeps that until it is there",
        arguments: [false, true])
    func nearer(isBackward: Bool) {
        let speed = Self.fast / 4
        for time in [27_000, 29_900] as [Int64] {
            let plan = planner(head: .seconds(15)).drag(to: .milliseconds(time), speed: speed, isBackward: isBackward)
            #expect(plan?.method == .keyframe(showing: .seconds(30)) && plan?.target == .milliseconds(30_100))
            #expect(
                planner(head: .seconds(30)).drag(to: .milliseconds(time), speed: speed, isBackward: isBackward) == nil)
            // A finger that is slow, or rests, sees the very frame.
            for slow in [0, 0.1] {
                let plan = planner(head: .seconds(30)).drag(
                    to: .milliseconds(time), speed: slow, isBackward: isBackward)
                #expect(plan?.method == .keyframe(showing: .milliseconds(time)))
            }
        }
        // Of the last group there is none behind.
        #expect(planner().drag(to: .seconds(99), speed: speed)?.target ?? .zero >= .seconds(90))
    }

    @Test("a release is exact, or goes on where that is nearer than the key frame")
    func release() {
        let planner = planner(head: .seconds(15))
        #expect(
            planner.release(at: .seconds(16), playsOn: true)
                == .init(target: .seconds(16), method: .advance, frames: 25))
        #expect(planner.release(at: .seconds(14), playsOn: true)?.method == .exact)
        #expect(planner.release(at: .seconds(25), playsOn: true)?.method == .exact)
        #expect(self.planner(group: nil).release(at: .seconds(25), playsOn: true)?.method == .exact)
    }

    @Test("whatever is planned is on the way to the target, and from where the decoder stands")
    func anyPlan() throws {
        var random = ScrubRandom(seed: 11)
        for _ in 0..<3000 {
            let head = random.oneIn(4) ? nil : MediaTime.milliseconds(random.below(2500) * 40)
            let length = random.oneIn(4) ? nil : random.pick([40, 80, 1000, 2000, 10_000] as [Int64])
            let planner = planner(head: head, group: length)
            let target = MediaTime.milliseconds(random.below(100_000))
            let speed = random.pick([0, 0.5, 5, 50, 500, .infinity])
            let group = planner.keyframes.group(at: target)
            let own = (start: group?.start ?? .zero, end: group?.end ?? .seconds(100))
            let isNextNearer = speed > 0 && group?.end != nil && own.end - target < target - own.start
            for (plan, isDrag) in [
                (planner.drag(to: target, speed: speed), true), (planner.release(at: target, playsOn: true), false),
            ] {
                guard let plan else {
                    #expect(planner.isShown(target) || isDrag && isNextNearer && head.map { $0 >= own.end } ?? false)
                    continue
                }
                #expect(plan.frames >= 1)
                let isNext = isDrag && isNextNearer && plan.target >= own.end && plan.method != .advance
                let (start, end) =
                    isNext
                    ? (own.end, planner.keyframes.group(at: own.end)?.end ?? .seconds(100)) : (own.start, own.end)
                switch plan.method {
                case .advance:
                    let head = try #require(head)
                    #expect(plan.target > head && plan.target <= target)
                    // From another group only if that is near.
                    if group != nil, head < start { #expect(target - head < .seconds(2)) }
                case .exact, .last, .next, .previous: #expect(plan.target == target)
                case .preview:
                    #expect(speed > 0, "a finger that rests is not shown a mere key frame")
                    #expect(plan.target >= target && plan.target < end)
                case .keyframe(let showing):
                    // Aimed behind the key frame, but not into the next group.
                    #expect(plan.target >= target && plan.target < end)
                    if group != nil { #expect(plan.target >= min(start + .milliseconds(93), end - .milliseconds(40))) }
                    if let showing { #expect(showing >= start && (showing <= target || isNext && showing == start)) }
                    if speed == 0 { #expect(showing == target) }
                }
            }
        }
    }

    /// A film whose decoder takes 5 ms a frame and 100 ms a seek, as a board with 720p in software.
    private func slowPlanner() -> SeekPlanner {
        var planner = planner(group: 2000)
        let seek = SeekPlanner.Plan(target: .zero, method: .keyframe(showing: .zero), frames: 1)
        for _ in 0..<20 {
            planner.shown(.zero, plan: seek, took: .milliseconds(105), decodingTime: .milliseconds(5))
        }
        planner.loseHead()
        return planner
    }

    @Test("N1: a group that the finger crosses before two frames of it could come is only previewed")
    func preview() throws {
        var planner = slowPlanner()
        let preview = try #require(planner.drag(to: .milliseconds(21_000), speed: 24))
        #expect(preview.method == .preview(frames: 2) && preview.target >= .milliseconds(20_093))
        planner.shown(.seconds(20), plan: preview, took: .milliseconds(60))
        #expect(planner.drag(to: .milliseconds(22_500), speed: 24)?.method == .advance, "decoded, so it is shown")
        #expect(planner.drag(to: .milliseconds(24_500), speed: 24)?.method == .preview(frames: 2), "too late for it")
        let second = try #require(planner.drag(to: .milliseconds(20_900), speed: 24))
        #expect(second.method == .advance && second.target == .milliseconds(20_040))
        planner.shown(.milliseconds(20_160), plan: second, took: .milliseconds(20))
        #expect(
            planner.drag(to: .milliseconds(20_900), speed: 24) == nil, "the next group's key frame is the better one")
        #expect(planner.drag(to: .milliseconds(21_500), speed: 24)?.target == .milliseconds(22_100))
        // The decoder was drained: it cannot go on from a preview seek.
        #expect(planner.drag(to: .milliseconds(21_500), speed: 0)?.method == .keyframe(showing: .milliseconds(21_500)))
        #expect(planner.release(at: .milliseconds(20_120), playsOn: true)?.method == .exact)
        // Now slower: the group's third frame is behind the one shown.
        let slower = try #require(planner.drag(to: .milliseconds(20_900), speed: 12))
        #expect(slower.method == .keyframe(showing: .milliseconds(20_200)), "never back under a finger that goes on")
        // A slower finger, or longer groups, have time for more.
        #expect(!isPreview(slowPlanner().drag(to: .milliseconds(21_000), speed: 6)))
    }

    private func isPreview(_ plan: SeekPlanner.Plan?) -> Bool {
        if case .preview = plan?.method { true } else { false }
    }

    @Test("N1: a fast finger is met where it will be while the frame is on the screen, a slow one where it is")
    func expectedPlace() {
        var planner = SeekPlanner()
        planner.duration = .seconds(60)
        func place(_ milliseconds: Int64, _ velocity: Double) -> MediaTime {
            planner.expectedPlace(of: .milliseconds(milliseconds), velocity: velocity)
        }
        // A seek takes 43 ms until it is known better; the frame is there as long.
        #expect(place(20_000, 30) == .milliseconds(21_935) && place(20_000, -30) == .milliseconds(18_065))
        #expect(place(59_000, 30) == .milliseconds(59_960) && place(1000, -30) == .zero, "inside the film")
        #expect(place(20_000, 5) == .seconds(20) && place(20_000, 0) == .seconds(20))
        #expect(place(20_000, .infinity) == .seconds(20))
        // A finger that flicks stops soon.
        #expect(place(20_000, 1e300) == .seconds(23) && place(20_000, -400) == .seconds(17))
    }

    @Test("N1: where a finger slows down, the place where it is met does not go back")
    func slowingDown() {
        var planner = SeekPlanner()
        planner.duration = .seconds(60)
        var (finger, velocity, last) = (10.0, 40.0, MediaTime.zero)
        while velocity > 0 {
            let place = planner.expectedPlace(of: .milliseconds(Int64(finger * 1000)), velocity: velocity)
            #expect(place >= last, "at \(velocity)")
            last = place
            // A third of a second from that speed to rest.
            finger += velocity * 0.008
            velocity -= 1
        }
    }

    @Test("N1: a machine whose seeks are quick leads less, before it has seen a preview seek, too")
    func leadOfQuickSeeks() {
        var planner = SeekPlanner()
        planner.duration = .seconds(60)
        let before = planner.expectedPlace(of: .seconds(20), velocity: 40)
        for _ in 0..<20 {
            let plan = SeekPlanner.Plan(target: .seconds(20), method: .keyframe(showing: nil), frames: 1)
            planner.shown(.seconds(20), plan: plan, took: .milliseconds(10), decodingTime: .milliseconds(2))
        }
        #expect(planner.expectedPlace(of: .seconds(20), velocity: 40) < before)
    }

    @Test("N1: one frame of a preview seek where the finger moves back, or is faster than preview seeks are")
    func singlePreview() {
        var planner = slowPlanner()
        #expect(
            planner.drag(to: .milliseconds(21_000), speed: 24, isBackward: true)?.method == .preview(frames: 1))
        #expect(planner.drag(to: .milliseconds(21_000), speed: 60)?.method == .preview(frames: 1))
        let preview = SeekPlanner.Plan(target: .seconds(20), method: .preview(frames: 1), frames: 1)
        planner.shown(.seconds(20), plan: preview, took: .milliseconds(50))
        #expect(planner.drag(to: .milliseconds(20_900), speed: 24) == nil, "nothing more was decoded")
    }

    @Test("what seeks cost is learned apart from what going on costs, preview and exact seeks teach neither")
    func costs() {
        var cost = SeekCost()
        for _ in 0..<40 {
            cost.learn(.keyframe(showing: .zero), frames: 10, took: .milliseconds(130), decodingTime: .milliseconds(5))
            cost.learn(.advance, frames: 4, took: .milliseconds(35), decodingTime: .milliseconds(5))
            cost.learn(.preview(frames: 1), frames: 1, took: .seconds(1), decodingTime: .milliseconds(1))
            // Half of the frames on the way were skipped.
            cost.learn(.exact, frames: 200, took: .milliseconds(580), decodingTime: .milliseconds(5))
        }
        #expect(abs(cost.seekBase - 80e6) < 1e6 && abs(cost.advanceBase - 15e6) < 1e6)
        #expect(abs(cost.perFrame - 5e6) < 1e5)
        #expect(cost.expected(.exact, frames: 0) > cost.expected(.advance, frames: 0))
    }

    @Test("a film whose frames are said to stand for no time, or for ever, is planned for all the same")
    func frameDurations() {
        for frame in [MediaTime.zero, MediaTime(nanoseconds: 1), .seconds(3600)] {
            var planner = planner(head: .seconds(15))
            planner.frameDuration = frame
            for target in [MediaTime.zero, .seconds(16), .seconds(99)] where !planner.isShown(target) {
                #expect(planner.drag(to: target, speed: 0) != nil && planner.release(at: target, playsOn: true) != nil)
            }
        }
    }

    @Test("what seeks take on this board is learned, and one hiccup is not believed")
    func learning() {
        func whole(_ planner: SeekPlanner) -> Bool {
            planner.drag(to: .seconds(29), speed: 0.5)?.method == .keyframe(showing: .seconds(29))
        }
        let seek = SeekPlanner.Plan(target: .zero, method: .keyframe(showing: .zero), frames: 1)
        var planner = planner()
        for _ in 0..<20 { planner.shown(.zero, plan: seek, took: .milliseconds(5)) }
        #expect(whole(planner), "a finger that moves slowly sees the very picture")
        planner.shown(.zero, plan: seek, took: .seconds(60))
        #expect(whole(planner))
        for _ in 0..<40 { planner.shown(.zero, plan: seek, took: .seconds(4)) }
        #expect(!whole(planner), "on a board this slow it would come too late")
    }
}
