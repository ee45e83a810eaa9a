internal import KMS
internal import Logging
internal import PlayerCore
internal import Touch

extension VitrinePlayer {
    /// A finger, a panel that came or went, or one that cannot be read.
    func handle(_ news: TouchNews) {
        switch news {
        case .failure(let error): log.error("\(error)")
        case .event(.panelAdded(let panel)):
            log.info("touch panel \"\(panel.name)\" (\(panel.systemName))")
            handle(TouchEvent.panelAdded(panel))
        case .event(let event): handle(event.turned(by: turn))
        }
    }

    /// The mouse, or a finger on the window.
    func handle(_ pointer: WindowPointer) {
        for event in windowFingers.handle(pointer, at: .now) { handle(event.turned(by: turn)) }
    }

    /// A film's window goes with it, and the fingers on it.
    func cancelWindowFingers() {
        for event in windowFingers.cancel(at: .now) { handle(event.turned(by: turn)) }
    }

    /// From the panel, which is as the display is, to the viewer.
    private var turn: DisplayTransform { transform.inverse }

    /// Whether a panel's fingers mean this display: `--touch`, or udev's `WL_OUTPUT`.
    private func isOurs(_ panel: TouchPanel) -> Bool {
        if let wanted = options.touch {
            let nodes = [panel.systemName, "/dev/input/\(panel.systemName)"]
            return nodes.contains(wanted) || panel.name.lowercased().contains(wanted.lowercased())
        }
        guard let output = panel.output, let display else { return true }
        return output == display.choice.connectorName
    }

    /// Notes panels, and drops what the fingers of others' do.
    private func concernsUs(_ event: TouchEvent) -> Bool {
        switch event {
        case .panelAdded(let panel):
            panels[panel.id] = panel
            if !isOurs(panel) { log.info("touch panel \"\(panel.name)\" belongs to another display") }
            return true
        case .panelRemoved(let panel):
            panels[panel.id] = nil
            return true
        case .down(let finger):
            guard let panel = panels[finger.panel], !isOurs(panel) else { return true }
            foreignSlots.insert(finger.slot)
            return false
        case .motion(let finger): return !foreignSlots.contains(finger.slot)
        case .up(let finger), .cancel(let finger): return foreignSlots.remove(finger.slot) == nil
        case .frame: return true
        }
    }

    private func handle(_ event: TouchEvent) {
        guard concernsUs(event) else { return }
        let now = MonotonicTime.now
        if let finger = event.finger { counters.lastTouch = finger.time }
        let outputs = slider.handle(event, layout: layout, isBarVisible: visibilityState.isVisible, hasBar: hasBar)
        let isTap = outputs.contains { if case .tap = $0 { true } else { false } }
        let starts = isTap && waitsForTap
        switch event {
        case .down(let finger): show(visibility.handle(.fingerDown(slot: finger.slot), at: now))
        // A tap that starts the film shows the bar for its time, so that the visitor sees that something has come of it.
        case .up(let finger):
            show(visibility.handle(.fingerUp(slot: finger.slot, isTapOnFilm: isTap && !starts), at: now))
        case .cancel(let finger): show(visibility.handle(.fingerCancelled(slot: finger.slot), at: now))
        case .motion, .frame, .panelAdded, .panelRemoved: break
        }
        follow(outputs, at: now)
        if starts { setPlaying(true) }
        settleEnd()
        refreshOSD()
    }

    /// A film that stands paused, whoever paused it, starts with a tap on it: a visitor has nothing else. In a program that
    /// embeds the player, the program decides.
    private var waitsForTap: Bool { leader == nil && !isIdle && !scrubber.wantsPlaying }

    /// Time has passed for the fingers that are down. All that they did before must have been handled.
    func wakeFingers(at now: MonotonicTime) {
        follow(slider.wake(at: now, layout: layout), at: now)
        settleEnd()
    }

    /// Does what comes of the fingers.
    private func follow(_ outputs: [SliderOutput], at now: MonotonicTime) {
        for output in outputs {
            switch output {
            case .void(let finger):
                let panel = panels[finger.panel].map { "\"\($0.name)\" (\($0.systemName))" } ?? "the window"
                log.warning(
                    "a touch on \(panel) has not moved for 60 s: it is taken for dirt, and ignored until it is lifted")
                show(visibility.handle(.fingerVoid(slot: finger.slot), at: now))
            case .slider(let event): follow(event, at: now)
            case .touched, .tap: break
            }
        }
    }

    private func follow(_ event: SliderEvent, at now: MonotonicTime) {
        if case .cancel = event {
            unansweredTouch = nil
        } else {
            counters.seeksAsked += 1
            unansweredTouch = event.time
            leaveEnd()
        }
        // The position from before a drag is what a cancelled one goes back to.
        if case .touchDown = event { updatePosition() }
        scrub(.slider(event), at: now)
        // What the finger asked for was there already.
        if case .touchUp = event, !scrubber.isSeeking { goOn(at: now) }
    }

    func show(_ state: OSDVisibility.State) {
        let isNews = state.isVisible != visibilityState.isVisible
        visibilityState = state
        if isNews {
            hub.changed([.osdVisible])
            // Hidden, the bar has not followed the film.
            if state.isVisible { updatePosition() }
        }
        if state.isVisible { ensureOverlay() }
    }

    /// Live media have no seek bar (M11), and nothing to seek in has none either.
    var hasBar: Bool {
        guard hasOSD, let facts else { return false }
        return facts.isSeekable && !facts.isLive && facts.duration != nil
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

    var finger: Finger? {
        switch self {
        case .down(let finger), .motion(let finger), .up(let finger), .cancel(let finger): finger
        case .frame, .panelAdded, .panelRemoved: nil
        }
    }
}
