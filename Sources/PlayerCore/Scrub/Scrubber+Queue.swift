/// The seek in flight: what is sent, what comes back, and what then.
extension Scrubber {
    mutating func send(_ plan: SeekPlanner.Plan, _ now: MonotonicTime) -> Action {
        ticket = ticket.next
        isAgain = false
        if !isHushed { owesSeek = false }
        let request = SeekRequest(ticket: ticket, target: plan.target, method: plan.method)
        inFlight = Flight(
            request: request, plan: plan, asked: target ?? plan.target, sentAt: now, aliveAt: now,
            silentSince: inFlight?.silentSince ?? now, wasPlaying: isPlaying, isBehind: false)
        if case .advance = plan.method {} else { planner.loseHead() }
        return .seek(request)
    }

    mutating func show(_ picture: Picture, _ now: MonotonicTime) -> [Action] {
        // Only the newest seek's picture counts: an older one was made void (M8).
        guard let flight = inFlight, flight.request.ticket == picture.ticket else { return [] }
        guard let time = picture.time else { return miss(flight, now) }
        decodingTime = picture.decodingTime
        canPlayOn = picture.canPlayOn
        if case .last = flight.plan.method {
            end.found(time, until: time + (picture.duration ?? planner.frameDuration))
        }
        let start = picture.start ?? time
        return complete(
            flight, at: Standing(start: start, place: time, end: picture.duration.map { start + $0 }), now)
    }

    mutating func complete(_ flight: Flight, at shown: Standing, _ now: MonotonicTime) -> [Action] {
        let time = shown.place
        inFlight = nil
        position = time
        shownPlan = flight.plan
        planner.shown(
            time, until: shown.end, plan: flight.plan, took: now - flight.sentAt, decodingTime: decodingTime)
        if flight.wasPlaying || isPlaying { planner.loseHead() }
        let isAnother = isAnother(than: flight)
        if flight.isStep {
            if flight.leads(to: shown.start) { hasStepped = true } else { steps = 0 }
            // What it was sent for was a guess.
            if target == flight.asked { target = time }
        }
        switch phase {
        case .dragging: return chase(now)
        case .settling:
            if isAnother { return settle(now) }
            switch flight.plan.method {
            case .last: return align(now)
            case .advance where !playsOn: return align(now)
            case .keyframe where !tolerance.allows(shown.start, for: flight.asked, slack: SeekTolerance.rounding):
                // Where the demuxer knows fewer key frames, it took another one.
                tolerance = .exact
                return settle(now)
            default: return steps == 0 ? finish() : takeStep(from: shown, now)
            }
        case .idle: return []
        }
    }

    /// The seek led behind the film's last picture: look for that one.
    private mutating func miss(_ flight: Flight, _ now: MonotonicTime) -> [Action] {
        // Behind the last picture there is none to step to.
        guard flight.goal > .zero, flight.plan.method != .next else { return fail(flight, now) }
        inFlight = nil
        planner.loseHead()
        if flight.isBehind, phase == .settling {
            position = flight.plan.target
            if isAnother(than: flight) { return settle(now) }
            guard steps < 0, let last = end.last else { return finish() }
            return takeStep(from: Standing(start: last, place: last), now)
        }
        // Going on, there may be none because the picture on the screen was the last: a seek will tell.
        let wentOn = flight.plan.method == .advance
        if !wentOn { end.missed(flight.goal, isSearch: flight.plan.method == .last) }
        switch phase {
        case .dragging: return chase(now, exactly: wentOn)
        case .settling:
            // The key frame that was known is not there. Nearer than the end, the very picture may be.
            if case .keyframe = flight.plan.method, !isAnother(than: flight) { tolerance = .exact }
            return settle(now)
        case .idle: return []
        }
    }

    mutating func fail(_ flight: Flight, _ now: MonotonicTime) -> [Action] {
        inFlight = nil
        planner.loseHead()
        switch phase {
        case .dragging:
            if flight.asked == target { abandoned = target }
            return chase(now)
        case .settling:
            if isAnother(than: flight) || flight.plan.method == .advance { return settle(now) }
            target = nil
            steps = 0
            return finish()
        case .idle: return []
        }
    }

    /// Whether something newer than this seek waits for it to be done.
    func isAnother(than flight: Flight) -> Bool {
        if isAgain { return true }
        if tolerance == .exact, case .keyframe = flight.plan.method { return true }
        return target != flight.asked
    }

    mutating func finish() -> [Action] {
        target = nil
        // Those that were to follow lead nowhere.
        steps = 0
        phase = .idle
        isPlaying = wantsPlaying
        isHushed = false
        if isPlaying { planner.loseHead() }
        return [.setHushed(false), .setPlaying(wantsPlaying)]
    }
}
