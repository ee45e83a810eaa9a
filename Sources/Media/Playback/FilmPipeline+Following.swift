internal import CGStreamer
internal import Dispatch
internal import PlayerCore

/// Joins a film's sound to the next film's without a gap. The card is neither closed nor stopped: its sink moves to the next
/// pipeline while it still plays the last 200 ms.
extension FilmPipeline {
    struct Following {
        /// The next film, which is held and will play from its start.
        weak var next: FilmPipeline?
        /// Whether the next film has the card.
        var hasGiven = false
        /// The card of the previous film, which plays this film's sound; `nil` once this film plays.
        var handed: HandedSound?
    }

    /// If the sound ends before the film by less than this, the next sound follows at once. The next film's frames are then late by
    /// as much, which is not visible.
    private static let leastSilence = MediaTime.milliseconds(60)
    /// The card plays nothing for at most this long. If the film continues for longer after its sound, the card is closed.
    private static let longestSilence = MediaTime.seconds(1)

    /// GstVideoSink's default of max-lateness, in ns.
    private static let lateness = 5_000_000

    /// Sets the preloaded film that will follow from its start; `nil` if none will.
    public func beFollowed(by next: FilmPipeline?) {
        worker.async { [self] in
            if next == nil { takeSoundBack() }
            routing.following.next = next
            debugLog(pipeline, "is followed by \(next?.location.name ?? "nothing")")
            if !isClosed { audio.setFollowed(next != nil) }
        }
    }

    /// Whether the sound plays on undisturbed.
    private var mayGiveSound: Bool {
        !isClosed && isReady && wantsPlaying && teardown.stage == .running && seeks.rate == .normal
            && !seeks.isScrubMuted
            && !seeks.loop.isWanted && !mediaInfo.isLive && routing.isSettled
    }

    /// Handles the end of the sound, which waits while the last samples are on their way to the card.
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

    /// Takes the card back if this film is paused or sought in after the handover. The next film is then reopened.
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
        watchServer(of: sound.card)
        if let second = sound.second { take(second) }
        sound.clock.lead(pipeline)
        _ = linker.release(source)
    }

    /// Shows all first frames, although they are late by the time that the change of films takes.
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

    /// Prepares the first state of a film whose sound already plays: its time began with the sound.
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
