internal import CGStreamer
internal import Dispatch
public import PlayerCore

/// The places of a film's sound. Only the film's worker uses it.
struct SoundRouting {
    var places = SoundPlaces(first: Place(), second: Place())
    /// ALSA's names of the devices that must not be heard.
    var forbidden: Set<String> = []
    /// Whether the first card has opened, or failed to.
    var hasBegun = false
    /// The number of sinks so far: the clock of an older sink is not followed.
    var turn = 0
    /// A sink whose clock is to be followed once it runs, and the clock's time when last read.
    var newClock: (sink: Element, time: UInt64?)?

    var following = FilmPipeline.Following()

    struct Place {
        /// ALSA's names, the best first, as the player last set them; empty if this place is not used.
        var devices: [String] = []
        /// The devices that have failed since.
        var failed: Set<String> = []
        /// The device that plays; `nil` if there is none, or none yet.
        var current: String?
        /// The card that is being opened to replace the current one.
        var openingCard: SoundCard?

        mutating func set(_ devices: [String]) { (self.devices, failed) = (devices, []) }

        func uses(_ device: String) -> Bool { device == current || openingCard?.devices.contains(device) == true }
    }

    /// The devices that are better than the current one and not used by the other place.
    func better(at place: SoundPlace) -> [String] {
        let here = places[place]
        return here.devices.prefix { $0 != here.current }.filter { device in
            switch place {
            case .first where places.second.uses(device), .second where places.first.current == device: false
            case .first, .second: !here.failed.contains(device)
            }
        }
    }

    /// Whether a forbidden device plays, and there is no other.
    var isForbidden: Bool { places.first.current.map(forbidden.contains) == true && better(at: .first).isEmpty }

    /// Whether the best card plays, and the film follows its clock.
    var isSettled: Bool {
        let first = places.first
        return first.current != nil && first.openingCard == nil && newClock == nil
            && first.devices.first == first.current && places.second.openingCard == nil
    }

    /// Takes over a device that plays already.
    mutating func begin(with device: String?) {
        if places.first.devices.isEmpty { places.first.devices = [device].compactMap { $0 } }
        (places.first.current, hasBegun) = (device, true)
    }
}

/// Replaces the sound's sink while the film plays. The frames continue.
extension FilmPipeline {
    /// Opens the card while the film is being opened.
    func beginSound() {
        guard let card = audio.card else { return }
        if routing.places.first.devices.isEmpty { routing.places.first.devices = card.devices }
        audio.begin()
        card.whenOpened(on: worker) { [weak self, news] outcome in
            for (device, failure) in outcome.failures { news.yield(.soundFailed(device: device, failure)) }
            if let silence = outcome.silence { news.yield(.warning(silence)) }
            news.yield(.soundDevice(outcome.device, .first))
            guard let self else { return }
            routing.hasBegun = true
            routing.places.first.current = outcome.device
            routing.places.first.failed.formUnion(outcome.failures.map(\.device))
            watchServer(of: card)
            improveSound()
        }
    }

    /// Sets the devices of both places, the best first. Returns at once. The current sink is replaced once a better one is open. It
    /// continues while there is none, unless it is forbidden.
    public func setSoundDevices(_ devices: SoundPlaces<[String]>, forbidden: Set<String>) {
        worker.async { [self] in
            guard !isClosed, audio.card != nil else { return }
            routing.forbidden = forbidden
            for place in SoundPlace.allCases { routing.places[place].set(devices[place]) }
            // The second place gives its device up first, because the first place may need it.
            if let current = routing.places.second.current, !devices.second.contains(current) { setSecond(nil) }
            if prerollHold != nil, routing.following.handed == nil {
                audio.prepare(SoundCard(devices.first))
            } else {
                improveSound()
            }
        }
    }

    /// Opens a better device than the current one, if there is one.
    func improveSound() {
        guard !isClosed, teardown.stage == .running, prerollHold == nil, routing.hasBegun, audio.isLinked,
            routing.places.first.openingCard == nil, !routing.following.hasGiven, !hasLostServer
        else { return }
        let better = routing.better(at: .first)
        guard better.isEmpty else { return open(better, at: .first) }
        if routing.isForbidden { replaceSink(with: nil, nil) }
        // The second place chooses after the first one.
        let second = routing.better(at: .second)
        if routing.places.second.openingCard == nil, !second.isEmpty { open(second, at: .second) }
    }

    private func open(_ devices: [String], at place: SoundPlace) {
        let card = SoundCard(devices)
        routing.places[place].openingCard = card
        card.begin()
        card.whenOpened(on: worker) { [weak self] outcome in
            guard let self else { return card.release() }
            routing.places[place].openingCard = nil
            take(card, outcome, at: place)
        }
    }

    private func take(_ card: SoundCard, _ outcome: SoundCard.Outcome, at place: SoundPlace) {
        guard !isClosed, teardown.stage == .running else { return card.release() }
        for (device, failure) in outcome.failures {
            routing.places[place].failed.insert(device)
            news.yield(.soundFailed(device: device, failure))
        }
        // The wanted device may have changed meanwhile. The sink of a server that has ended cannot be replaced.
        if hasLostServer || card.hasLostServer {
            card.releaseLater()
        } else if let device = outcome.device, !routing.better(at: place).contains(device) {
            card.release()
        } else if let device = outcome.device {
            switch place {
            case .first: replaceSink(with: card, device)
            case .second: openSecond(card, device)
            }
        } else if place == .first, routing.places.first.current == nil, let silence = outcome.silence {
            news.yield(.warning(silence))
        }
        improveSound()
    }

