// Bug: if a pause is requested when a seek has been answered, and the pipeline is about to go on to PLAYING, GStreamer
// stores a running time that continues from before the seek (`pipeline_update_start_time`): all following frames are
// late by that, and are dropped. Buffering requests such pauses. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it.
// May go when test_a_seek_that_buffering_pauses_goes_on of Tests/Rig/test_streams.py passes without it.

internal import CGStreamer

extension FilmPipeline {
    /// Pauses the pipeline and keeps the running time that the seek has started. Worker only.
    func pause() -> GstStateChangeReturn {
        let (_, current, pending) = pipeline.state
        let isAboutToPlay = current == GST_STATE_PAUSED && pending == GST_STATE_PLAYING
        let start = pipeline.startTime
        let result = pipeline.set(GST_STATE_PAUSED)
        if isAboutToPlay, pipeline.startTime != start {
            debugLog(pipeline, "its running time is that of before the pause")
            for element in [pipeline, video.sink] { element.startTime = start }
        }
        return result
    }
}
