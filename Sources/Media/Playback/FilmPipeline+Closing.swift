internal import Dispatch
internal import PlayerCore

/// Closes a film completely, or keeps its last frame.
extension FilmPipeline {
    /// The fate of the last frame when the pipeline is closed.
    public enum LastFrame: Sendable {
        /// The frame is removed from the plane.
        case goes
        /// The frame stays until the pipeline is closed again.
        case stays
        /// The frame stays, and the plane is free at once. Everything else ends when the pipeline is closed again.
        case staysWithSound
        /// The frame stays, and plane and sound card are free at once.
        case staysAtOnce
        /// Another film's frame has replaced it on the plane.
        case isCovered
    }

    /// The time limit for closing a pipeline whose card hangs.
    private static let stuckDeadline = Duration.milliseconds(300)

    /// Sets the pipeline to NULL and frees it.
    /// - Returns: `false` if GStreamer did not finish within the deadline. The pipeline and its threads are then abandoned.
    public func close(_ frame: LastFrame = .goes, within deadline: Duration = .seconds(3)) async -> Bool {
        // A card that hangs, or whose server has ended, blocks the worker.
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
            // The sink uses the display's descriptor, which its owner may close after this.
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
