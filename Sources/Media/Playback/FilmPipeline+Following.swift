internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// A film's sound goes on with that of the film that follows, from sample to sample, in a card that is neither closed nor stopped:
/// while the last fifth of a second is still to be heard, the card's sink changes pipelines.
extension FilmPipeline {
    struct Following {
        /// What follows by itself, from its start, and is held.
        weak var next: FilmPipeline?
        /// It has the card.
        var hasGiven = false
        /// The card was the film's before, and plays this one's sound; until this one plays.
        var handed: HandedSound?
    }

    /// So much sooner than the film its sound may end, and the next film's follows at once: its frames come as late then, which nobody
    /// sees.
    private static let leastSilence = MediaTime.milliseconds(60)
    /// For so long a card plays nothing; of a film that goes on for longer it is closed.
    private static let longestSilence = MediaTime.seconds(1)

    /// How late a frame may be, in ns: GstVideoSink's own.
    private static let lateness = 5_000_000

    /// What follows by itself, from its start, and was made ready; `nil`: nothing, or that has changed.
    public func beFollowed(by next: FilmPipeline?) {
        worker.async { [self] in
            if next == nil { takeSoundBack() }
            routing.following.next = next
            debugLog(pipeline, "is followed by \(next?.location.name ?? "nothing")")
            if !isClosed { audio.setFollowed(next != nil) }
        }
    }

    /// Whether what is heard now goes on undisturbed.
    private var mayGiveSound: Bool {
        !isClosed && isReady && wantsPlaying && teardown.stage == .running && seeks.rate == .normal
            && !seeks.isScrubMuted
            && !seeks.loop.isWanted && !mediaInfo.isLive && routing.isSettled
    }

    /// All of the sound is on its way to the card, and the end waits.
    func soundEnds(at end: GstClockTime, place: MediaTime?) {
        guard mayGiveSound, let next = routing.following.next, let format = audio.format, let place,
            let duration = mediaInfo.duration, duration - place < Self.longestSilence
        else { return audio.letEnd() }
        let (sound, silence) = (audio.sound, duration - place)
        let start = silence > Self.leastSilence ? end + GstClockTime(silence.nanoseconds) : end
        next.worker.async { [self] in
            let isTaken = next.mayTakeSound(format, sound)
            worker.async { [self] in
                guard isTaken, mayGiveSound, routing.following.next === next else { return audio.letEnd() }
                giveSound(to: next, at: start)
            }
        }
    }

    private func giveSound(to next: FilmPipeline, at start: GstClockTime) {
        do throws(MediaFailure) {
            guard let (card, second) = try audio.give(from: pipeline) else { return }
            debugLog(pipeline, "the sound goes on with \(next.location.name)")
            routing.following.hasGiven = true
            let handed = HandedSound(
                card: card, device: routing.places.first.current, clock: audio.clock, second: second,
                start: pipeline.baseTime + start)
            next.worker.async { next.take(handed) }
        } catch {
            fail(error)
        }
    }

    /// It is paused, or sought in, in the moment between: what was to follow is opened anew then.
    func takeSoundBack() {
        guard routing.following.hasGiven else { return }
        routing.following.hasGiven = false
        guard let next = routing.following.next else { return }
        next.worker.async { [self] in
            guard next.prerollHold != nil else { return }
            next.fail(MediaFailure(reason: .other, message: "\(next.location.name) does not follow yet"))
            worker.async { [self] in
                for place in SoundPlace.allCases { routing.places[place].current = nil }
                improveSound()
            }
        }
    }

    private func mayTakeSound(_ format: Caps, _ sound: FilmOutput.Sound) -> Bool {
        guard !isClosed, !hasFailed, prerollHold?.isFull == true, audio.card != nil, audio.sound == sound,
            let formats = linker?.blockedSounds, !formats.isEmpty
        else { return false }
        return formats.allSatisfy { $0.text == format.text }
    }

    private func take(_ sound: HandedSound) {
        guard !isClosed, !hasFailed, prerollHold != nil, let source = source.element, let linker else {
            sound.second?.close()
            return sound.card.releaseLater()
        }
        routing.following.handed = sound
        routing.begin(with: sound.device)
        audio.adopt(sound)
        if let second = sound.second { take(second) }
        sound.clock.lead(pipeline)
        _ = linker.release(source)
    }

    /// The first frames are late by what the change of films takes: all of them are shown, as fast as the display can.
    private func catchUp() {
        let sink = video.sink
        guard sink.has("max-lateness") else { return }
        sink.set("max-lateness", to: -1)
        sink.set("qos", to: false)
        worker.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
            guard let self, !isClosed else { return }
            sink.set("max-lateness", to: Self.lateness)
            sink.set("qos", to: !overload.isLasting)
        }
    }

    /// Before the state of a film whose sound plays already: its time began with that.
    func join(_ state: GstState) {
        guard let sound = routing.following.handed else { return }
        routing.following.handed = nil
        guard let sink = sound.card.sink else { return }
        sink.lockState(false)
        guard state == GST_STATE_PLAYING else {
            sink.set(state)
            leadSecondSound()
            return
        }
        let now = sound.clock.time
        guard now > sound.start else { return }
        pipeline.startTime = now - sound.start
        catchUp()
    }
}
