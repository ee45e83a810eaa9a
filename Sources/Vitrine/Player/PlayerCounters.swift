internal import KMS
internal import Media
internal import PlayerCore

/// What the player counts of all its films.
struct PlayerCounters: Sendable {
    /// Of the films before this one, where a pipeline counts its own.
    var counted = PlayerDiagnostics()
    /// The newest slider event that no frame has answered.
    var unansweredTouch: MonotonicTime?

    /// How many frames are remembered through changes of films.
    static let recentCount = 256

    /// The pipeline is left.
    mutating func keep(_ pipeline: any MediaPipeline) { counted = diagnostics(with: pipeline) }

    /// With those of the pipeline that is open.
    func diagnostics(with pipeline: (any MediaPipeline)?) -> PlayerDiagnostics {
        var all = counted
        guard let pipeline else { return all }
        all.framesShown += pipeline.frames.shown
        all.recentFrames = Array((all.recentFrames + pipeline.recentFrames).suffix(Self.recentCount))
        return all
    }
}

extension PlayerLoop {
    /// What it has done so far.
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
