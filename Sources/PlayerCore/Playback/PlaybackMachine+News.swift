extension PlaybackMachine {
    mutating func handle(_ news: EngineNews) {
        switch news {
        case .opened(let opening, let facts): opened(opening, facts)
        case .facts(let opening, let facts):
            guard let id = item(of: opening) else { return }
            learn(id, facts)
        case .running(let opening, let rate): run(opening, rate)
        case .rateRefused(let opening, let rate):
            guard item(of: opening) != nil else { return }
            current?.refusedRate = rate
            // To be played again it is to begin at its start, then.
            if case .restarting(isReverse: true)? = current?.unsettledEnd { restart() }
        case .position(let opening, let time): place(opening, time)
        case .sought(let opening, let number, let time): sought(opening, number, time)
        case .buffering(let opening, let percent):
            guard item(of: opening) != nil else { return }
            current?.buffering = percent < 100 ? percent : nil
        case .buffered(let opening, let ranges):
            guard let id = item(of: opening) else { return }
            change(id) { $0.bufferedRanges = ranges }
        case .selection(let opening, let group):
            guard let id = item(of: opening) else { return }
            change(id) { $0.groups[group.characteristic] = group }
        case .touched(let opening, let isTouched):
            guard let id = item(of: opening) else { return }
            current?.isTouched = isTouched
            observers.isScrubbing = isTouched || isScrubbing
            if isTouched {
                // The finger's seeks take its place.
                cancelSeeks(id)
                current?.unansweredSeek = nil
                unsettleEnd()
            }
            if !observers.isScrubbing, let item = items[id] { tell(observers.jump(to: item.timeline.time(at: now))) }
            settleEnd()
        case .ended(let opening, let isLooping): ended(opening, isLooping)
        case .failed(let opening, let failure): failed(opening, failure)
        case .state(let opening, let state):
            if item(of: opening) != nil { current?.pipelineState = state }
        case .warning(let opening, let text):
            if let id = item(of: opening) { outputs.append(.player(.warning(id, text))) }
        case .message(let text): outputs.append(.player(.message(text)))
        }
    }

    private func item(of opening: Opening) -> ItemID? {
        current?.opening == opening ? current?.item : nil
    }

    private mutating func learn(_ id: ItemID, _ facts: MediaFacts) {
        change(id) { item in
            item.facts = facts
            item.timeline.learn(facts.duration)
        }
    }

    private mutating func opened(_ opening: Opening, _ facts: MediaFacts) {
        guard let id = item(of: opening) else { return }
        learn(id, facts)
        guard current?.isOpen == false else { return }
        current?.isOpen = true
        list.failures = PlaybackQueue.Failures()
        change(id) { $0.status = .readyToPlay }
        guard let wish = items[id]?.wish else { return tell(observers.jump(to: .zero)) }
        if !facts.isSeekable {
            answer(wish.id, of: id, false)
            items[id]?.wish = nil
            current?.seek = nil
        } else if current?.seek == nil {
            sendSeek()
        }
    }

    private mutating func run(_ opening: Opening, _ rate: PlaybackRate) {
        guard let id = item(of: opening), let current, current.rate != rate else { return }
        self.current?.rate = rate
        items[id]?.timeline.run(at: rate, now)
        guard let item = items[id], item.wish == nil, current.isRunning != !rate.isPaused else { return }
        tell(observers.tell(item.timeline.time(at: now)))
    }

    private mutating func place(_ opening: Opening, _ time: MediaTime) {
        guard let id = item(of: opening), let item = items[id] else { return }
        if current?.isTouched == true { leaveEnd() }
        let expected = item.timeline.time(at: now)
        items[id]?.timeline.place(at: time, now)
        // Nobody is told of it while a seek is to lead elsewhere.
        guard item.wish == nil else { return }
        if current?.isRunning == true, expected.distance(to: time) < Self.discontinuity {
            tell(observers.run(to: time, isReverse: item.timeline.rate.isReverse))
        } else if expected != time {
            tell(observers.jump(to: time))
        }
    }

    /// A film that is so far from where it should be did not play there.
    private static let discontinuity = MediaTime.seconds(1)

    private mutating func sought(_ opening: Opening, _ number: UInt64, _ time: MediaTime?) {
        guard let id = item(of: opening) else { return }
        if current?.unansweredSeek == number { current?.unansweredSeek = nil }
        guard current?.seek == number else {
            // Nobody waits for it any more; the film is there all the same.
            if let time {
                leaveEnd()
                place(opening, time)
            } else {
                settleEnd()
            }
            return
        }
        current?.seek = nil
        answer(items[id]?.forgetSeek(), of: id, time != nil)
        guard let time else {
            tellPlace(of: id)
            return settleEnd()
        }
        leaveEnd()
        items[id]?.timeline.place(at: time, now)
        tell(observers.jump(to: time))
    }

    private mutating func leaveEnd() {
        current?.hasEnded = false
        current?.unsettledEnd = nil
    }

    /// Something is to lead away from the end; a seek that was to play it again is not done any more.
    mutating func unsettleEnd() {
        if case .restarting? = current?.unsettledEnd { current?.hasEnded = true }
        if current?.hasEnded == true { current?.unsettledEnd = .told }
        current?.hasEnded = false
    }

    /// A seek, or a finger, came to nothing: an end from before is one.
    mutating func settleEnd() {
        // A seek that is on its way, or a finger's, may still lead away.
        guard let current, let end = current.unsettledEnd else { return }
        guard current.unansweredSeek == nil, !current.isTouched, !isScrubbing else { return }
        self.current?.unsettledEnd = nil
        switch end {
        // It goes on from the other end, and has told where it is.
        case .untold(isLooping: true): outputs.append(.player(.didPlayToEnd(current.item)))
        case .untold(isLooping: false): ended(current.opening, false)
        case .told where rate.isPaused: self.current?.hasEnded = true
        case .told: restart()
        // It is to be played the other way by now, which leads away from where it is.
        case .restarting(let wasReverse) where !rate.isPaused && isReverse != wasReverse: break
        // Opened anew it would stand at its start, from where backwards there is no way.
        case .restarting(isReverse: true):
            self.current?.hasEnded = true
            setRate(.paused)
        case .restarting: openAnew()
        }
    }

    /// A seek that was to lead elsewhere did not: the film is where it is.
    mutating func tellPlace(of id: ItemID) {
        guard let current, let item = items[id] else { return }
        let time = item.timeline.time(at: now)
        if current.isRunning, observers.place.distance(to: time) < Self.discontinuity {
            tell(observers.run(to: time, isReverse: item.timeline.rate.isReverse))
        } else if observers.place != time {
            tell(observers.jump(to: time))
        }
    }

    private mutating func ended(_ opening: Opening, _ isLooping: Bool) {
        guard let id = item(of: opening), let item = items[id], current?.hasEnded == false else { return }
        // On its way to somewhere else it has not played to its end, once it gets there.
        guard item.wish == nil, !isScrubbing else {
            if current?.unsettledEnd == nil { current?.unsettledEnd = .untold(isLooping: isLooping) }
            return
        }
        current?.unsettledEnd = nil
        let isReverse = item.timeline.rate.isReverse
        let end = isReverse ? .zero : item.timeline.duration ?? item.timeline.time(at: now)
        items[id]?.timeline.place(at: end, now)
        tell(observers.run(to: end, isReverse: isReverse))
        outputs.append(.player(.didPlayToEnd(id)))
        if isLooping {
            let start = isReverse ? item.timeline.duration ?? .zero : .zero
            items[id]?.timeline.place(at: start, now)
            tell(observers.jump(to: start))
            return
        }
        current?.hasEnded = true
        // Backwards, what follows would be at its end at once.
        switch isReverse && !list.isLooping ? .nothing : list.goOn() {
        case .again: restart()
        case .item: advance()
        case .nothing where actionAtItemEnd == .advance && !isReverse: advance()
        case .nothing:
            setRate(.paused)
            if actionAtItemEnd == .rewind { restart() } else { outputs.append(.engine(.stand(opening))) }
        }
    }

    private mutating func failed(_ opening: Opening, _ failure: MediaFailure) {
        guard let id = item(of: opening) else { return }
        leave()
        change(id) { $0.status = .failed(failure) }
        outputs.append(.player(.failed(id, failure)))
        list.failures.failed(at: now)
        guard list.followingFailure != nil else { return }
        list.advance()
        openCurrent()
    }
}
