internal import KMS
internal import Logging
internal import Media
internal import OSDDrawing
internal import PlayerCore

extension VitrinePlayer {
    /// Builds the OSD's pipeline once it is needed: loading Pango takes some 100 ms, which the film's start need not wait
    /// for.
    func ensureOverlay() {
        guard options.osd == .plane, overlay == nil, !isOverlayComing, let display, let plane = OverlayPlane(display)
        else {
            return
        }
        isOverlayComing = true
        let (layout, log) = (layout, log)
        Task {
            do throws(MediaFailure) {
                let made = try await offLoop { () throws(MediaFailure) in
                    let painter = OSDPainter(layout: layout)
                    return try OverlayPipeline(layout: layout, plane: plane) { model, pixels, stride in
                        painter.paint(model, into: pixels, stride: stride)
                    } hidePlane: {
                        do { try display.hidePlane(plane.planeID) } catch { log.warning("\(error)") }
                    }
                }
                overlay = made
                isOverlayComing = false
                let failures = made.failures
                Task { for await failure in failures { lostOverlay(failure) } }
                refreshOSD()
            } catch {
                log.error("no on-screen display: \(error.message)")
            }
        }
    }

    /// The film plays on without its display; the next touch builds it anew.
    private func lostOverlay(_ failure: MediaFailure) {
        log.error("the on-screen display failed: \(failure.message)")
        overlay = nil
    }

    /// Shows what holds now, and sets the timer. Called after everything that may have changed something; a model that
    /// looks like the last one costs nothing.
    func refreshOSD() {
        overlay?.show(model)
        reschedule()
    }

    private var model: OSDModel {
        var model = OSDModel(isVisible: visibilityState.isVisible)
        guard model.isVisible else { return model }
        let duration = facts?.duration
        let time = scrubber.displayedTime
        if hasBar, let duration {
            model.bar = OSDModel.Bar(
                thumb: slider.heldValue ?? time.fraction(of: duration), isHeld: slider.heldValue != nil)
        }
        model.timeText = OSDModel.timeText(position: facts == nil ? nil : time, duration: duration)
        model.title = facts?.title ?? ""
        model.message = buffering.map { "Buffering \($0)%" } ?? message
        model.isLive = facts?.isLive ?? false
        model.isPaused = !scrubber.wantsPlaying
        return model
    }

    func setMessage(_ text: String?) {
        message = text
        show(visibility.handle(.messageChanged(isStanding: message != nil || buffering != nil), at: .now))
    }
}
