#include "SegmentShaper.h"

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
    GstSegment segment;     // the current one, as the decoder has it
    uint32_t seqnum;        // its
    int64_t target;         // the place that was sought, stream time
};

// Frames so near to the target of a seek are all decoded, ns: one of them is the target, or is shown there because the
// next frame comes late. libav's decoders take a change of mode into account one frame later.
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
    // Seeks without sound are in trick mode themselves.
    if (!(segment->flags & GST_SEGMENT_FLAG_TRICKMODE_NO_AUDIO)) segment->flags &= ~GST_SEGMENT_FLAG_TRICKMODE;
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

// Whether the pad's decoder is one of libav's. In trick mode they decode only the frames that others refer to.
static bool is_libav(GstPad *pad)
{
    GstElement *decoder = gst_pad_get_parent_element(pad);
    GstElementFactory *factory = decoder ? gst_element_get_factory(decoder) : NULL;
    bool is_libav = factory && g_str_has_prefix(GST_OBJECT_NAME(factory), "avdec_");
    g_clear_object(&decoder);
    return is_libav;
}

// Widens the segment, and puts it into trick mode if frames may be skipped. With the lock.
static void widen(VitrineSegmentShaper *shaper, GstPad *pad, GstPadProbeInfo *info, GstSegment *segment)
{
    shaper->target = (int64_t)segment->time;
    shaper->skips = shaper->may_skip && !(segment->flags & GST_SEGMENT_FLAG_TRICKMODE) && is_libav(pad);
    if (shaper->skips) segment->flags |= GST_SEGMENT_FLAG_TRICKMODE;
    shift(info, segment, -(gint64)MIN(segment->start, segment->time));
    shaper->segment = *segment;
    shaper->seqnum = gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info));
}

// Returns whether the segment passes. With the lock.
static bool shape(VitrineSegmentShaper *shaper, GstPad *pad, GstPadProbeInfo *info)
{
    GstSegment segment;
    gst_event_copy_segment(GST_PAD_PROBE_INFO_EVENT(info), &segment);
    shaper->skips = false;
    uint32_t seqnum = gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info));
    bool plays_on = segment.format == GST_FORMAT_TIME && segment.rate > 0;
    bool begins = shaper->begins && shaper->begins == seqnum;
    if (begins && plays_on && !begin_late(shaper, info, &segment)) return false;
    bool widens = shaper->is_flushed && shaper->widened == seqnum;
    shaper->is_flushed = false;
    if (widens && plays_on) widen(shaper, pad, info, &segment);
    return true;
}

// Whether skipping ends with this frame: it is near the target, or it is not known how near. With the lock.
static bool is_near(VitrineSegmentShaper *shaper, GstBuffer *buffer)
{
    int64_t start = vitrine_stream_time(&shaper->segment, buffer);
    return start == INT64_MIN || start + MAX(ALL_DECODED, 4 * vitrine_duration(buffer)) > shaper->target;
}

// Tells the decoder, and nobody else on its pad, that from here on it decodes all frames.
static void end_skipping(VitrineSegmentShaper *shaper, GstPad *pad, GstBuffer *buffer)
{
    g_mutex_lock(&shaper->lock);
    bool ends = shaper->skips && is_near(shaper, buffer);
    GstEvent *event = NULL;
    if (ends) {
        shaper->skips = false;
        shaper->segment.flags &= ~GST_SEGMENT_FLAG_TRICKMODE;
        event = gst_event_new_segment(&shaper->segment);
        gst_event_set_seqnum(event, shaper->seqnum);
    }
    g_mutex_unlock(&shaper->lock);
    GstElement *decoder = event ? gst_pad_get_parent_element(pad) : NULL;
    if (decoder) GST_PAD_EVENTFUNC(pad)(pad, GST_OBJECT(decoder), event);
    else if (event) gst_event_unref(event);
    g_clear_object(&decoder);
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineSegmentShaper *shaper = data;
    if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
        end_skipping(shaper, pad, GST_PAD_PROBE_INFO_BUFFER(info));
        return GST_PAD_PROBE_OK;
    }
    bool passes = true;
    g_mutex_lock(&shaper->lock);
    switch (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info))) {
    case GST_EVENT_FLUSH_STOP:
        shaper->is_flushed = true;
        shaper->skips = false;
        break;
    case GST_EVENT_SEGMENT: passes = shape(shaper, pad, info); break;
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
