/// A finger on the bar, and the picture that follows it.
extension Scrubber {
    mutating func slide(_ event: SliderEvent, _ now: MonotonicTime) -> [Action] {
        switch event {
        case .touchDown(let fraction, let time):
            beforeRelease = nil
            guard let facts, facts.isSeekable, let target = filmTime(at: fraction) else { return [] }
            return grab(target, time, now)
        case .valueChanged(let fraction, let time):
            guard isDragging, let target = filmTime(at: fraction) else { return [] }
            return move(to: target, time, now)
        // These end a drag whatever has become of the film.
        case .touchUp(let fraction, _):
            guard case .dragging(let before) = phase else { return [] }
            beforeRelease = before
            return release(at: filmTime(at: fraction) ?? target, now)
        case .cancel:
            if case .dragging(let before) = phase { return release(at: didSeek ? clamp(before) : nil, now) }
            guard let before = beforeRelease else { return [] }
            beforeRelease = nil
            return release(at: clamp(before), now)
        }
    }

    private func filmTime(at fraction: Double) -> MediaTime? {
        facts?.duration.map { clamp($0.scaled(by: fraction)) }
    }

    private mutating func grab(_ time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        phase = .dragging(before: displayedTime)
        steps = 0
        didSeek = inFlight != nil
        speed = FingerSpeed()
        forgetEnd()
        var actions: [Action] = []
        if isPlaying {
            isPlaying = false
            planner.loseHead()
            actions.append(.setPlaying(false))
        }
        if isFollowing {
            isHushed = true
            actions.append(.setHushed(true))
        }
        return actions + move(to: time, moved, now)
    }

    mutating func release(at time: MediaTime?, _ now: MonotonicTime) -> [Action] {
        target = time
        tolerance = .exact
        phase = .settling
        return settle(now)
    }

    /// What one gesture has found out is nothing to the next.
    mutating func forgetEnd() {
        end = FilmEnd()
        abandoned = nil
        shownPlan = nil
    }

    private mutating func move(to time: MediaTime, _ moved: MonotonicTime, _ now: MonotonicTime) -> [Action] {
        speed.moved(to: time, at: moved)
        target = time
        return leave(now) ?? chase(now)
    }

    /// The decoder goes on inside a group that the finger has left: no picture of it is to be shown any more. Only what needs no
    /// seek of its own is made void, so that a finger that crosses group after group still gets a picture of each.
    private mutating func leave(_ now: MonotonicTime) -> [Action]? {
        guard let flight = inFlight, case .advance = flight.plan.method, let target,
            let group = planner.keyframes.group(at: flight.plan.target),
            let other = planner.keyframes.group(at: target),
            group.start != other.start
        else { return nil }
        var left = self
        left.inFlight = nil
        left.planner.loseHead()
        let actions = left.chase(now)
        guard !actions.isEmpty else { return nil }
        self = left
        return actions
    }

    /// Sends the next seek of a drag, if none is in flight; `exactly` to the very picture, however fast the finger is.
    mutating func chase(_ now: MonotonicTime, exactly: Bool = false, isWake: Bool = false) -> [Action] {
        guard isOpen, isDragging, isFollowing, inFlight == nil, let target, target != abandoned else { return [] }
        let rests = exactly || speed.lastMove.map { now - $0 >= Self.rest } ?? true
        // Only the wake, which is due now, can tell a finger that rests from one whose moves have not been read yet.
        if rests, !exactly, !isWake, deadline != nil { return [] }
        if let search { return isLastShown ? [] : [send(lastPlan(from: search), now)] }
        let plan = planner.drag(
            to: target, speed: rests ? 0 : speed.filmTimePerSecond, isBackward: speed.isBackward)
        guard let plan, rests || plan != shownPlan else { return [] }
        didSeek = true
        return [send(plan, now)]
    }
}
