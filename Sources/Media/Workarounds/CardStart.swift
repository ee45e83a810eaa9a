// Bug: `alsasink` (GstAudioBaseSink) starts its card once its buffer is full, or with a gap or the end of the stream, but not with
// the end of a segment. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_audio_base_sink_wait_event).
// May go when test_sound_that_ends_early_stops_no_loop of Tests/Rig/test_near_end.py passes without it.

internal import CGStreamer

enum CardStart {
    /// Sends a gap to the sink before the end of each loop segment. With less sound than the buffer holds, the card, whose clock
    /// the film plays by, would never start; with none, the pipeline would wait for the sink's preroll.
    static func atSegmentEnds(of sink: UnsafeMutablePointer<GstElement>) {
        guard let entry = gst_element_get_static_pad(sink, "sink") else { return }
        defer { gst_object_unref(entry) }
        gst_pad_add_probe(
            entry, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { pad, info, _ in
                guard let pad, let info, let event = gst_pad_probe_info_get_event(info),
                    event.pointee.type == GST_EVENT_SEGMENT_DONE,
                    let sticky = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
                else { return GST_PAD_PROBE_OK }
                defer { gst_event_unref(sticky) }
                var segment = GstSegment()
                gst_event_copy_segment(sticky, &segment)
                // The segment's start has been played: the sink does not wait for its time.
                if segment.format == GST_FORMAT_TIME { gst_pad_send_event(pad, gst_event_new_gap(segment.start, 0)) }
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }
}