    /// Handles a card that vanished or refuses the sound: tries the next one. Before there are tracks, the film fails and is
    /// reopened without sound.
    func loseSound(_ failure: MediaFailure) {
        guard audio.isLinked, teardown.stage == .running else { return fail(failure) }
        // The film is about to be opened anew.
        guard !hasLostServer else { return }
        debugLog(pipeline, "the sound is lost: \(failure.message)")
        if let device = routing.places.first.current {
            routing.places.first.failed.insert(device)
            let details = failure.details ?? failure.message
            news.yield(
                .soundFailed(device: device, failure.code == .notFound ? .lost : .refuses, details: details))
        }
        replaceSink(with: nil, nil)
        goOnChangingState()
        if !routing.places.first.devices.allSatisfy(routing.places.first.failed.contains) {
            improveSound()
        } else {
            news.yield(.warning("no sound: the sound card went away or refuses the film's sound"))
        }
    }

    /// Repeats a state change that the sink's error has aborted: otherwise it never ends (gst_bin_handle_message_func). Call it
    /// once the sink is removed.
    private func goOnChangingState() {
        guard !isClosed, teardown.stage == .running, pipeline.state.result == GST_STATE_CHANGE_FAILURE else { return }
        debugLog(pipeline, "the change of state goes on")
        change(to: isReady && wantsPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
        guard pipeline.state.result == GST_STATE_CHANGE_SUCCESS else { return }
        // The change is complete, and no message reports it. The frame's message is handled first, as always.
        drainBus()
        if isReady { news.yield(.settled) } else if !mediaInfo.isLive { becomeReady() }
    }

    private func replaceSink(with card: SoundCard?, _ device: String?) {
        debugLog(pipeline, "sound to \(device ?? "nothing")")
        let before = audio.card
        // The clock of the previous sink vanishes with it.
        audio.clock.follow(nil)
        do throws(MediaFailure) {
            try audio.replace(with: card, in: pipeline)
        } catch {
            return fail(error)
        }
        before?.releaseLater()
        routing.places.first.current = device
        routing.turn += 1
        news.yield(.soundDevice(device, .first))
        routing.newClock = card?.sink.map { ($0, $0.providedTime) }
        followNewClock()
        if let card { watchServer(of: card) }
    }

    /// Reports the end of the sound server that a card plays into. The newest film that has the card reports it.
    func watchServer(of card: SoundCard) {
        card.whenServerEnds { [weak self, weak card] in
            guard let self, let card, card === audio.card else { return }
            news.yield(.soundServerEnded)
        }
    }

    /// Whether the first card's sink never ends by itself, so that it cannot be replaced.
    private var hasLostServer: Bool { audio.card?.hasLostServer ?? false }

    /// Makes the film follow a new card's clock once that runs. It stands until the card's buffer is full for the first time,
    /// and while the film is paused.
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

/// The second place. The film never waits for that card's driver.
extension FilmPipeline {
    private func openSecond(_ card: SoundCard, _ device: String) {
        do throws(MediaFailure) {
            let second = try SecondSound(card, device, by: audio.clock)
            hear(of: second)
            setSecond(second)
        } catch {
            card.releaseLater()
            fail(error)
        }
    }

    private func setSecond(_ second: SecondSound?) {
        debugLog(pipeline, "sound besides to \(second?.device ?? "nothing")")
        routing.places.second.current = second?.device
        audio.setSecond(second)
        leadSecondSound()
        news.yield(.soundDevice(second?.device, .second))
    }

    private func hear(of second: SecondSound) {
        second.whenFailed { [weak self, weak second] failure in
            guard let self, let second else { return }
            worker.async { self.loseSecondSound(second, failure) }
        }
        second.card.whenServerEnds { [weak self, weak second] in
            guard let self, let second else { return }
            worker.async { self.loseSecondSound(second, .lost) }
        }
    }

    /// Handles a second card that vanished, hangs or refuses the sound. The first place plays on.
    private func loseSecondSound(_ second: SecondSound, _ failure: SoundRouter.Failure) {
        guard teardown.stage == .running, second === audio.second else { return }
        routing.places.second.failed.insert(second.device)
        news.yield(.soundFailed(device: second.device, failure))
        news.yield(.warning("the second sound card went away, hangs or refuses the film's sound"))
        // Without waiting, because the driver may hang.
        audio.takeSecond()?.close(waits: false)
        setSecond(nil)
        improveSound()
    }

    /// Makes the second place play and pause with the film.
    func leadSecondSound() {
        // While handed over, it still plays the end of the previous film.
        guard let second = audio.second, routing.following.handed == nil else { return }
        let state = pipeline.state
        second.follow(
            isPlaying: state.current == GST_STATE_PLAYING && state.result == GST_STATE_CHANGE_SUCCESS,
            base: pipeline.baseTime + (info.clockedSink?.sinkLatency ?? 0))
    }

    /// Takes over the second place of the previous film.
    func take(_ second: SecondSound) {
        guard routing.places.second.devices.contains(second.device) else { return setSecond(nil) }
        routing.places.second.current = second.device
        hear(of: second)
    }
}
