internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// Where a film's sound goes. For the film's worker.
struct SoundRouting {
    /// ALSA's names, the best first, as the player last gave them.
    var devices: [String] = []
    /// Those of them that have failed since.
    var failed: Set<String> = []
    /// Where the sound goes now; `nil`: nowhere, or nobody knows yet.
    var current: String?
    /// Whether the first card's opening is over.
    var hasBegun = false
    /// What is being opened in place of the sink that plays.
    var opening: SoundCard?
    var second = Second()
    /// Counts the sinks: an older one's clock is not to be followed.
    var turn = 0
    /// A sink whose clock is to be followed, and that clock's time when it was last read.
    var newClock: (sink: Element, time: UInt64?)?

    var following = FilmPipeline.Following()

    /// Where the sound goes besides.
    struct Second {
        /// As for the first place; empty: nowhere.
        var devices: [String] = []
        var failed: Set<String> = []
        var current: String?
        var opening: SoundCard?

        /// What is better than what plays, and not the first place's.
        func better(than first: String?) -> [String] {
            devices.prefix { $0 != current }.filter { $0 != first && !failed.contains($0) }
        }

        func uses(_ device: String) -> Bool { device == current || opening?.devices.contains(device) == true }
    }

    /// Whether the card that plays is the one that is to, and its clock the film's.
    var isSettled: Bool { current != nil && opening == nil && newClock == nil && devices.first == current }

    /// It plays already.
    mutating func begin(with device: String?) {
        if devices.isEmpty { devices = [device].compactMap { $0 } }
        (current, hasBegun) = (device, true)
    }
}

/// The sound's way out is replaced while the film plays: its frames go on, none is lost.
extension FilmPipeline {
    /// Opens the card, beside the film.
    func beginSound() {
        guard let card = audio.card else { return }
        if routing.devices.isEmpty { routing.devices = card.devices }
        audio.begin()
        card.whenOpened(on: worker) { [weak self, news] outcome in
            for (device, failure) in outcome.failures { news.yield(.soundFailed(device: device, failure)) }
            if let silence = outcome.silence { news.yield(.warning(silence)) }
            news.yield(.soundDevice(outcome.device))
            guard let self else { return }
            routing.hasBegun = true
            routing.current = outcome.device
            routing.failed.formUnion(outcome.failures.map(\.device))
            improveSound()
        }
    }

    /// Where the sound is to go from now on, the best first. Returns at once; a sink that plays is replaced once a better one is open.
    /// - Parameter second: where it is to go besides; empty: nowhere.
    public func setSoundDevices(_ devices: [String], second: [String]) {
        worker.async { [self] in
            guard !isClosed, audio.card != nil else { return }
            routing.devices = devices
            routing.failed = []
            routing.second.devices = second
            routing.second.failed = []
            // First: the first place may be to go there.
            if let current = routing.second.current, !second.contains(current) { replaceSecond(with: nil, nil) }
            if hold != nil, routing.following.handed == nil {
                audio.prepare(SoundCard(devices))
            } else {
                improveSound()
            }
        }
    }

    /// Opens what is better than the sink that plays.
    func improveSound() {
        guard !isClosed, teardown.stage == .running, hold == nil, routing.hasBegun, audio.isLinked,
            routing.opening == nil, !routing.following.hasGiven
        else {
            return
        }
        let better = routing.devices.prefix { $0 != routing.current }.filter {
            !routing.failed.contains($0) && !routing.second.uses($0)
        }
        guard !better.isEmpty else { return improveSecond() }
        let card = SoundCard(better)
        routing.opening = card
        card.begin()
        card.whenOpened(on: worker) { [weak self] outcome in
            guard let self else { return card.release() }
            routing.opening = nil
            take(card, outcome)
        }
    }

    private func take(_ card: SoundCard, _ outcome: SoundCard.Outcome) {
        guard !isClosed, teardown.stage == .running else { return card.release() }
        for (device, failure) in outcome.failures {
            routing.failed.insert(device)
            news.yield(.soundFailed(device: device, failure))
        }
        if let device = outcome.device {
            // The wish may be another one by now.
            if routing.devices.prefix(while: { $0 != routing.current }).contains(device) {
                replaceSink(with: card, device)
            } else {
                card.release()
            }
        } else if routing.current == nil, let silence = outcome.silence {
            news.yield(.warning(silence))
        }
        improveSound()
    }

