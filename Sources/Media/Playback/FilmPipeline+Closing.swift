internal import CGStreamer
internal import CPictureSink
internal import Dispatch
internal import PlayerCore

/// How a film ends: all of it, or all but its last picture.
extension FilmPipeline {
    /// What becomes of the last picture when the pipeline is closed.
    public enum LastPicture: Sendable {
        /// It leaves the plane.
        case goes
        /// It stands until the pipeline is closed once more.
        case stays
        /// The same, and the plane is free at once. All else goes when the pipeline is closed once more.
        case staysWithSound
        /// The same, and plane and sound card are free at once.
        case staysAtOnce
        /// Another film's picture has taken its place on the plane.
        case isCovered
    }

    enum Stage {
        case running
        /// The plane is another film's, and still shows the last picture.
        case withoutPlane
        /// Plane and sound card are another film's; the plane still shows the last picture.
        case relieved
        /// All is NULL but the sink, which still shows the last picture.
        case frozen
        case stopped
    }

    /// Takes the pipeline to NULL and frees it (T8).
    /// - Returns: `false` when GStreamer did not let go within the deadline; the pipeline is then abandoned, with its
    ///   threads.
    public func close(_ picture: LastPicture = .goes, within deadline: Duration = .seconds(3)) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            worker.async { [self] in
                closeOnWorker(picture)
                answer.give(true)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(deadline.inNanoseconds))) {
                answer.give(false)
            }
        }
    }

    private func closeOnWorker(_ picture: LastPicture) {
        debugLog(pipeline, "closed; the last picture \(picture)")
        let isFirst = !isClosed
        isClosed = true
        if isFirst {
            busWatch = nil
            // It uses the display's descriptor, which is its owner's to close after this.
            spareWork.wait()
            _ = takeSpare()
            pipeline.bus?.flush()
        }
        switch picture {
        case .stays: freeze()
        case .staysWithSound: leavePlane()
        case .staysAtOnce: relieve()
        case .goes, .isCovered: stop(isCovered: picture == .isCovered)
        }
        if picture != .staysWithSound { audio.card?.release() }
        if isFirst { news.finish() }
    }

    // MARK: Worker

    /// All but the last picture goes. One that has stopped has none.
    func freeze() {
        relieve()
        guard stage == .relieved else { return }
        pipeline.set(GST_STATE_NULL)
        stage = .frozen
    }

    private func leavePlane() {
        guard stage == .running else { return }
        // kmssink keeps what it showed until it leaves READY.
        video.sink.set(GST_STATE_READY)
        video.sink.lockState(true)
        stage = .withoutPlane
    }

    private func relieve() {
        leavePlane()
        guard stage == .withoutPlane else { return }
        if let sound = audio.card?.sink {
            sound.lockState(true)
            sound.set(GST_STATE_NULL)
        }
        stage = .relieved
    }

    /// Nothing is left. Any number of times.
    func stop(isCovered: Bool = false) {
        guard stage != .stopped else { return }
        if !isCovered { uncover() }
        if stage != .running { video.sink.lockState(false) }
        if stage != .frozen { pipeline.set(GST_STATE_NULL) }
        // Of a film without pictures it is in no pipeline, and may be open all the same.
        video.sink.set(GST_STATE_NULL)
        stage = .stopped
    }

    private func uncover() {
        guard hasPlane, let uncover = display?.uncover else { return }
        vitrine_sink_retire(video.sink.raw)
        uncover()
    }
}
