internal import CGStreamer
internal import CVideoSink

/// What is left of a film's pipeline while it ends, step by step. For the film's worker.
struct FilmTeardown {
    enum Stage {
        case running
        /// The plane is another film's, and still shows the last frame.
        case withoutPlane
        /// Plane and sound card are another film's; the plane still shows the last frame.
        case relieved
        /// All is NULL but the sink, which still shows the last frame.
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

    /// All but the last frame goes. One that has stopped has none.
    mutating func freeze() {
        relieve()
        guard stage == .relieved else { return }
        pipeline.set(GST_STATE_NULL)
        stage = .frozen
    }

    mutating func leavePlane() {
        guard stage == .running else { return }
        // kmssink keeps what it showed until it leaves READY.
        video.sink.set(GST_STATE_READY)
        video.sink.lockState(true)
        stage = .withoutPlane
    }

    mutating func relieve() {
        leavePlane()
        guard stage == .withoutPlane else { return }
        let sinks = audio.sinks
        for sound in sinks.isEmpty ? [audio.card?.sink].compactMap({ $0 }) : sinks {
            sound.lockState(true)
            sound.set(GST_STATE_NULL)
        }
        stage = .relieved
    }

    /// Nothing is left. Any number of times.
    mutating func stop(isCovered: Bool = false) {
        guard stage != .stopped else { return }
        if !isCovered { uncover() }
        if stage != .running { video.sink.lockState(false) }
        if stage != .frozen { pipeline.set(GST_STATE_NULL) }
        // Of a film without video it is in no pipeline, and may be open all the same.
        video.sink.set(GST_STATE_NULL)
        stage = .stopped
    }

    private func uncover() {
        guard hasPlane, let uncover = display?.uncover else { return }
        vitrine_sink_retire(video.sink.raw)
        uncover()
    }
}
