extension PlaybackMachine {
    mutating func handle(_ command: Command) {
        switch command {
        case .setRate(let rate): setRate(rate.playable)
        case .setVolume(let percent): setLoudness(Loudness(percent: percent, isMuted: loudness.isMuted))
        case .setMuted(let isMuted): setLoudness(Loudness(percent: loudness.percent, isMuted: isMuted))
        case .setGravity(let gravity): setGravity(gravity)
        case .setActionAtItemEnd(let action): list.actionAtItemEnd = action
        case .setLoop(let loop): self.loop = loop
        case .replaceCurrent(let id): replaceCurrent(id)
        case .insert(let id, let before): insert(id, after: before)
        case .remove(let id): remove(id)
        case .removeAll: removeAll()
        case .advance: advance()
        case .seek(let id, let item, let target):
            if let item = item ?? currentItem { seek(id, item, target) }
        case .step(let id, let item, let count): step(id, item, count)
        case .cancelSeeks(let item, let id):
            if id == nil || items[item]?.wish?.id == id { cancelSeeks(item) }
        case .choose(let id, let kind, let choice): choose(id, kind, choice)
        case .wish(let kind, let wish):
            wishes[kind] = wish
            sendWish(kind, wish)
        case .beginScrubbing: beginScrubbing()
        case .scrub(let time):
            guard isScrubbing, let item = currentItem, item == scrubbedItem else { return }
            seek(nil, item, SeekTarget(time, within: .keyFrameBefore))
        case .endScrubbing(let time): endScrubbing(at: time)
        case .observe(let id, let kind):
            // Nobody has followed the film until now.
            if observers.isEmpty, let current, let item = items[current.item] {
                observers.stand(at: item.timeline.time(at: now))
            }
            observers.add(id, kind)
        case .endObserving(let id): observers.remove(id)
        }
    }

    mutating func setRate(_ rate: PlaybackRate) {
        if rate != self.rate {
            self.rate = rate
            outputs.append(.player(.rate(rate)))
        }
        applyRate()
        // Played to its end it has nowhere to go on to.
        if !rate.isPaused, current?.hasEnded == true { restart() }
    }

    mutating func setLoudness(_ loudness: Loudness) {
        guard loudness != self.loudness else { return }
        self.loudness = loudness
        outputs += [.engine(.setLoudness(loudness)), .player(.loudness(loudness))]
    }

    private mutating func setGravity(_ gravity: VideoGravity) {
        guard gravity != self.gravity else { return }
        self.gravity = gravity
        outputs.append(.engine(.setGravity(gravity)))
    }

    mutating func applyRate() {
        let rate = isScrubbing ? .paused : rate
        guard rate != sentRate else { return }
        sentRate = rate
        outputs.append(.engine(.setRate(rate)))
    }

