internal import CGStreamer

/// The rest of a film's pipeline while it ends, step by step. For the film's worker.
struct FilmTeardown {
    enum Stage {
        case running
        /// The plane belongs to another film, and still shows the last frame.
        case withoutPlane
        /// Plane and sound card belong to another film; the plane still shows the last frame.
        case relieved
        /// All elements are NULL except the sink, which still shows the last frame.
        case frozen
        case stopped
    }

    private(set) var stage = Stage.running
    /// Whether the plane is, or may be, this film's.
    var hasPlane: Bool
    let pipeline: Element
    let video: VideoBranch
    let audio: AudioBranch
    let display: FilmDisplay?

    /// Stops everything except the last frame. A stopped film has none.
    mutating func freeze() {
        relieve()
        guard stage == .relieved else { return }
        pipeline.set(GST_STATE_NULL)
        stage = .frozen
    }

    mutating func leavePlane() {
        guard stage == .running else { return }
        // kmssink keeps the shown frame until it leaves READY.
        video.sink.set(GST_STATE_READY)
        video.sink.lockState(true)
        stage = .withoutPlane
    }

    mutating func relieve() {
        leavePlane()
        guard stage == .withoutPlane else { return }
        if let sound = audio.sink ?? audio.card?.sink {
            sound.lockState(true)
            sound.set(GST_STATE_NULL)
        }
        audio.closeSecond()
        stage = .relieved
    }

    /// Stops everything. May be called repeatedly.
    mutating func stop(isCovered: Bool = false) {
        guard stage != .stopped else { return }
        if !isCovered { uncover() }
        if stage != .running { video.sink.lockState(false) }
        if stage != .frozen { pipeline.set(GST_STATE_NULL) }
        // In a film without video the sink is in no pipeline, but may be open.
        video.sink.set(GST_STATE_NULL)
        audio.closeSecond()
        stage = .stopped
    }

    private func uncover() {
        guard hasPlane, let uncover = display?.uncover else { return }
        video.sink.retire()
        uncover()
    }
}
