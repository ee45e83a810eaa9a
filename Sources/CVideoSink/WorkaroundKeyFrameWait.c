// Bug: `mpegpsdemux` seeks by the stream's clock, and begins in the middle of a group of frames.
// https://gitlab.freedesktop.org/gstreamer/gst-plugins-bad/-/merge_requests/2163 (not merged as of August 2026)
// Versions: all; GStreamer's main branch of August 2026 still has it.
// May go with `SegmentStartFix.landsAnywhere`.
#include "Probe.h"

// One for each pad. Buffers and FLUSH_STOP arrive with the pad's stream lock, so that it needs no lock of its own.
typedef struct {
    bool waits;
} KeyFrameWait;

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad;
    KeyFrameWait *wait = data;
    if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER)) {
        if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_FLUSH_STOP) wait->waits = true;
        return GST_PAD_PROBE_OK;
    }
    if (wait->waits && GST_BUFFER_FLAG_IS_SET(GST_PAD_PROBE_INFO_BUFFER(info), GST_BUFFER_FLAG_DELTA_UNIT))
        return GST_PAD_PROBE_DROP;
    wait->waits = false;
    return GST_PAD_PROBE_OK;
}

void vitrine_pad_await_key_frames(GstPad *pad)
{
    vitrine_probe_add(pad, VITRINE_PROBE_DATA, probe, g_new0(KeyFrameWait, 1), g_free);
}
