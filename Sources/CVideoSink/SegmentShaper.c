#include "SegmentShaper.h"
#include "FrameSkip.h"
#include "WorkaroundKeyFrameStart.h"

struct VitrineSegmentShaper {
    GMutex lock;
    uint32_t widened;       // the segment to widen, if it is the first one after a flush; 0: none
    bool is_flushed;        // no segment has arrived since the last flush
    bool skips;             // frames, in the segment to widen
    FrameSkip skip;
    KeyFrameStart start;
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

// Widens the segment. With the lock.
static void widen(VitrineSegmentShaper *shaper, GstPadProbeInfo *info, GstSegment *segment)
{
    int64_t target = (int64_t)segment->time;
    shift(info, segment, -(gint64)MIN(segment->start, segment->time));
    if (shaper->skips) vitrine_skip_expect(&shaper->skip, segment, target);
}

// Returns whether the segment passes. With the lock.
static bool shape(VitrineSegmentShaper *shaper, GstPadProbeInfo *info)
{
    GstSegment segment;
    gst_event_copy_segment(GST_PAD_PROBE_INFO_EVENT(info), &segment);
    vitrine_skip_forget(&shaper->skip);
    uint32_t seqnum = gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info));
    bool plays_on = segment.format == GST_FORMAT_TIME && segment.rate > 0;
    if (plays_on && !vitrine_key_frame_start_mend(&shaper->start, info, &segment)) return false;
    bool widens = shaper->is_flushed && shaper->widened == seqnum;
    shaper->is_flushed = false;
    if (widens && plays_on) widen(shaper, info, &segment);
    return true;
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineSegmentShaper *shaper = data;
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
        vitrine_skip_follow(&shaper->skip, pad, GST_PAD_PROBE_INFO_BUFFER(info));
        return GST_PAD_PROBE_OK;
    }
    bool passes = true;
    g_mutex_lock(&shaper->lock);
    switch (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info))) {
    case GST_EVENT_FLUSH_STOP:
        shaper->is_flushed = true;
        vitrine_skip_forget(&shaper->skip);
        break;
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
    vitrine_skip_begin(&shaper->skip);
    return shaper;
}

static void clear(gpointer data)
{
    VitrineSegmentShaper *shaper = data;
    vitrine_skip_end(&shaper->skip);
    g_mutex_clear(&shaper->lock);
}

static void release(gpointer data) { vitrine_segment_shaper_unref(data); }

void vitrine_segment_shaper_unref(VitrineSegmentShaper *shaper) { g_atomic_rc_box_release_full(shaper, clear); }

void vitrine_segment_shaper_attach(VitrineSegmentShaper *shaper, GstPad *pad)
{
    vitrine_probe_add(pad, VITRINE_PROBE_DATA, probe, g_atomic_rc_box_acquire(shaper), release);
}

void vitrine_segment_shaper_widen(VitrineSegmentShaper *shaper, uint32_t seqnum, bool skips)
{
    g_mutex_lock(&shaper->lock);
    shaper->widened = seqnum;
    shaper->skips = skips;
    g_mutex_unlock(&shaper->lock);
}

void vitrine_segment_shaper_begin_at(VitrineSegmentShaper *shaper, uint32_t seqnum, int64_t place)
{
    g_mutex_lock(&shaper->lock);
    shaper->start.begins = seqnum;
    shaper->start.place = place;
    g_mutex_unlock(&shaper->lock);
}
