#include "Probe.h"

struct VitrinePreviewLimit {
    GMutex lock;
    uint32_t next_limit;    // for segments that arrive from now on; 0: none
    uint32_t limit;         // for the current segment; 0: none
    uint32_t seqnum;        // the segment's
    uint32_t passed;        // buffers of the segment, including the first dropped one
    bool is_broken;         // the last buffer was dropped
};

static GstPadProbeReturn pass(VitrinePreviewLimit *limit, GstPad *pad, GstPadProbeInfo *info)
{
    bool drops = false, ends = false;
    g_mutex_lock(&limit->lock);
    if (limit->limit) {
        drops = limit->passed >= limit->limit;
        ends = limit->passed++ == limit->limit;
    }
    bool resumes = limit->is_broken && !drops;
    limit->is_broken = drops;
    uint32_t seqnum = limit->seqnum;
    g_mutex_unlock(&limit->lock);
    if (drops) GST_LOG_OBJECT(pad, "behind the limit: %" GST_PTR_FORMAT, GST_PAD_PROBE_INFO_BUFFER(info));
    if (resumes) vitrine_probe_mark_discont(info);
    if (ends) {
        GstEvent *eos = gst_event_new_eos();
        gst_event_set_seqnum(eos, seqnum);
        gst_pad_send_event(pad, eos);  // this pad's streaming thread holds its stream lock, which is recursive
    }
    return drops ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrinePreviewLimit *limit = data;
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER) return pass(limit, pad, info);
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) != GST_EVENT_SEGMENT) return GST_PAD_PROBE_OK;
    g_mutex_lock(&limit->lock);
    limit->limit = limit->next_limit;
    limit->seqnum = gst_event_get_seqnum(event);
    limit->passed = 0;
    g_mutex_unlock(&limit->lock);
    return GST_PAD_PROBE_OK;
}

VitrinePreviewLimit *vitrine_preview_limit_new(void)
{
    vitrine_category_begin();
    VitrinePreviewLimit *limit = g_atomic_rc_box_new0(VitrinePreviewLimit);
    g_mutex_init(&limit->lock);
    return limit;
}

static void clear(gpointer data) { g_mutex_clear(&((VitrinePreviewLimit *)data)->lock); }

static void release(gpointer data) { vitrine_preview_limit_unref(data); }

void vitrine_preview_limit_unref(VitrinePreviewLimit *limit) { g_atomic_rc_box_release_full(limit, clear); }

void vitrine_preview_limit_attach(VitrinePreviewLimit *limit, GstPad *pad)
{
    vitrine_probe_add(pad, VITRINE_PROBE_DATA, probe, g_atomic_rc_box_acquire(limit), release);
}

void vitrine_preview_limit_set(VitrinePreviewLimit *limit, uint32_t buffers)
{
    g_mutex_lock(&limit->lock);
    limit->next_limit = buffers;
    g_mutex_unlock(&limit->lock);
}
