internal import KMS
internal import Logging
internal import PlayerCore
internal import Touch

extension PlayerLoop {
    /// Handles a finger, a panel that was added or removed, or one that cannot be read.
    func handle(_ news: TouchNews) {
        switch news {
        case .failure(let error): log.error("\(error)")
        case .event(.panelAdded(let panel)):
            log.info("touch panel \"\(panel.name)\" (\(panel.systemName))")
            handle(TouchEvent.panelAdded(panel))
        case .event(let event): handle(event.turned(by: turn))
        }
    }

    /// Handles the mouse, or a finger on the window.
    func handle(_ pointer: WindowPointer) {
        for event in input.handle(pointer, at: clock.now) { handle(event.turned(by: turn)) }
    }

    /// Cancels the fingers on a film's window, which closes with the film.
    func cancelWindowFingers() {
        for event in input.cancelWindow(at: clock.now) { handle(event.turned(by: turn)) }
    }

    /// From the panel, which is mounted as the display is, to the viewer.
    private var turn: DisplayTransform { stage.transform.inverse }

    private func handle(_ event: TouchEvent) {
        // Each event is handled at once.
        if case .frame = event { return }
        guard input.concernsUs(event, connector: stage.display?.choice.connectorName) else { return }
        let now = clock.now
        if let finger = event.finger { counters.panelIsTouched(at: finger.time) }
        guard takesTouch(event, at: now) else { return refreshOSD() }
        // The finger must meet current widgets, even if nothing was visible until now.
        if case .down = event { arrangeControls(at: now, evenIfHidden: true) }
        let outputs = osd.controls.handle(event, isVisible: osd.isVisible, hasBar: hasBar)
        let isTap = outputs.contains { if case .slider(.tap) = $0 { true } else { false } }
        let starts = isTap && waitsForTap
        switch event {
        case .down(let finger): show(.fingerDown(slot: finger.slot), at: now)
        // A tap that starts the film shows the bar for a while, so that the visitor sees an effect.
        case .up(let finger):
            show(.fingerUp(slot: finger.slot, isTapOnFilm: isTap && !starts), at: now)
        case .cancel(let finger): show(.fingerCancelled(slot: finger.slot), at: now)
        case .frame, .motion, .panelAdded, .panelRemoved: break
        }
        follow(outputs, at: now)
        if starts { report { .tapped($0) } }
        settleEnd()
        refreshOSD()
    }

    /// Whether a tap on the film starts it: there is no other way, or the film waits at its start or end.
    private var waitsForTap: Bool {
        guard options.startsByTap, link.load.id != nil, !session.scrubber.wantsPlaying else { return false }
        return !hasControls || isAtAnEnd
    }

    /// Whether the film is within a frame or so of its start or end.
    private var isAtAnEnd: Bool {
        guard let duration = session.duration, session.mediaInfo?.isSeekable == true else { return true }
        let time = session.scrubber.displayedTime
        let frame = max(session.mediaInfo?.frameDuration ?? .zero, .milliseconds(50))
        return time <= (session.scrubber.firstKeyframe ?? .zero) + frame || time + frame >= duration
    }

    /// Handles the passing of time for the fingers that are down. The caller has handled all earlier events.
    func wakeFingers(at now: MonotonicTime) {
        follow(osd.controls.wake(at: now), at: now)
        settleEnd()
    }

    /// Performs the outputs of the fingers.
    func follow(_ outputs: [Controls.Output], at now: MonotonicTime) {
        for output in outputs {
            switch output {
            case .slider(.void(let finger)):
                let panel = input.name(of: finger.panel)
                log.warning(
                    "a touch on \(panel) has not moved for 60 s: it is taken for dirt, and ignored until it is lifted")
                show(.fingerVoid(slot: finger.slot), at: now)
            case .slider(.slider(let event)): follow(event, at: now)
            case .slider(.touched), .slider(.tap): break
            case .act(let action): perform(action)
            case .panelChanged(let isOpen): show(.panelChanged(isOpen: isOpen), at: now)
            }
        }
    }

    private func follow(_ event: SliderEvent, at now: MonotonicTime) {
        if case .cancel = event {
            counters.touchIsCancelled()
        } else {
            counters.seekIsAsked(byTouch: event.time)
            session.setStartPlace(nil)
            session.leaveEnd()
        }
        // A cancelled drag returns to the position from before it.
        if case .touchDown = event { updatePosition() }
        if input.visit.isDrag(event, on: osd.controls.layout) { embedding.hear?(.touch(.dragged)) }
        expect(event)
        // The filmstrip waits until the finger rests.
        session.run.filmstrip?.pause(for: .milliseconds(150))
        scrub(.slider(event), at: now)
        // The finger's frame is already on the screen.
        if case .touchUp = event, !session.scrubber.isSeeking { goOn(at: now) }
    }

    /// Shows or hides the on-screen display.
    func show(_ event: OSDVisibility.Event, at now: MonotonicTime) {
        // Without controls a finger shows nothing.
        guard hasControls || !event.isFingers else { return }
        if osd.handle(event, at: now) {
            notifyScreen()
            // The hidden bar was not updated.
            if osd.isVisible {
                input.visit.forgetLeftMenu()
                updatePosition()
                prepareSheet()
            }
        }
        if osd.isVisible { ensureOverlay() }
    }

    /// Whether there is a seek bar: not for live media, nor without anything to seek in.
    var hasBar: Bool {
        guard osd.isEnabled, hasControls, let mediaInfo = session.mediaInfo else { return false }
        return mediaInfo.isSeekable && !mediaInfo.isLive && mediaInfo.duration != nil
    }
}

extension TouchEvent {
    fileprivate func turned(by turn: DisplayTransform) -> TouchEvent {
        func turned(_ finger: Finger) -> Finger {
            var finger = finger
            (finger.x, finger.y) = turn.place(x: finger.x, y: finger.y)
            return finger
        }
        return switch self {
        case .down(let finger): .down(turned(finger))
        case .motion(let finger): .motion(turned(finger))
        case .up(let finger): .up(turned(finger))
        case .cancel(let finger): .cancel(turned(finger))
        case .frame, .panelAdded, .panelRemoved: self
        }
    }
}