    /// The card went away, or refuses the sound: the next one is tried. Before there are tracks, the film is opened anew without.
    func loseSound(_ failure: MediaFailure) {
        guard audio.isLinked, teardown.stage == .running else { return fail(failure) }
        debugLog(pipeline, "the sound is lost: \(failure.message)")
        if let device = routing.current {
            routing.failed.insert(device)
            news.yield(.soundFailed(device: device, failure.code == .notFound ? .lost : .refuses))
        }
        replaceSink(with: nil, nil)
        goOnChangingState()
        if routing.devices.contains(where: { !routing.failed.contains($0) }) {
            improveSound()
        } else {
            news.yield(.warning("no sound: the sound card went away or refuses the film's sound"))
        }
    }

    /// Opens the second place, after the first one.
    private func improveSecond() {
        guard routing.second.opening == nil else { return }
        let better = routing.second.better(than: routing.current)
        guard !better.isEmpty else { return }
        let card = SoundCard(better, name: SoundCard.secondName)
        routing.second.opening = card
        card.begin()
        card.whenOpened(on: worker) { [weak self] outcome in
            guard let self else { return card.release() }
            routing.second.opening = nil
            takeSecond(card, outcome)
        }
    }

    private func takeSecond(_ card: SoundCard, _ outcome: SoundCard.Outcome) {
        guard !isClosed, teardown.stage == .running else { return card.release() }
        for (device, failure) in outcome.failures {
            routing.second.failed.insert(device)
            news.yield(.soundFailed(device: device, failure))
        }
        if let device = outcome.device {
            // The wish may be another one by now.
            if routing.second.better(than: routing.current).contains(device) {
                replaceSecond(with: card, device)
            } else {
                card.release()
            }
        }
        improveSound()
    }

    /// The second card went away: the film's sound goes on at the first one.
    /// - Parameter sink: the one that failed; one that was replaced is not heard any more.
    func loseSecondSound(_ sink: Element?, _ failure: SoundRouter.Failure) {
        guard teardown.stage == .running, sink == audio.secondSink, let device = routing.second.current else { return }
        routing.second.failed.insert(device)
        news.yield(.soundFailed(device: device, failure))
        news.yield(.warning("the second sound card went away or refuses the film's sound"))
        replaceSecond(with: nil, nil)
        goOnChangingState()
        improveSound()
    }

    /// An element's error breaks off the change of state that its pipeline is in, which then never ends (gst_bin_handle_message_func).
    /// Without the element it is begun again.
    private func goOnChangingState() {
        guard !isClosed, teardown.stage == .running, pipeline.state.result == GST_STATE_CHANGE_FAILURE else { return }
        debugLog(pipeline, "the change of state goes on")
        change(to: isReady && wantsPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
        guard pipeline.state.result == GST_STATE_CHANGE_SUCCESS else { return }
        // All is there, which nothing tells any more. What is told of its picture comes first, as ever.
        drainBus()
        if isReady { news.yield(.settled) } else if !facts.isLive { becomeReady() }
    }

    private func replaceSecond(with card: SoundCard?, _ device: String?) {
        debugLog(pipeline, "sound besides to \(device ?? "nothing")")
        routing.second.current = device
        do throws(MediaFailure) {
            try audio.setSecond(card, in: pipeline)
        } catch {
            return fail(error)
        }
        news.yield(.secondSoundDevice(device))
    }

    private func replaceSink(with card: SoundCard?, _ device: String?) {
        debugLog(pipeline, "sound to \(device ?? "nothing")")
        let before = audio.card
        // What the sink before knows of the time goes with it.
        audio.clock.follow(nil)
        do throws(MediaFailure) {
            try audio.replace(with: card, in: pipeline)
        } catch {
            return fail(error)
        }
        before?.releaseLater()
        routing.current = device
        routing.turn += 1
        news.yield(.soundDevice(device))
        routing.newClock = card?.sink.map { ($0, $0.providedTime) }
        followNewClock()
    }

    /// Has the film play by a new card's clock once that runs: it stands until the card's buffer is full for the first time, and while
    /// the film is paused.
    func followNewClock() {
        guard wantsPlaying, routing.newClock != nil else { return }
        let turn = routing.turn
        worker.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in
            guard let self, !isClosed, routing.turn == turn, let (sink, before) = routing.newClock else { return }
            let time = sink.providedTime
            guard let time, time != before else {
                routing.newClock = (sink, time)
                return followNewClock()
            }
            routing.newClock = nil
            audio.clock.follow(sink)
        }
    }
}
