internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore

extension VitrinePlayer {
    /// Builds the OSD's pipeline once it is needed: loading Pango takes some 100 ms, which the film's start need not wait
    /// for.
    func ensureOverlay() {
        guard isRunning, !isMoving, hasOSD, overlay == nil, !isOverlayComing else { return }
        isOverlayComing = true
        let (layout, display, window, compositor) = (layout, display, options.window, compositor)
        let errand = GStreamer.Errand()
        Task {
            defer { withExtendedLifetime(errand) {} }
            do throws(MediaFailure) {
                let made = try await offLoop { [log] () throws(MediaFailure) in
                    if let display { return try Self.makeOverlay(layout, on: display, compositor, log) }
                    return try Self.makeOverlay(layout, in: window, compositor)
                }
                isOverlayComing = false
                guard isRunning, !isMoving, self.display === display, self.layout == layout else {
                    _ = await made.stop()
                    if visibilityState.isVisible || self.layout.hasSubtitles { ensureOverlay() }
                    return
                }
                overlay = made
                let failures = made.failures
                Task { for await failure in failures { lostOverlay(failure, of: made) } }
                refreshOSD()
            } catch {
                isOverlayComing = false
                log.error("no on-screen display: \(error.message)")
            }
        }
    }

    private static func makeOverlay(
        _ layout: OSDLayout, on display: Display, _ compositor: StripCompositor?, _ log: Logger
    ) throws(MediaFailure) -> OverlayPipeline {
        let paint = paint(layout)
        if let plane = OverlayPlane(display, layout) {
            return try OverlayPipeline(layout: layout, plane: plane, paint: paint) {
                do { try display.hidePlane(plane.planeID) } catch { log.warning("\(error)") }
            }
        }
        guard let compositor else {
            throw MediaFailure(reason: .cannotBuild, message: "the display has no plane for it")
        }
        return try OverlayPipeline(
            layout: layout, compositor: compositor, place: OverlayPlace(layout, on: display), paint: paint)
    }

    private static func makeOverlay(
        _ layout: OSDLayout, in window: PlayerWindow?, _ compositor: StripCompositor?
    ) throws(MediaFailure) -> OverlayPipeline {
        guard let window, let compositor else {
            throw MediaFailure(reason: .cannotBuild, message: "there is no screen for it")
        }
        return try OverlayPipeline(
            layout: layout, compositor: compositor, place: OverlayPlace(layout, in: window), paint: paint(layout))
    }

    private static func paint(_ layout: OSDLayout) -> OverlayPipeline.Paint {
        let painter = OSDPainter(layout: layout)
        return { model, pixels, stride in painter.paint(model, into: pixels, stride: stride) }
    }

    /// The film plays on without its display; the next touch builds it anew.
    private func lostOverlay(_ failure: MediaFailure, of lost: OverlayPipeline) {
        guard overlay === lost else { return }
        log.error("the on-screen display failed: \(failure.message)")
        _ = forgetOverlay()
    }

    func forgetOverlay() -> OverlayPipeline? {
        let before = overlay
        overlay = nil
        osdDeadline = nil
        shownModel = OSDModel()
        return before
    }

    /// Shows what holds now, and sets the timer. Called after everything that may have changed something; a model that
    /// looks like the last one costs nothing.
    func refreshOSD() {
        showOSD(at: .now)
        scheduleSubtitles(at: .now)
        reschedule()
    }

    /// Under a finger the thumb follows 30 times a second, half of the display's flips, which film and bar share; by itself
    /// it moves a pixel or so between two updates, and 4 a second are enough (M2).
    private static let pace = (held: Duration.milliseconds(33), free: Duration.milliseconds(250))

    private func showOSD(at now: MonotonicTime) {
        guard let overlay else { return }
        let model = model
        // A jump is no motion.
        let way = abs((model.bar?.thumb ?? 0) - (shownModel.bar?.thumb ?? 0))
        let isMotionOnly =
            model.isVisible && model.stillness == shownModel.stillness && (slider.heldValue != nil || way < 0.02)
        let due = shownAt + (slider.heldValue == nil ? Self.pace.free : Self.pace.held)
        if isMotionOnly, now < due {
            osdDeadline = due
            return
        }
        osdDeadline = nil
        if model.subtitle != shownModel.subtitle { hub.changed([.subText]) }
        shownModel = model
        shownAt = now
        overlay.show(model)
    }

    var model: OSDModel {
        var model = OSDModel(isVisible: visibilityState.isVisible)
        model.subtitle = areSubtitlesShown ? subtitle : ""
        guard model.isVisible else { return model }
        let duration = facts?.duration
        let time = scrubber.displayedTime
        if hasBar, let duration {
            model.bar = OSDModel.Bar(
                thumb: slider.heldValue ?? time.fraction(of: duration), buffered: bufferedTime?.fraction(of: duration),
                isHeld: slider.heldValue != nil, marks: marks)
        }
        model.title = facts?.title ?? ""
        model.message = shownMessage
        // Words in place of a film have no time.
        guard !isIdle else { return model }
        model.timeText = OSDModel.timeText(position: facts == nil ? nil : time, duration: duration)
        model.isLive = facts?.isLive ?? false
        model.isPaused = !scrubber.wantsPlaying
        return model
    }

    /// In place of the title.
    var shownMessage: String? { buffering.map { "Buffering \($0)%" } ?? clientText?.text ?? message }

    func setMessage(_ text: String?) {
        message = text
        messageChanged()
    }

    func messageChanged() {
        hub.changed([.message])
        tellLeaderOfMessage()
        show(visibility.handle(.messageChanged(isStanding: shownMessage != nil), at: .now))
    }

    /// The bar is shown as after a touch.
    func showProgress() {
        show(visibility.handle(.asked, at: .now))
        refreshOSD()
    }

    /// What a client wants to be read for a while, before the player's own words; an empty text ends it.
    func showText(_ text: String, milliseconds: Int32?) {
        clientTexts += 1
        let number = clientTexts
        clientText = text.isEmpty ? nil : (text, number)
        messageChanged()
        refreshOSD()
        guard !text.isEmpty else { return }
        Task {
            try? await Task.sleep(for: .milliseconds(Int64(milliseconds ?? 1000)))
            guard clientText?.number == number else { return }
            clientText = nil
            messageChanged()
            refreshOSD()
        }
    }
}

extension OSDModel {
    /// All that is not mere motion of the thumb: a change of it is shown at once.
    fileprivate var stillness: OSDModel {
        var model = self
        model.bar?.thumb = 0
        model.bar?.buffered = nil
        model.timeText = ""
        return model
    }
}
