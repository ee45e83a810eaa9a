internal import Control
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension VitrinePlayer {
    /// Where films go now; `nil`: unseen.
    var screen: FilmOutput.Screen? {
        var screen =
            display.map { FilmOutput.Screen($0, planeScales: !isScalingRefused) }
            ?? options.window.map { FilmOutput.Screen($0) }
        screen?.gravity = gravity
        if let display, let part = area?.part(ofDisplayWidth: display.width, height: display.height) {
            screen?.area = part
        }
        return screen
    }

    /// From the viewer to the screen.
    var transform: DisplayTransform { display?.transform ?? options.window?.transform ?? .identity }

    /// The display is unplugged (N7): the film plays on unseen, or waits, as `options.whenUnplugged` says.
    func displayLeft() {
        guard !isDisplayGone else { return }
        isDisplayGone = true
        log.notice("the display is unplugged: \(waitsForDisplay ? "the film waits" : "the film plays on")")
        showStatus()
        applyPlaying()
        hub.changed([.displayPower])
    }

    /// Goes on with the film, where it is, on the display as `reopen` makes it: plugged in again, in another mode, another
    /// one. A finger's drag goes on through it. In standby it stays.
    /// - Returns: `false` if it cannot be opened: then it is as good as unplugged.
    func move(reopen: @escaping @Sendable () throws(KMSError) -> Display) async -> Bool {
        guard isRunning, !isMoving else { return true }
        isMoving = true
        for case .rebuild(let time) in scrubber.handle(.lost, at: .now) where !isIdle {
            laterOpening = LaterOpening(time: time, isRebuild: true)
        }
        // The sinks first: planes of the mode before do not fit the next.
        let films = [film, departed]
        if let before = retire(isRebuild: true) { close(before) }
        clearDeparted()
        if let lost = forgetOverlay(), await !lost.stop() {
            log.error("GStreamer did not let go of the on-screen display")
        }
        await closeFilms(and: films)
        do throws(KMSError) {
            let isOn = hasPower
            let display = try await offLoop { () throws(KMSError) in
                let display = try reopen()
                if !isOn { try display.setPower(false) }
                return display
            }
            isDisplayGone = false
            isScalingRefused = false
            // A television's loudspeakers went with it.
            silentFilm = nil
            for refusal in display.choice.refusals { log.warning("\(refusal)") }
            take(display)
            log.notice("the display is back: \(display.choice.connectorName), \(display.mode)")
        } catch {
            log.error("the display cannot be opened again: \(error). \(error.remedy)")
            isDisplayGone = true
        }
        isMoving = false
        showStatus()
        if let opening = laterOpening, !isIdle { open(at: opening.time, isRebuild: opening.isRebuild) }
        laterOpening = nil
        if visibilityState.isVisible || layout.hasSubtitles { ensureOverlay() }
        hub.changed(RemoteProperty.ofFilm)
        refreshOSD()
        return !isDisplayGone
    }

    /// The driver took a test of it, and not the film's picture (too much at once for its memory, a factor too far): the
    /// pipeline scales instead.
    func scalingRefused() {
        guard !isScalingRefused else { return }
        isScalingRefused = true
        log.warning("the display's plane does not scale this film after all: the pipeline does")
        for case .rebuild(let time) in scrubber.handle(.lost, at: .now) {
            open(at: time, isRebuild: true, isStuck: true)
        }
    }

    /// Below 100 % of a buffer, and without a display where it is waited for, nothing plays, whatever is wanted.
    var mayPlay: Bool { buffering == nil && !(isDisplayGone && waitsForDisplay) }

    private var waitsForDisplay: Bool { options.whenUnplugged == .pause }

    func applyPlaying() {
        film?.setPlaying(scrubber.isPlaying && mayPlay)
    }

    /// Sets the rate that suits the film, where that was asked for and the display has it.
    func matchRefresh(_ facts: MediaFacts) {
        guard options.matchesRefresh, let display, facts.hasVideo, let duration = facts.frameDuration else { return }
        let log = log
        Task {
            do throws(KMSError) {
                let mode = try await offLoop { () throws(KMSError) -> DisplayMode? in
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

    /// Switches the display off, to standby, or on again. The film goes on.
    public func setPower(_ on: Bool) async throws(PlayerError) {
        guard let display else { return }
        do throws(KMSError) {
            try await offLoop { () throws(KMSError) in try display.setPower(on) }
        } catch {
            throw PlayerError(error, of: display.choice.connectorName, attempt: .setPower)
        }
        hasPower = on
        hub.changed([.displayPower])
    }
}

/// A film that is to be opened once the display is there.
struct LaterOpening: Sendable {
    var time: MediaTime?
    var isRebuild: Bool
}
