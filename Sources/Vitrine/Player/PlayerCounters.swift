internal import KMS
internal import Media
internal import PlayerCore

/// The player's counters over all its films. Belongs to the loop.
final class PlayerCounters {
    /// The counts of earlier films, for values that a pipeline counts itself.
    private var counted = PlayerDiagnostics()
    /// The newest slider event that no frame has answered.
    private var unansweredTouch: MonotonicTime?

    /// The number of frames that are remembered across films.
    static let recentCount = 256

    /// Keeps the counts of a pipeline that is left.
    func keep(_ pipeline: any MediaPipeline) { counted = diagnostics(with: pipeline) }

    /// Counts a pipeline that takes the place of another one of the same film.
    func pipelineIsRebuilt() { counted.rebuilds += 1 }

    /// Counts a frame that was too late for the screen.
    func frameIsDropped() { counted.framesDropped += 1 }

    /// Notes a finger on the panel.
    func panelIsTouched(at time: MonotonicTime) { counted.lastTouch = time }

    /// Counts a requested place.
    /// - Parameter touch: when the finger on the bar asked for it; `nil` if no finger did.
    func seekIsAsked(byTouch touch: MonotonicTime? = nil) {
        counted.seeksAsked += 1
        unansweredTouch = touch
    }

    /// Notes that the finger's drag was cancelled: no frame will answer it.
    func touchIsCancelled() { unansweredTouch = nil }

    /// Counts a seek that is sent to the pipeline.
    /// - Returns: the touch that caused it.
    func seekIsSent() -> MonotonicTime? {
        counted.seeksSent += 1
        return unansweredTouch
    }

    /// Counts a seek whose frame is on the screen.
    /// - Parameter touch: the touch that caused it, unless an earlier frame has answered that.
    func seekIsCompleted(forTouch touch: MonotonicTime?, at shown: MonotonicTime) {
        counted.seeksCompleted += 1
        guard let touch else { return }
        if unansweredTouch == touch { unansweredTouch = nil }
        counted.answeredTouch = touch
        counted.lastAnswer = shown
    }

    /// The counts including those of the open pipeline.
    func diagnostics(with pipeline: (any MediaPipeline)?) -> PlayerDiagnostics {
        var all = counted
        guard let pipeline else { return all }
        all.framesShown += pipeline.frames.shown
        all.recentFrames = Array((all.recentFrames + pipeline.recentFrames).suffix(Self.recentCount))
        return all
    }
}

extension PlayerLoop {
    /// The player's counters.
    public var diagnostics: PlayerDiagnostics {
        var all = counters.diagnostics(with: session.pipeline)
        all.frameTime = session.pipeline?.frames.start
        all.sheetFramesShown = stage.scrubScreen?.picturesShown ?? 0
        all.sheetFrameTime = session.run.cover?.pictureTime
        all.isOSDVisible = osd.isEnabled && osd.isVisible
        all.osdUpdates = osd.overlay?.pushed ?? 0
        all.osdShownAt = osd.overlay?.shownAt
        return all
    }
}
