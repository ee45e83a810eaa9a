// Bug: `alsasink` (GstAudioBaseSink) starts its card once its buffer is full, or with a gap or the end of the stream, but not with
// the end of a segment. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_audio_base_sink_wait_event).
// May go when test_sound_that_ends_early_stops_no_loop of Tests/Rig/test_near_end.py passes without it.

internal import CGStreamer

enum CardStart {
    /// Sends a gap to the sink before the end of each loop segment. With less sound than the buffer holds, the card,
    /// whose clock the film plays by, would never start; with none, the pipeline would wait for the sink's preroll.
    static func atSegmentEnds(of sink: Element) {
        sink.pad("sink")?.watch(GST_EVENT_SEGMENT_DONE) { pad, _ in
            // The segment's start has been played, so that the sink does not wait for its time.
            if let segment = pad.kept(GST_EVENT_SEGMENT)?.segment, segment.format == GST_FORMAT_TIME,
                let gap = Event.gap(at: segment.start)
            {
                pad.send(gap)
            }
        }
    }
}
