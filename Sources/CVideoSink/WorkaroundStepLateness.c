// Bug: a flushing step subtracts the running time of the skipped part only from the base sink's own segment: the film
// plays on from there without having waited for that time. Upstream elements still include it, and take a late frame
// for an early one. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_base_sink_perform_qos).
// May go when test_a_lift_decodes_nothing_twice of Tests/Rig/test_drag.py passes without it.
#include "WorkaroundStepLateness.h"
#include <gst/base/gstbasesink.h>

// Adds the time that the step skipped to the sink's QoS events.
static GstPadProbeReturn correct(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)data;
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) != GST_EVENT_QOS) return GST_PAD_PROBE_OK;
    GstEvent *sent = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    if (!sent) return GST_PAD_PROBE_OK;
    const GstSegment *own = &GST_BASE_SINK(GST_PAD_PARENT(pad))->segment, *segment;
    gst_event_parse_segment(sent, &segment);
    guint64 before = gst_segment_to_running_time(segment, GST_FORMAT_TIME, own->position);
    guint64 here = gst_segment_to_running_time(own, GST_FORMAT_TIME, own->position);
    gst_event_unref(sent);
    if (!GST_CLOCK_TIME_IS_VALID(before) || !GST_CLOCK_TIME_IS_VALID(here) || before <= here) return GST_PAD_PROBE_OK;
    GstQOSType type;
    gdouble proportion;
    GstClockTimeDiff late;
    GstClockTime due;
    gst_event_parse_qos(event, &type, &proportion, &late, &due);
    gst_event_unref(event);
    info->data = gst_event_new_qos(type, proportion, late, due + (before - here));
    return GST_PAD_PROBE_OK;
}

void vitrine_step_lateness_mend(GstPad *sink_pad)
{
    gst_pad_add_probe(sink_pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, correct, NULL, NULL);
}
