internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore

extension PlayerLoop {
    /// Builds the OSD's pipeline once it is needed: loading Pango takes some 100 ms, which must not delay the film's
    /// start.
    func ensureOverlay() {
        guard isRunning, !stage.isMoving, osd.wantsOverlay else { return }
        osd.beginBuilding()
        let (layout, display, window, compositor) = (osd.layout, stage.display, options.window, stage.compositor)
        let (screen, material) = (osd.controls.screen, osd.material)
        let pendingWork = GStreamer.PendingWork()
        Task {
            defer { withExtendedLifetime(pendingWork) {} }
            do throws(MediaFailure) {
                let made = try await runBlocking { [log] () throws(MediaFailure) in
                    if let display { return try OverlayPipeline(layout, on: display, compositor, material, log) }
                    return try OverlayPipeline(layout, in: window, compositor, material)
                }
                guard isRunning, !stage.isMoving, stage.display === display, osd.controls.screen == screen else {
                    osd.endBuilding()
                    _ = await made.stop()
                    if needsOverlay { ensureOverlay() }
                    return
                }
                osd.endBuilding(made)
                let failures = made.failures
                Task { for await failure in failures { lostOverlay(failure, of: made) } }
                refreshOSD()
            } catch {
                osd.endBuilding()
                log.error("no on-screen display: \(error.message)")
            }
        }
    }

    /// Whether the OSD is visible, or may become visible at any moment.
    var needsOverlay: Bool { osd.isVisible || osd.layout.hasSubtitles || input.visit.menu != nil }

    /// Handles a failed overlay: the film plays on without it; the next touch rebuilds it.
    private func lostOverlay(_ failure: MediaFailure, of lost: OverlayPipeline) {
        guard osd.overlay === lost else { return }
        log.error("the on-screen display failed: \(failure.message)")
        _ = osd.forgetOverlay()
    }

    /// Shows the current state, and sets the timer. Called after everything that may have changed something; a model
    /// that looks like the last one costs nothing.
    func refreshOSD() {
        arrangeControls(at: clock.now)
        followFilmstrip()
        showOSD(at: clock.now)
        scheduleSubtitles(at: clock.now)
        reschedule()
    }

    private func showOSD(at now: MonotonicTime) {
        guard osd.overlay != nil else { return }
        let model = model
        guard
            let before = osd.show(
                model, on: input.visit.shownMenu?.layout, isHeld: osd.heldValue != nil,
                isFree: session.run.cover?.isOn == true, at: now)
        else { return }
        let isPreviewed = (model.preview != nil) != (before.preview != nil)
        if model.subtitle != before.subtitle || model.widgets != before.widgets || isPreviewed { notifyScreen() }
    }

    /// Schedules the next change of the subtitles.
    private func scheduleSubtitles(at now: MonotonicTime) {
        let texts = osd.isEnabled ? session.texts(preferences) : nil
        session.tracks.deadline = texts.flatMap { session.nextText($0, at: now) }
    }

    var model: OSDModel {
        if let menuModel { return menuModel }
        var model = OSDModel(isVisible: osd.isVisible)
        model.subtitle = preferences.areSubtitlesShown ? subtitle : ""
        guard model.isVisible else { return model }
        model.message = shownMessage
        // Controls that a finger cannot reach are hidden: the message has the whole line.
        guard input.visit.reachesControls else { return model }
        let duration = session.duration
        let time = session.scrubber.displayedTime
        if hasBar, let duration {
            model.bar = OSDModel.Bar(
                thumb: osd.heldValue ?? time.fraction(of: duration),
                buffered: session.bufferedTime?.fraction(of: duration),
                isHeld: osd.heldValue != nil, marks: marks)
        }
        model.title = session.mediaInfo?.title ?? ""
        model.widgets = osd.controls.scene.widgets.filter { $0.face != .empty }
        model.preview = model.bar.flatMap { _ in osd.controls.preview(at: time) }
        // Subtitles would cover the panel, and the picture.
        if osd.controls.panel != nil || model.preview != nil { model.subtitle = "" }
        // A message without a film has no time.
        guard session.film != nil else { return model }
        let position = session.mediaInfo == nil ? nil : time
        model.timeText =
            options.timeDisplay == .remaining
            ? OSDModel.remainingText(position: position, duration: duration)
            : OSDModel.timeText(position: position, duration: duration)
        model.isLive = session.mediaInfo?.isLive ?? false
        model.isPaused = !session.scrubber.wantsPlaying
        return model
    }

    /// The bar's marks, as fractions of the film.
    private var marks: [Double] {
        guard let duration = session.duration else { return [] }
        return session.chapters.chapters.map { $0.start.fraction(of: duration) }
    }

    /// The message in place of the title.
    var shownMessage: String? {
        session.run.buffering.map { "Buffering \($0)%" } ?? osd.clientText?.text ?? osd.message
    }

    func setMessage(_ text: String?) {
        osd.message = text
        messageChanged()
    }

    func messageChanged() {
        notifyMachineOfMessage()
        show(.messageChanged(isShown: shownMessage != nil), at: clock.now)
    }

    /// Shows the bar as after a touch.
    func showProgress() { show(.asked, at: clock.now) }

    /// Shows a client's text for a while, in precedence over the player's messages; an empty text ends it.
    func showText(_ text: String, for duration: Duration) {
        osd.clientText = text.isEmpty ? nil : (text, clock.now + duration)
        messageChanged()
    }

    func clientTextEnded() {
        osd.clientText = nil
        messageChanged()
    }
}
