#include "CPictureSink.h"
#include "Category.h"

struct VitrineGate {
    gatomicrefcount references;
    GMutex lock;
    int64_t from;
    bool closed;
    uint32_t limit, next_limit, passed;  // of the segment in force, of the next ones; 0: no limit
    uint32_t seqnum;                     // the segment's
    uint64_t held;
    int64_t held_at;  // when the last buffer was held back, monotonic us; 0: the one before passed
    int64_t pace;     // smoothed time between two that were held back in a row, ns; 0: unknown
    bool broken;      // something was held back since the last buffer that passed
    GstSegment segment;  // of the one stream whose times `from` speaks of
};

// Whether a copy of the buffer shares its pixels.
static bool shares(GstBuffer *buffer)
{
    for (guint i = 0; i < gst_buffer_n_memory(buffer); i++)
        if (GST_MEMORY_IS_NO_SHARE(gst_buffer_peek_memory(buffer, i))) return false;
    return true;
}

// The flag of a flush's first buffer goes with it where that is held back: the first one that passes has to have it.
// A dumb buffer of a plane's that the decoder still reads goes without, rather than be copied.
static void mark(GstPadProbeInfo *info, GstBuffer *buffer)
{
    if (!gst_buffer_is_writable(buffer) && !shares(buffer)) return;
    buffer = gst_buffer_make_writable(buffer);
    GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
    info->data = buffer;
}

static GstPadProbeReturn pass(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineGate *gate = data;
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
        if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT) {
            g_mutex_lock(&gate->lock);
            gate->held_at = 0;
            gate->limit = gate->next_limit;
            gate->passed = 0;
            gate->seqnum = gst_event_get_seqnum(event);
            gst_event_copy_segment(event, &gate->segment);
            g_mutex_unlock(&gate->lock);
        }
        return GST_PAD_PROBE_OK;
    }
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    g_mutex_lock(&gate->lock);
    int64_t from = gate->from;
    bool hold = gate->closed;
    if (!hold && from != INT64_MIN && GST_BUFFER_PTS_IS_VALID(buffer) && gate->segment.format == GST_FORMAT_TIME) {
        guint64 time;
        gint sign = gst_segment_to_stream_time_full(&gate->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer), &time);
        int64_t length = GST_BUFFER_DURATION_IS_VALID(buffer) ? (int64_t)GST_BUFFER_DURATION(buffer) : 1;
        hold = sign != 0 && sign * (int64_t)time + length <= from;
    }
    if (hold && !gate->closed) {
        gate->held++;
        int64_t now = g_get_monotonic_time();
        int64_t passed = gate->held_at ? (now - gate->held_at) * 1000 : 0;
        if (passed) gate->pace += gate->pace ? (passed - gate->pace) / 8 : passed;
        gate->held_at = now;
    } else {
        gate->held_at = 0;
    }
    bool end = false;
    uint32_t seqnum = gate->seqnum;
    if (gate->limit && !hold) {
        hold = gate->passed >= gate->limit;
        end = gate->passed++ == gate->limit;
    }
    bool resumes = gate->broken && !hold;
    gate->broken = hold;
    g_mutex_unlock(&gate->lock);
    if (hold) GST_LOG_OBJECT(pad, "held back: %" GST_PTR_FORMAT, buffer);
    if (resumes) mark(info, buffer);
    if (end) {
        GstEvent *eos = gst_event_new_eos();
        gst_event_set_seqnum(eos, seqnum);
        gst_pad_send_event(pad, eos);  // this pad's streaming thread holds its stream lock, which is recursive
    }
    return hold ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void unref(gpointer data) { vitrine_gate_unref(data); }

VitrineGate *vitrine_gate_new(void)
{
    vitrine_category_begin();
    VitrineGate *gate = g_new0(VitrineGate, 1);
    g_atomic_ref_count_init(&gate->references);
    g_mutex_init(&gate->lock);
    gate->from = INT64_MIN;
    gst_segment_init(&gate->segment, GST_FORMAT_UNDEFINED);
    return gate;
}

void vitrine_gate_attach(VitrineGate *gate, GstPad *pad)
{
    g_atomic_ref_count_inc(&gate->references);
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, pass, gate, unref);
}

void vitrine_gate_unref(VitrineGate *gate)
{
    if (!g_atomic_ref_count_dec(&gate->references)) return;
    g_mutex_clear(&gate->lock);
    g_free(gate);
}

void vitrine_gate_hold_until(VitrineGate *gate, int64_t from)
{
    g_mutex_lock(&gate->lock);
    gate->from = from;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_end_after(VitrineGate *gate, uint32_t buffers)
{
    g_mutex_lock(&gate->lock);
    gate->next_limit = buffers;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_set_closed(VitrineGate *gate, bool closed)
{
    g_mutex_lock(&gate->lock);
    gate->closed = closed;
    g_mutex_unlock(&gate->lock);
}

uint64_t vitrine_gate_held(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    uint64_t held = gate->held;
    g_mutex_unlock(&gate->lock);
    return held;
}

int64_t vitrine_gate_pace(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    int64_t pace = gate->pace;
    g_mutex_unlock(&gate->lock);
    return pace;
}
