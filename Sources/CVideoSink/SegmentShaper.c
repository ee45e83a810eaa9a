#include "SegmentShaper.h"
#include <gst/video/gstvideodecoder.h>

struct VitrineSegmentShaper {
    GMutex lock;
    uint32_t widened;       // the segment to widen, if it is the first one after a flush; 0: none
    uint32_t begins;        // the segment that starts at `place` or later; 0: none
    int64_t place;
    uint32_t moved;         // the last segment whose start was moved to `place`; 0: none
    bool is_flushed;        // no segment has arrived since the last flush

    // Skipping the frames that no other one needs.
    bool may_skip;          // in the segment to widen
    bool skips;             // in the current segment, up to a frame near `target`
    bool is_skipping;       // the decoder knows it
    GstSegment segment;     // the current one, widened
    int64_t target;         // the place that was sought, stream time
};

// Frames so near to the target of a seek are all decoded, ns: one of them is the target, or is shown there because the
// next frame comes late. libav's decoders take a change of mode into account one frame later. In a film whose frames
// stand longer than this, or whose video ends before its target, a frame that no other refers to could be missed.
static const int64_t ALL_DECODED = 500 * (int64_t)GST_MSECOND;

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

// The pad's decoder if it is one of libav's, with a reference; else NULL.
static GstVideoDecoder *get_libav_decoder(GstPad *pad)
{
    GstElement *decoder = gst_pad_get_parent_element(pad);
    GstElementFactory *factory = decoder ? gst_element_get_factory(decoder) : NULL;
    if (GST_IS_VIDEO_DECODER(decoder) && factory && g_str_has_prefix(GST_OBJECT_NAME(factory), "avdec_"))
        return GST_VIDEO_DECODER(decoder);
    g_clear_object(&decoder);
    return NULL;
}

// Widens the segment. With the lock.
static void widen(VitrineSegmentShaper *shaper, GstPadProbeInfo *info, GstSegment *segment)
{
    shaper->target = (int64_t)segment->time;
    gint64 by = (gint64)MIN(segment->start, segment->time);
    shift(info, segment, -by);
    shaper->segment = *segment;
    // A seek at another rate is in trick mode itself.
    shaper->skips = shaper->may_skip && by > ALL_DECODED && !(segment->flags & GST_SEGMENT_FLAG_TRICKMODE);
}

// Returns whether the segment passes. With the lock.
static bool shape(VitrineSegmentShaper *shaper, GstPadProbeInfo *info)
{
    GstSegment segment;
    gst_event_copy_segment(GST_PAD_PROBE_INFO_EVENT(info), &segment);
    shaper->skips = shaper->is_skipping = false;
    uint32_t seqnum = gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info));
    bool plays_on = segment.format == GST_FORMAT_TIME && segment.rate > 0;
    bool begins = shaper->begins && shaper->begins == seqnum;
    if (begins && plays_on && !begin_late(shaper, info, &segment)) return false;
    bool widens = shaper->is_flushed && shaper->widened == seqnum;
    shaper->is_flushed = false;
    if (widens && plays_on) widen(shaper, info, &segment);
    return true;
}

// Whether all frames are decoded from this one on: it is near the target, or it is not known how near. With the lock.
static bool is_near(VitrineSegmentShaper *shaper, GstBuffer *buffer)
{
    int64_t start = vitrine_stream_time(&shaper->segment, buffer);
    return start == INT64_MIN || start + MAX(ALL_DECODED, 4 * vitrine_duration(buffer)) > shaper->target;
}

// Has the decoder decode only the frames that others refer to, as in trick mode, or all frames again. As for an
// instant-rate-change event, only its input segment says so: it begins anew with each segment, and no frame's time
// depends on it. Between two frames, on the thread that decodes them.
static void follow(VitrineSegmentShaper *shaper, GstPad *pad, GstBuffer *buffer)
{
    g_mutex_lock(&shaper->lock);
    bool skips = shaper->skips && !is_near(shaper, buffer), changes = skips != shaper->is_skipping;
    shaper->is_skipping = skips;
    if (!skips) shaper->skips = false;
    g_mutex_unlock(&shaper->lock);
    GstVideoDecoder *decoder = changes ? get_libav_decoder(pad) : NULL;
    if (!decoder) return;
    GST_OBJECT_LOCK(decoder);
    GstSegment *segment = &GST_VIDEO_DECODER_INPUT_SEGMENT(decoder);
    if (skips) segment->flags |= GST_SEGMENT_FLAG_TRICKMODE;
    else segment->flags &= ~GST_SEGMENT_FLAG_TRICKMODE;
    GST_OBJECT_UNLOCK(decoder);
    gst_object_unref(decoder);
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineSegmentShaper *shaper = data;
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
        follow(shaper, pad, GST_PAD_PROBE_INFO_BUFFER(info));
        return GST_PAD_PROBE_OK;
    }
    bool passes = true;
    g_mutex_lock(&shaper->lock);
    switch (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info))) {
    case GST_EVENT_FLUSH_STOP:
        shaper->is_flushed = true;
        shaper->skips = shaper->is_skipping = false;
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
    return shaper;
}

static void clear(gpointer data) { g_mutex_clear(&((VitrineSegmentShaper *)data)->lock); }

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
    shaper->may_skip = skips;
    g_mutex_unlock(&shaper->lock);
}

void vitrine_segment_shaper_begin_at(VitrineSegmentShaper *shaper, uint32_t seqnum, int64_t place)
{
    g_mutex_lock(&shaper->lock);
    shaper->begins = seqnum;
    shaper->place = place;
    g_mutex_unlock(&shaper->lock);
}
