#include "Probe.h"

// Qdata of a pad: the ids of its probes, an array of gulong.
static GQuark probes_quark(void) { return g_quark_from_static_string("vitrine-probes"); }

static void release_array(gpointer array) { g_array_unref(array); }

void vitrine_probe_add(
    GstPad *pad, GstPadProbeType type, GstPadProbeCallback callback, gpointer data, GDestroyNotify release)
{
    gulong probe = gst_pad_add_probe(pad, type, callback, data, release);
    GArray *probes = g_object_get_qdata(G_OBJECT(pad), probes_quark());
    if (!probes) {
        probes = g_array_new(FALSE, FALSE, sizeof(gulong));
        g_object_set_qdata_full(G_OBJECT(pad), probes_quark(), probes, release_array);
    }
    g_array_append_val(probes, probe);
}

static GstPadProbeReturn drop(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad, (void)info, (void)data;
    return GST_PAD_PROBE_DROP;
}

void vitrine_pad_shut(GstPad *pad)
{
    GArray *probes = g_object_steal_qdata(G_OBJECT(pad), probes_quark());
    for (guint i = 0; probes && i < probes->len; i++) gst_pad_remove_probe(pad, g_array_index(probes, gulong, i));
    if (probes) g_array_unref(probes);
    vitrine_probe_add(pad, GST_PAD_PROBE_TYPE_BUFFER, drop, NULL, NULL);
}

int64_t vitrine_stream_time(const GstSegment *segment, GstBuffer *buffer)
{
    guint64 time;
    if (!GST_BUFFER_PTS_IS_VALID(buffer) || segment->format != GST_FORMAT_TIME) return INT64_MIN;
    gint sign = gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer), &time);
    return sign == 0 ? INT64_MIN : sign * (int64_t)time;
}

int64_t vitrine_duration(GstBuffer *buffer)
{
    return GST_BUFFER_DURATION_IS_VALID(buffer) ? (int64_t)MIN(GST_BUFFER_DURATION(buffer), INT64_MAX) : 1;
}

// Whether a copy of the buffer shares its memory.
static bool shares_memory(GstBuffer *buffer)
{
    for (guint i = 0; i < gst_buffer_n_memory(buffer); i++)
        if (GST_MEMORY_IS_NO_SHARE(gst_buffer_peek_memory(buffer, i))) return false;
    return true;
}

void vitrine_probe_mark_discont(GstPadProbeInfo *info)
{
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    if (!gst_buffer_is_writable(buffer) && !shares_memory(buffer)) return;
    buffer = gst_buffer_make_writable(buffer);
    GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
    info->data = buffer;
}

void vitrine_probe_replace_segment(GstPadProbeInfo *info, const GstSegment *segment)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info), *other = gst_event_new_segment(segment);
    gst_event_set_seqnum(other, gst_event_get_seqnum(event));
    gst_event_unref(event);
    info->data = other;
}
