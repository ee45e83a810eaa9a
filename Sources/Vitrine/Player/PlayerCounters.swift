internal import KMS
internal import Media
internal import PlayerCore

/// The player's counters over all its films.
struct PlayerCounters: Sendable {
    /// The counts of earlier films, for values that a pipeline counts itself.
    var counted = PlayerDiagnostics()
    /// The newest slider event that no frame has answered.
    var unansweredTouch: MonotonicTime?

    /// The number of frames that are remembered across films.
    static let recentCount = 256

    /// Keeps the counts of a pipeline that is left.
    mutating func keep(_ pipeline: any MediaPipeline) { counted = diagnostics(with: pipeline) }

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
