internal import Dispatch
internal import PlayerCore

/// How a film ends: all of it, or all but its last frame.
extension FilmPipeline {
    /// What becomes of the last frame when the pipeline is closed.
    public enum LastFrame: Sendable {
        /// It leaves the plane.
        case goes
        /// It stands until the pipeline is closed once more.
        case stays
        /// The same, and the plane is free at once. All else goes when the pipeline is closed once more.
        case staysWithSound
        /// The same, and plane and sound card are free at once.
        case staysAtOnce
        /// Another film's frame has taken its place on the plane.
        case isCovered
    }

    /// How long the closing of a pipeline takes at most whose card hangs.
    private static let stuckDeadline = Duration.milliseconds(300)

    /// Takes the pipeline to NULL and frees it.
    /// - Returns: `false` when GStreamer did not let go within the deadline; the pipeline is then abandoned, with its
    ///   threads.
    public func close(_ frame: LastFrame = .goes, within deadline: Duration = .seconds(3)) async -> Bool {
        // A card that hangs holds the worker.
        let deadline = audio.isStuck ? min(deadline, Self.stuckDeadline) : deadline
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            worker.async { [self] in
                closeOnWorker(frame)
                answer.give(true)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(deadline.inNanoseconds))) {
                answer.give(false)
            }
        }
    }

    private func closeOnWorker(_ frame: LastFrame) {
        debugLog(pipeline, "closed; the last frame \(frame)")
        let isFirst = !isClosed
        isClosed = true
        if isFirst {
            busWatch = nil
            // It uses the display's descriptor, which is its owner's to close after this.
            nextSink.close()
            pipeline.bus?.flush()
        }
        switch frame {
        case .stays: teardown.freeze()
        case .staysWithSound: teardown.leavePlane()
        case .staysAtOnce: teardown.relieve()
        case .goes, .isCovered: teardown.stop(isCovered: frame == .isCovered)
        }
        if frame != .staysWithSound { audio.release() }
        if isFirst { news.finish() }
    }
}
