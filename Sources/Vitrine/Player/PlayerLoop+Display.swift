internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    /// Handles an unplugged display: the film plays on unseen, or waits, as `options.whenUnplugged` says.
    func displayLeft() {
        guard !stage.isUnplugged else { return }
        stage.unplug()
        log.notice(
            "the display is unplugged: \(waitsForDisplay ? "the film waits" : "the film plays on")"
        )
        applyPlaying()
        notifyScreen()
    }

    /// Continues the film, at its position, on the display that `reopen` returns: plugged in again, in another mode,
    /// another one. A finger's drag continues. A display in standby stays off.
    /// - Parameter isReturn: whether the player was on a display before.
    /// - Returns: `false` if it cannot be opened: then it counts as unplugged.
    func move(
        isReturn: Bool = true, to reopen: @escaping @Sendable () throws(KMSError) -> Display
    ) async -> Bool {
        guard isRunning, !stage.isMoving else { return true }
        stage.beginMoving(resume: session.film.map { _ in DeferredLoad(time: losePipeline()) })
        // The sinks stop first, because planes of the old mode do not fit the new one.
        let pipelines = [session.pipeline, stage.outgoing]
        if let before = retire(isRebuild: true) { close(before) }
        clearOutgoing()
        if let lost = osd.forgetOverlay(), await !lost.stop() {
            log.error("GStreamer did not let go of the on-screen display")
        }
        await closeFilms(and: pipelines)
        await inPowerOrder { player in
            do throws(KMSError) {
                let isOn = player.stage.hasPower
                let display = try await runBlocking { () throws(KMSError) in
                    let display = try reopen()
                    if !isOn { try display.setPower(false) }
                    return display
                }
                // A television's loudspeakers were removed with it.
                player.logged.turn(to: nil)
                for refusal in display.choice.refusals { player.log.warning("\(refusal)") }
                player.stage.endMoving(isOpen: true)
                player.take(display)
                player.log.notice(
                    "the display is \(isReturn ? "back: " : "")\(display.choice.connectorName), \(display.mode)")
            } catch {
                player.log.error("the display cannot be opened again: \(error). \(error.remedy)")
                player.stage.endMoving(isOpen: false)
            }
        }
        openLater()
        notifyScreen()
        if needsOverlay { ensureOverlay() }
        refreshOSD()
        return !stage.isUnplugged
    }

    /// Opens the film that waited for the display.
    func openLater() {
        if let load = stage.settle() { open(at: load.time) }
    }

    /// Makes the pipeline scale. The driver accepted a test, but not the film's frame (too much at once for its memory,
    /// or too large a factor).
    func scalingRefused() {
        guard stage.refuseScaling() else { return }
        log.warning("the display's plane does not scale this film after all: the pipeline does")
        open(at: losePipeline(), isStuck: true)
    }

    /// Whether the film may play. Below 100 % of the buffer, and while a film waits for its display, it does not,
    /// whatever is requested.
    var mayPlay: Bool { session.run.buffering == nil && !(stage.isUnplugged && waitsForDisplay) }

    private var waitsForDisplay: Bool { options.whenUnplugged == .pause }

    func applyPlaying() {
        session.pipeline?.setPlaying(session.scrubber.isPlaying && mayPlay)
    }

    /// Sets the refresh rate that matches the film, if that is enabled and the display has it.
    func matchRefresh(_ mediaInfo: MediaInfo) {
        guard options.matchesRefresh, let display = stage.display, mediaInfo.hasVideo,
            let duration = mediaInfo.frameDuration
        else { return }
        let log = log
        Task {
            do throws(KMSError) {
                let mode = try await runBlocking { () throws(KMSError) -> DisplayMode? in
                    let mode = try display.mode(matchingFrameDuration: Int(duration.nanoseconds))
                    if let mode { try display.setMode(mode) }
                    return mode
                }
                if let mode { log.info("mode \(mode): it suits the film") }
            } catch {
                log.warning("the display's rate is not the film's: \(error)")
            }
        }
    }

    /// Switches the display off, to standby, or on again. The film continues. Of several requests the newest one is
    /// done last.
    func setPower(_ on: Bool) async throws(PlayerError) {
        guard stage.display != nil else { return }
        let failure = await switchPower(on) { on in
            // A newer request may have arrived meanwhile.
            guard let display = await self.display else { return nil }
            do throws(KMSError) {
                try await runBlocking { () throws(KMSError) in try display.setPower(on) }
                return nil
            } catch {
                return error
            }
        }
        if let failure {
            throw PlayerError(failure, of: stage.display?.choice.connectorName ?? "", attempt: .setPower)
        }
    }

    /// - Parameter set: switches the display, after earlier requests. Runs on the loop.
    func switchPower(
        _ on: Bool, _ set: nonisolated(nonsending) @escaping @Sendable (Bool) async -> KMSError?
    ) async -> KMSError? {
        await inPowerOrder { player in
            if let failure = await set(on) { return failure }
            player.stage.hasPower = on
            player.notifyScreen()
            return nil
        }
    }

    /// Runs actions one after another, so that the display and its power do not change during any of them.
    private func inPowerOrder<Value: Sendable>(
        _ work: @escaping @Sendable (isolated PlayerLoop) async -> Value
    ) async -> Value {
        let before = powerWork
        let task = Task {
            await before?.value
            return await work(self)
        }
        powerWork = Task { _ = await task.value }
        return await task.value
    }
}
