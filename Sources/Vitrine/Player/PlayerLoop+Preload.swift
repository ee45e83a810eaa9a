internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// A film that can be made ready, with all that this depends on besides the display, which takes every film with it when it
/// changes.
struct NextItem: Hashable, Sendable {
    var location: MediaLocation
    var gravity: VideoGravity
    var area: OSDLayout.Rectangle?
    var audio: TrackPreference
    var hasSound: Bool
    var soundDevices: SoundPlaces<[String]>
}

/// The film that follows is made ready while the one before plays.
extension PlayerLoop {
    /// Where and how a film is to be opened now.
    func output(of location: MediaLocation) -> FilmOutput {
        let hasSound = options.hasSound && location != logged.silent
        var output = FilmOutput(screen: stage.screen, hasSound: hasSound, sound: preferences.sound)
        output.audio = preferences.audio
        output.avoidedDecoders = logged.avoidedDecoders(of: location, on: output.screen)
        return withSound(output)
    }

    /// Where its sound is to come out now.
    func withSound(_ output: FilmOutput) -> FilmOutput {
        var output = output
        output.soundDevices = soundOutput.devices
        return output
    }

    private func nextItem(_ location: MediaLocation) -> NextItem {
        let output = output(of: location)
        return NextItem(
            location: location, gravity: stage.gravity, area: stage.area, audio: output.audio,
            hasSound: output.hasSound,
            soundDevices: output.soundDevices
        )
    }

    /// What comes at the end of the film that plays; `nil` where that is nothing, or the same film without being opened anew.
    func setNext(_ location: MediaLocation?) {
        link.next = location
        reschedule()
    }

    /// Called after everything that may have changed something. What comes over a network is not made ready: its server would
    /// have to wait.
    func observeNextItem(at now: MonotonicTime) {
        let next = link.next.flatMap { $0.isLocal ? nextItem($0) : nil }
        // The film that plays has the processor until it is seen.
        let isSeen = session.mediaInfo != nil && session.pipeline?.frames.shown ?? 0 > 0
        let choice = isSeen ? input.visit.choice.location.flatMap { $0.isLocal ? nextItem($0) : nil } : nil
        let situation = Preloading<NextItem>.Situation(
            next: next, choice: choice, rest: next.flatMap { _ in session.rest(at: now) },
            length: session.duration.flatMap { session.rate.clockTime(for: $0) },
            isRunning: session.run.state == .playing && session.scrubber.isPlaying && !stage.isUnplugged
                && !stage.isMoving,
            isSeeking: session.scrubber.isSeeking)
        for action in preloading.observe(situation, at: now) {
            switch action {
            case .preload(let film): preload(film)
            case .drop: dropPreloaded()
            }
        }
    }

    /// In the order of all that is done with films, but without their plane and sound card.
    private func preload(_ next: NextItem) {
        let (location, output, beforeFilm) = (next.location, output(of: next.location), options.beforeFilm)
        let filmDisplay = stage.filmDisplay
        let (before, spare) = (filmWork, session.pipeline?.takeSpare())
        let makePipeline = makePipeline
        let made = Task { () -> (any MediaPipeline)? in
            await before?.value
            return await offLoop {
                // It may bring the program down as well as one that is seen.
                beforeFilm?(.preloads(location))
                let film = try? makePipeline(location, output, filmDisplay, true, spare)
                film?.preload()
                return film
            }
        }
        let current = session.pipeline
        let isFromStart = embedding.next.isFromStart && link.next == location
        afterFilmWork { player in
            guard let film = await made.value, isFromStart, player.preloadedFilm == made else { return }
            current?.beFollowed(by: film)
        }
        preloadedFilm = made
        log.debug("\(location.name) is made ready")
    }

    private func dropPreloaded() {
        guard let made = preloadedFilm else { return }
        preloadedFilm = nil
        session.pipeline?.beFollowed(by: nil)
        log.debug("what was made ready is not wanted any more")
        afterFilmWork { player in
            let film = await made.value
            player.options.beforeFilm?(.dropped)
            if let film, await !film.close() {
                player.log.error("\(film.location.name): GStreamer did not let go of it")
            }
        }
    }

    /// A film is opened, or, with `nil`, none.
    /// - Returns: the film, if it is the one that was made ready; what was made ready besides is closed.
    func takePreloaded(_ location: MediaLocation?) -> Task<(any MediaPipeline)?, Never>? {
        guard preloading.end(with: location.map { nextItem($0) }) else {
            dropPreloaded()
            return nil
        }
        defer { preloadedFilm = nil }
        return preloadedFilm
    }

    /// What was made ready, if all went well. Else the film is opened anew, alone: its decoder may be one that a single film can
    /// have at a time, and what is wrong with it is told then.
    func readyFilm(_ preloaded: Task<(any MediaPipeline)?, Never>?) async -> (any MediaPipeline)? {
        let film = await preloaded?.value
        if let film, !film.hasFailedPreroll { return film }
        _ = await film?.close()
        // Its decoder, too, where it stood aside for a film that came to nothing.
        _ = await stage.outgoing?.close(.stays)
        return nil
    }

    /// A film that was made ready failed before it played, or was to show its first frame: the same, once.
    /// - Returns: whether it is opened anew.
    func opensAlone(after failure: MediaFailure) -> Bool {
        guard let again = session.run.deferredLoad, let film = session.pipeline,
            session.mediaInfo == nil || film.frames.shown == 0, failure.reason != .stuck
        else {
            return false
        }
        log.debug("\(failure.message): \(film.location.name) is opened alone")
        session.run.deferredLoad = nil
        open(at: again.time)
        return true
    }
}
