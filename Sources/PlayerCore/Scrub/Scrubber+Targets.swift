/// Where the film is to be once a finger has left it, or somebody else asked: at a time, or some pictures on.
extension Scrubber {
    /// The finger has left, or a jump was asked for: the last seek. It does not wait for one in flight, which it makes
    /// void by flushing it away, unless that one leads there, too.
    mutating func settle(_ now: MonotonicTime) -> [Action] {
        guard isOpen else { return [] }
        guard let facts, facts.isSeekable, let target else {
            target = nil
            return finish()
        }
        if search == nil, let plan = planner.jump(to: target, within: tolerance) {
            let loud: [Action] = isHushed ? [.setHushed(false)] : []
            isHushed = false
            return loud + [send(plan, now)]
        }
        if let flight = inFlight {
            if playsOn, isHushed, flight.leads(to: target, in: planner.keyframes) {
                // Further ahead, it only has to go on: at once, or once its picture is there.
                guard case .advance = flight.plan.method, flight.goal + planner.frameDuration <= target,
                    let plan = planner.release(at: target, playsOn: true), case .advance = plan.method
                else { return [] }
                return [send(plan, now)]
            }
            planner.loseHead()
        }
        // Where there is sound to wait for it stands in the decoder's way.
        if !isHushed { planner.loseHead() }
        if let search {
            if isLastShown { return align(now) }
            isHushed = true
            return [.setHushed(true), send(lastPlan(from: search), now)]
        }
        guard let plan = planner.release(at: target, playsOn: playsOn) else { return finish() }
        if case .advance = plan.method { return [send(plan, now)] }
        isHushed = false
        return [.setHushed(false), send(plan, now)]
    }

    func lastPlan(from time: MediaTime) -> SeekPlanner.Plan {
        SeekPlanner.Plan(target: time, method: .last, pictures: 25)
    }

    /// The picture is on the screen, but the streams are not where it is: one more seek brings sound and clock to it, or, behind
    /// the last picture, to what was asked for.
    mutating func align(_ now: MonotonicTime) -> [Action] {
        guard let target else { return finish() }
        let plan = SeekPlanner.Plan(target: target, method: .exact, pictures: 25)
        let isBehind = search != nil
        isHushed = false
        let seek = send(plan, now)
        inFlight?.isBehind = isBehind
        return [.setHushed(false), seek]
    }

    mutating func jump(to time: MediaTime, _ tolerance: SeekTolerance, _ now: MonotonicTime) -> [Action] {
        guard !isDragging else { return [] }
        beforeRelease = nil
        guard isOpen, let facts else {
            target = time.clamped(to: .zero ... .farthest)
            self.tolerance = tolerance
            return []
        }
        guard facts.isSeekable else { return [] }
        target = clamp(time)
        self.tolerance = tolerance
        steps = 0
        forgetEnd()
        phase = .settling
        // One in flight: this one goes out when the one before has put its picture on the screen (M7).
        return inFlight == nil ? settle(now) : []
    }

    /// More than a second's worth nobody counts.
    public static let mostSteps = 25

    mutating func step(_ count: Int, from shown: Standing, _ now: MonotonicTime) -> [Action] {
        hasStepped = false
        guard isOpen, !isDragging, facts?.isSeekable == true else { return [] }
        beforeRelease = nil
        let count = min(max(count, -Self.mostSteps), Self.mostSteps)
        steps = min(max(steps + count, -Self.mostSteps), Self.mostSteps)
        return isSeeking || steps == 0 ? [] : takeStep(from: shown, now)
    }

    mutating func takeStep(from shown: Standing, _ now: MonotonicTime) -> [Action] {
        let isForward = steps > 0
        steps -= isForward ? 1 : -1
        guard isForward || shown.start > .zero else { return finish() }
        // Until it is there, for all that one knows.
        target = max(isForward ? shown.place + planner.frameDuration : shown.start - planner.frameDuration, .zero)
        tolerance = .exact
        forgetEnd()
        phase = .settling
        planner.loseHead()
        isHushed = false
        let plan = SeekPlanner.Plan(
            target: isForward ? shown.place : shown.start, method: isForward ? .next : .previous, pictures: 25)
        return [.setHushed(false), send(plan, now)]
    }
}