    mutating func replaceCurrent(_ id: ItemID?) {
        guard let id else { return removeAll() }
        guard items[id] != nil else { return }
        if id == currentItem, current != nil { return }
        leave()
        list.play(id)
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    mutating func insert(_ id: ItemID, after before: ItemID?) {
        guard items[id] != nil, !queue.contains(id) else { return }
        let place = before.flatMap { queue.firstIndex(of: $0) }.map { $0 + 1 } ?? queue.endIndex
        list.insert(id, at: place)
        // At the end of those that failed, too, it is what comes next.
        guard current == nil else { return }
        if queue.count > 1, isFailed(queue[0]) { list.remove(queue[0]) }
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    private func isFailed(_ id: ItemID) -> Bool {
        if case .failed? = items[id]?.status { true } else { false }
    }

    mutating func remove(_ id: ItemID) {
        guard let place = queue.firstIndex(of: id) else { return }
        if place == 0 { leave() }
        list.remove(id)
        answer(items[id]?.forgetSeek(), of: id, false)
        if place == 0 { openCurrent() }
    }

    mutating func removeAll() {
        leave()
        for id in queue { answer(items[id]?.forgetSeek(), of: id, false) }
        list.removeAll()
        openCurrent()
    }

    mutating func advance() {
        guard !queue.isEmpty else { return }
        leave()
        list.advance()
        list.failures = PlaybackQueue.Failures()
        openCurrent()
    }

    mutating func choose(_ id: ItemID, _ kind: MediaCharacteristic, _ choice: TrackChoice) {
        guard let item = items[id] else { return }
        let isNew = item.choices[kind] ?? .automatic != choice
        items[id]?.choose(choice, of: kind)
        guard let current, current.item == id, isNew || choice == .automatic else { return }
        // What is chosen of this item is asked of those that follow, and the player's criteria stay what they are.
        switch choice {
        case .automatic: sendWish(kind, wishes[kind] ?? .none)
        case .off: sendWish(kind, .none)
        case .track(let place):
            let options = item.groups[kind]?.options ?? []
            if options.indices.contains(place), let language = options[place].language {
                sendWish(kind, .languages([language]))
            }
        }
        if isNew { outputs.append(.engine(.select(current.opening, kind, choice))) }
    }

    private mutating func sendWish(_ kind: MediaCharacteristic, _ wish: TrackWish) {
        guard sentWishes[kind] != wish else { return }
        sentWishes[kind] = wish
        outputs.append(.engine(.setWish(kind, wish)))
    }

    // MARK: Seeks

    mutating func seek(_ id: SeekID?, _ item: ItemID, _ target: SeekTarget) {
        guard let state = items[item], !isFailed(item), state.facts?.isSeekable != false else {
            return answer(id, of: item, false)
        }
        remember(id, item, target)
        if current?.item == item, current?.isOpen == true { sendSeek() }
    }

    private mutating func remember(_ id: SeekID?, _ item: ItemID, _ target: SeekTarget) {
        answer(items[item]?.remember(id, target), of: item, false)
        guard current?.item == item else { return }
        current?.seek = nil
        unsettleEnd()
    }

    /// Those that follow one another before they are done add up; what is sought before them is where they begin.
    mutating func step(_ id: SeekID, _ item: ItemID, _ count: Int) {
        guard count != 0, let current, current.item == item, current.isOpen, !current.isTouched, !isScrubbing,
            let state = items[item], let facts = state.facts, facts.hasVideo, facts.isSeekable, !facts.isLive
        else { return answer(id, of: item, false) }
        setRate(.paused)
        // Until its picture is there, for all that one knows.
        let way = (facts.frameDuration ?? .zero) * Int64(min(max(count, -Scrubber.mostSteps), Scrubber.mostSteps))
        let start = state.time(at: now).clamped(to: .zero ... .farthest)
        let place = (start + way).clamped(to: .zero...max(facts.duration ?? .farthest, .zero))
        remember(id, item, SeekTarget(place))
        outputs.append(.engine(.step(current.opening, number: engineSeek(SeekTarget(place)).number, by: count)))
    }

    mutating func sendSeek() {
        guard let current, let wish = items[current.item]?.wish else { return }
        outputs.append(.engine(.seek(current.opening, engineSeek(wish.target))))
    }

    mutating func engineSeek(_ target: SeekTarget) -> EngineSeek {
        seeks += 1
        current?.seek = seeks
        current?.unansweredSeek = seeks
        return EngineSeek(number: seeks, target: target)
    }

    /// What is under way cannot be called back; nobody waits for it any more.
    mutating func cancelSeeks(_ item: ItemID) {
        guard let state = items[item], state.wish != nil else { return }
        answer(items[item]?.forgetSeek(), of: item, false)
        guard current?.item == item else { return }
        current?.seek = nil
        tellPlace(of: item)
    }

    mutating func answer(_ id: SeekID?, of item: ItemID, _ isThere: Bool) {
        if let id { outputs.append(.sought(item, id, isThere)) }
    }

    mutating func restart() {
        guard let current, let item = items[current.item] else { return }
        guard item.facts?.isSeekable != false else { return openAnew() }
        seek(nil, current.item, SeekTarget(isReverse ? item.timeline.duration ?? .zero : .zero))
        // Under a finger a refusal is the finger's.
        let end: UnsettledEnd = current.isTouched ? .told : .restarting(isReverse: isReverse)
        self.current?.unsettledEnd = end
    }

    mutating func openAnew() {
        leave()
        openCurrent()
    }

    /// Backwards, unless the film is known not to be played so.
    var isReverse: Bool { rate.isReverse && current?.refusedRate != rate }

    // MARK: Scrubbing

    mutating func beginScrubbing() {
        guard !isScrubbing else { return }
        isScrubbing = true
        observers.isScrubbing = true
        scrubbedItem = currentItem
        if let item = currentItem { cancelSeeks(item) }
        unsettleEnd()
        applyRate()
    }

    mutating func endScrubbing(at time: MediaTime?) {
        guard isScrubbing else { return }
        isScrubbing = false
        observers.isScrubbing = false
        if let time, let item = currentItem, item == scrubbedItem { seek(nil, item, SeekTarget(time)) }
        applyRate()
        settleEnd()
    }
}
