#include "SegmentShaper.h"

struct VitrineSegmentShaper {
    GMutex lock;
    uint32_t widened;       // the segment to widen, if it is the first one after a flush; 0: none
    uint32_t begins;        // the segment that starts at `place` or later; 0: none
    int64_t place;
    uint32_t moved;         // the last segment whose start was moved to `place`; 0: none
    bool is_flushed;        // no segment has arrived since the last flush
};

// Moves the segment's start and subtracts the difference from its offset: running and stream times stay the same.
static void shift(GstPadProbeInfo *info, GstSegment *segment, gint64 by)
{
    segment->start += by;
    segment->time += by;
    segment->offset -= by;
    vitrine_probe_replace_segment(info, segment);
}

bool vitrine_segment_restore(GstPadProbeInfo *info, GstSegment *segment)
{
    if (segment->format != GST_FORMAT_TIME || segment->rate <= 0 || segment->offset == 0) return false;
    shift(info, segment, (gint64)segment->offset);
    return true;
}

// Moves the segment's start to `place`, from where running times count. Returns false if the segment arrives a second
// time and must not pass. With the lock.
static bool begin_late(VitrineSegmentShaper *shaper, GstPadProbeInfo *info, GstSegment *segment)
{
    int64_t late = shaper->place - (int64_t)segment->time;
    bool is_longer = !GST_CLOCK_TIME_IS_VALID(segment->stop) || segment->stop - segment->start > (guint64)late;
    if (late <= 0 || !is_longer) return true;
    if (shaper->moved == shaper->begins) return false;
    shaper->moved = shaper->begins;
    segment->start += late;
    segment->time += late;
    segment->position = segment->start;
    vitrine_probe_replace_segment(info, segment);
    return true;
}

// Returns whether the segment passes. With the lock.
static bool shape(VitrineSegmentShaper *shaper, GstPadProbeInfo *info)
{
    GstSegment segment;
    gst_event_copy_segment(GST_PAD_PROBE_INFO_EVENT(info), &segment);
    uint32_t seqnum = gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info));
    bool plays_on = segment.format == GST_FORMAT_TIME && segment.rate > 0;
    bool begins = shaper->begins && shaper->begins == seqnum;
    if (begins && plays_on && !begin_late(shaper, info, &segment)) return false;
    bool widens = shaper->is_flushed && shaper->widened == seqnum;
    shaper->is_flushed = false;
    if (widens && plays_on) shift(info, &segment, -(gint64)MIN(segment.start, segment.time));
    return true;
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad;
    VitrineSegmentShaper *shaper = data;
    bool passes = true;
    g_mutex_lock(&shaper->lock);
    switch (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info))) {
    case GST_EVENT_FLUSH_STOP: shaper->is_flushed = true; break;
    case GST_EVENT_SEGMENT: passes = shape(shaper, info); break;
    default: break;
    }
    g_mutex_unlock(&shaper->lock);
    return passes ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

VitrineSegmentShaper *vitrine_segment_shaper_new(void)
{
    VitrineSegmentShaper *shaper = g_atomic_rc_box_new0(VitrineSegmentShaper);
    g_mutex_init(&shaper->lock);
    return shaper;
}

static void clear(gpointer data) { g_mutex_clear(&((VitrineSegmentShaper *)data)->lock); }

static void release(gpointer data) { vitrine_segment_shaper_unref(data); }

void vitrine_segment_shaper_unref(VitrineSegmentShaper *shaper) { g_atomic_rc_box_release_full(shaper, clear); }

void vitrine_segment_shaper_attach(VitrineSegmentShaper *shaper, GstPad *pad)
{
    GstPadProbeType events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH;
    vitrine_probe_add(pad, events, probe, g_atomic_rc_box_acquire(shaper), release);
}

void vitrine_segment_shaper_widen(VitrineSegmentShaper *shaper, uint32_t seqnum)
{
    g_mutex_lock(&shaper->lock);
    shaper->widened = seqnum;
    g_mutex_unlock(&shaper->lock);
}

void vitrine_segment_shaper_begin_at(VitrineSegmentShaper *shaper, uint32_t seqnum, int64_t place)
{
    g_mutex_lock(&shaper->lock);
    shaper->begins = seqnum;
    shaper->place = place;
    g_mutex_unlock(&shaper->lock);
}
