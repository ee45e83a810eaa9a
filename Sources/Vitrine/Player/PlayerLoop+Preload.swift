internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// A film that can be preloaded, with everything that the preload depends on, except the display: when that changes,
/// all films are closed.
struct NextItem: Hashable, Sendable {
    var location: MediaLocation
    var gravity: VideoGravity
    var area: OSDLayout.Rectangle?
    var audio: TrackPreference
    var hasSound: Bool
    var soundDevices: SoundPlaces<[String]>
}

/// Preloads the next film while the current one plays.
extension PlayerLoop {
    /// The output with which a film is opened now.
    func output(of location: MediaLocation) -> FilmOutput {
        let hasSound = options.hasSound && location != logged.silent
        var output = FilmOutput(screen: stage.screen, hasSound: hasSound, sound: preferences.sound)
        output.audio = preferences.audio
        output.avoidedDecoders = logged.avoidedDecoders(of: location, on: output.screen)
        return withSound(output)
    }

    /// The output with the current sound settings.
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

    /// Decides about preloading. Called after everything that may have changed the situation. Films over a network are
    /// not preloaded: their server would have to wait.
    func observeNextItem(at now: MonotonicTime) {
        let next = link.next.flatMap { $0.isLocal ? nextItem($0) : nil }
        // The film that plays has the processor to itself until it is visible.
        let isSeen = session.mediaInfo != nil && session.pipeline?.frames.shown ?? 0 > 0
        let choice = isSeen ? input.visit.choice.location.flatMap { $0.isLocal ? nextItem($0) : nil } : nil
        let situation = Preloading<NextItem>.Situation(
            next: next, choice: choice, rest: next.flatMap { _ in session.rest(at: now) },
            length: session.duration.flatMap { session.rate.clockTime(for: $0) },
            isRunning: session.run.state == .playing && session.scrubber.isPlaying && !stage.isUnplugged
                && !stage.isMoving,
            isSeeking: session.scrubber.isSeeking)
        for action in stage.preloading.observe(situation, at: now) {
            switch action {
            case .preload(let film): preload(film)
            case .drop: dropPreloaded()
            }
        }
    }

    /// Preloads in the order of all work on films, but without their plane and sound card.
    private func preload(_ next: NextItem) {
        let (location, output, beforeFilm) = (next.location, output(of: next.location), options.beforeFilm)
        let filmDisplay = stage.filmDisplay
        let (before, spare) = (filmWork, session.pipeline?.takeSpare())
        let makePipeline = makePipeline
        let made = Task { () -> (any MediaPipeline)? in
            await before?.value
            return await runBlocking {
                // A preload may crash the program, too.
                beforeFilm?(.preloads(location))
                let film = try? makePipeline(location, output, filmDisplay, true, spare)
                film?.preload()
                return film
            }
        }
        let current = session.pipeline
        let isFromStart = embedding.next.isFromStart && link.next == location
        afterFilmWork { player in
            guard let film = await made.value, isFromStart, player.stage.preloadedFilm == made else { return }
            current?.beFollowed(by: film)
        }
        stage.preloadedFilm = made
        log.debug("\(location.name) is preloaded")
    }

    private func dropPreloaded() {
        guard let made = stage.preloadedFilm else { return }
        stage.preloadedFilm = nil
        session.pipeline?.beFollowed(by: nil)
        log.debug("the preloaded film is not needed any more")
        afterFilmWork { player in
            let film = await made.value
            player.options.beforeFilm?(.dropped)
            if let film, await !film.close() {
                player.log.error("\(film.location.name): GStreamer did not let go of it")
            }
        }
    }

    /// Ends preloading, because a film, or, with `nil`, none is opened.
    /// - Returns: the film, if it is the preloaded one; any other preloaded film is closed.
    func takePreloaded(_ location: MediaLocation?) -> Task<(any MediaPipeline)?, Never>? {
        guard stage.preloading.end(with: location.map { nextItem($0) }) else {
            dropPreloaded()
            return nil
        }
        defer { stage.preloadedFilm = nil }
        return stage.preloadedFilm
    }

    /// The preloaded film, if it succeeded. Otherwise the film is opened again, alone: its decoder may serve only one
    /// film at a time, and its error is reported then.
    func readyFilm(_ preloaded: Task<(any MediaPipeline)?, Never>?) async -> (any MediaPipeline)? {
        let film = await preloaded?.value
        if let film, !film.hasFailedPreroll { return film }
        _ = await film?.close()
        // The outgoing film, too, which may still hold the decoder.
        _ = await stage.outgoing?.close(.stays)
        return nil
    }

    /// Opens a preloaded film again, alone, once, if it failed before it played or showed its first frame.
    /// - Returns: whether it is opened again.
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
