#include "Probe.h"

// GStreamer's element `valve` does the same, but cannot be used here: decodebin links a decoder itself, and allows no
// element before it. With a valve behind the decoder, all the sound that the demuxer reads on each seek of a drag would
// be decoded, and then dropped.
struct VitrineValve {
    gint drops;             // atomic
    gint is_broken;         // atomic: the last buffer was dropped
};

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineValve *valve = data;
    bool drops = g_atomic_int_get(&valve->drops);
    bool was_broken = g_atomic_int_exchange(&valve->is_broken, drops);
    if (drops) GST_LOG_OBJECT(pad, "dropped: %" GST_PTR_FORMAT, GST_PAD_PROBE_INFO_BUFFER(info));
    if (was_broken && !drops) vitrine_probe_mark_discont(info);
    return drops ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

VitrineValve *vitrine_valve_new(void)
{
    vitrine_category_begin();
    return g_atomic_rc_box_new0(VitrineValve);
}

static void release(gpointer data) { vitrine_valve_unref(data); }

void vitrine_valve_unref(VitrineValve *valve) { g_atomic_rc_box_release(valve); }

void vitrine_valve_attach(VitrineValve *valve, GstPad *pad)
{
    vitrine_probe_add(pad, GST_PAD_PROBE_TYPE_BUFFER, probe, g_atomic_rc_box_acquire(valve), release);
}

void vitrine_valve_set_drop(VitrineValve *valve, bool drops) { g_atomic_int_set(&valve->drops, drops); }
