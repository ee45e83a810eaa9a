#include "FrameGate.h"
#include "SegmentShaper.h"

struct VitrineFrameGate {
    GMutex lock;
    bool is_behind_decoder;

    // The wanted frames.
    int64_t from;           // INT64_MIN: every frame; INT64_MAX: the stream's last
    bool is_sought;         // no frame has passed since `from` was set
    uint32_t aimed;         // the segment in which the frame at `aim` is wanted instead of the one at its start; 0: none
    int64_t aim;
    bool aims_behind;       // the frame after that one is wanted

    // The current segment.
    GstSegment segment;
    int64_t start;          // the start of a segment that was widened before the decoder, or `aim`; INT64_MIN: neither
    bool skips_start;       // the frame at `start` is held back as well
    bool is_flushed;        // no segment has arrived since the last flush
    int64_t previous;       // start of the last frame that arrived, stream time; INT64_MIN: none
    int64_t previous_duration;
    bool overlaps;          // a frame started before the end of the one before it: the stream's durations are wrong

    // The frames that are held back.
    GstBuffer *last;        // the last one: it may last until the next frame starts, whatever its duration says
    bool releases;          // `last` is passing this very pad
    bool is_broken;         // the last frame that arrived was held back
    uint64_t held;
    int64_t held_at;        // when the last frame was held back, monotonic us; 0: the last one passed
    int64_t decoding_time;  // smoothed, ns; 0: unknown
};

// Qdata of a pad: the gate that is releasing a frame there.
static GQuark releasing_quark(void) { return g_quark_from_static_string("vitrine-releasing"); }

bool vitrine_frame_gate_releases_at(GstPad *pad)
{
    return g_object_get_qdata(G_OBJECT(pad), releasing_quark()) != NULL;
}

// Takes the last frame that was held back, extended to `end` (stream time). With the lock.
static GstBuffer *take_last(VitrineFrameGate *gate, int64_t end)
{
    GstBuffer *last = g_steal_pointer(&gate->last);
    if (!last) return NULL;
    int64_t start = vitrine_stream_time(&gate->segment, last);
    if (end != INT64_MAX && end - start > vitrine_duration(last)) {
        last = gst_buffer_make_writable(last);
        GST_BUFFER_DURATION(last) = end - start;
    }
    return last;
}

// On this pad's streaming thread, which holds its recursive stream lock.
static void release_frame(VitrineFrameGate *gate, GstPad *pad, GstBuffer *last)
{
    GST_LOG_OBJECT(pad, "released: %" GST_PTR_FORMAT, last);
    gate->releases = true;
    g_object_set_qdata(G_OBJECT(pad), releasing_quark(), gate);
    gst_pad_chain(pad, last);
    g_object_set_qdata(G_OBJECT(pad), releasing_quark(), NULL);
    gate->releases = false;
}

static void forget_last(VitrineFrameGate *gate)
{
    g_mutex_lock(&gate->lock);
    GstBuffer *last = g_steal_pointer(&gate->last);
    g_mutex_unlock(&gate->lock);
    if (last) gst_buffer_unref(last);
}

// The start of the wanted frame, or a place within it. With the lock.
static int64_t target(VitrineFrameGate *gate) { return MAX(gate->from, gate->start); }

// Releases the last frame that was held back, because no frame follows: it stands at the target.
static void release_at_end(VitrineFrameGate *gate, GstPad *pad)
{
    g_mutex_lock(&gate->lock);
    int64_t place = target(gate);
    GstBuffer *last = take_last(gate, place == INT64_MAX ? place : place + 1);
    g_mutex_unlock(&gate->lock);
    if (last) release_frame(gate, pad, last);
}

static void begin_segment(VitrineFrameGate *gate, GstPadProbeInfo *info)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    uint32_t seqnum = gst_event_get_seqnum(event);
    g_mutex_lock(&gate->lock);
    gst_event_copy_segment(event, &gate->segment);
    gate->start = gate->previous = INT64_MIN;
    gate->held_at = 0;
    bool aims = gate->is_flushed && gate->aimed == seqnum;
    gate->skips_start = aims && gate->aims_behind;
    gate->is_flushed = false;
    if (gate->is_behind_decoder && vitrine_segment_restore(info, &gate->segment))
        gate->start = (int64_t)gate->segment.time;
    if (aims) gate->start = gate->aim;
    g_mutex_unlock(&gate->lock);
}

// A gap that starts this far behind the target counts as the end of the stream. A nearer one may be followed by frames:
// decoders keep some, and demuxers send a gap whenever a stream lags behind the others.
static const int64_t LONG_GAP = 10 * (int64_t)GST_SECOND;

// Drops a gap that would be taken for the awaited frame, also before a film's first one.
static bool drops_gap(VitrineFrameGate *gate, GstPad *pad, GstEvent *event)
{
    GstClockTime start, duration;
    guint64 time;
    gst_event_parse_gap(event, &start, &duration);
    g_mutex_lock(&gate->lock);
    int64_t place = target(gate);
    bool waits = place == INT64_MAX || gate->last || gate->is_sought;
    bool is_over = place != INT64_MAX && gate->last && gate->segment.format == GST_FORMAT_TIME &&
                   gst_segment_to_stream_time_full(&gate->segment, GST_FORMAT_TIME, start, &time) > 0 &&
                   (int64_t)time > place && (int64_t)time - place > LONG_GAP;
    g_mutex_unlock(&gate->lock);
    if (waits && is_over) release_at_end(gate, pad);
    return waits && !is_over;
}

static GstPadProbeReturn pass_event(VitrineFrameGate *gate, GstPad *pad, GstPadProbeInfo *info)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEGMENT:
        forget_last(gate);
        begin_segment(gate, info);
        break;
    case GST_EVENT_FLUSH_STOP:
        g_mutex_lock(&gate->lock);
        gate->is_flushed = true;
        g_mutex_unlock(&gate->lock);
        forget_last(gate);
        break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_CAPS: forget_last(gate); break;
    case GST_EVENT_EOS:
    case GST_EVENT_SEGMENT_DONE: release_at_end(gate, pad); break;
    case GST_EVENT_GAP: return drops_gap(gate, pad, event) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
    default: break;
    }
    return GST_PAD_PROBE_OK;
}

// Checks by a frame whether the stream's durations are right. With the lock.
static void learn(VitrineFrameGate *gate, GstBuffer *buffer, int64_t start)
{
    if (start == INT64_MIN) return;
    // Containers that count milliseconds may be off by one.
    if (gate->previous != INT64_MIN && start > gate->previous &&
        gate->previous + gate->previous_duration - start > (int64_t)GST_MSECOND)
        gate->overlaps = true;
    gate->previous = start;
    gate->previous_duration = MIN(vitrine_duration(buffer), (int64_t)GST_SECOND);
}

// Returns whether to hold a frame back; `due` is an earlier one that must be released first. Call it again after the
// release: `due` may have waited in the sink until a later frame was wanted. With the lock.
static bool holds(VitrineFrameGate *gate, GstBuffer *buffer, int64_t start, GstBuffer **due)
{
    *due = NULL;
    int64_t place = target(gate);
    if (gate->releases || start == INT64_MIN || place == INT64_MIN) return false;
    bool skips = gate->skips_start && gate->from <= gate->start;
    bool is_over = (uint64_t)place - (uint64_t)start >= (uint64_t)vitrine_duration(buffer);
    if (start < place ? skips || gate->overlaps || is_over : start == place && skips) {
        gst_buffer_replace(&gate->last, buffer);
        return true;
    }
    if (start > place && !skips) *due = take_last(gate, start);
    else gst_clear_buffer(&gate->last);
    return false;
}

// Counts a frame that is held back, or that passes. With the lock.
static void count(VitrineFrameGate *gate, bool holds)
{
    if (!holds) {
        gate->held_at = 0;
        gate->is_sought = false;
        return;
    }
    gate->held++;
    int64_t now = g_get_monotonic_time();
    int64_t passed = gate->held_at ? (now - gate->held_at) * 1000 : 0;
    if (passed) gate->decoding_time += gate->decoding_time ? (passed - gate->decoding_time) / 8 : passed;
    gate->held_at = now;
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineFrameGate *gate = data;
    if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER)) return pass_event(gate, pad, info);
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info), *due;
    g_mutex_lock(&gate->lock);
    int64_t start = vitrine_stream_time(&gate->segment, buffer);
    if (!gate->releases) learn(gate, buffer, start);
    bool hold = holds(gate, buffer, start, &due);
    if (due) {
        g_mutex_unlock(&gate->lock);
        release_frame(gate, pad, due);
        g_mutex_lock(&gate->lock);
        hold = holds(gate, buffer, start, &due);
    }
    count(gate, hold);
    bool resumes = gate->is_broken && !hold;
    gate->is_broken = hold;
    g_mutex_unlock(&gate->lock);
    if (hold) GST_LOG_OBJECT(pad, "held back: %" GST_PTR_FORMAT, buffer);
    if (resumes) vitrine_probe_mark_discont(info);
    return hold ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

VitrineFrameGate *vitrine_frame_gate_new(bool is_behind_decoder)
{
    vitrine_category_begin();
    VitrineFrameGate *gate = g_atomic_rc_box_new0(VitrineFrameGate);
    g_mutex_init(&gate->lock);
    gate->is_behind_decoder = is_behind_decoder;
    gate->from = gate->start = gate->previous = INT64_MIN;
    gst_segment_init(&gate->segment, GST_FORMAT_UNDEFINED);
    return gate;
}

static void clear(gpointer data)
{
    VitrineFrameGate *gate = data;
    gst_clear_buffer(&gate->last);
    g_mutex_clear(&gate->lock);
}

static void release(gpointer data) { vitrine_frame_gate_unref(data); }

void vitrine_frame_gate_unref(VitrineFrameGate *gate) { g_atomic_rc_box_release_full(gate, clear); }

void vitrine_frame_gate_attach(VitrineFrameGate *gate, GstPad *pad)
{
    vitrine_probe_add(pad, VITRINE_PROBE_DATA, probe, g_atomic_rc_box_acquire(gate), release);
}

void vitrine_frame_gate_hold_until(VitrineFrameGate *gate, int64_t from)
{
    g_mutex_lock(&gate->lock);
    gate->from = from;
    gate->is_sought = true;
    g_mutex_unlock(&gate->lock);
}

void vitrine_frame_gate_aim(VitrineFrameGate *gate, uint32_t seqnum, int64_t place, bool behind)
{
    g_mutex_lock(&gate->lock);
    gate->aimed = seqnum;
    gate->aim = place;
    gate->aims_behind = behind;
    g_mutex_unlock(&gate->lock);
}

uint64_t vitrine_frame_gate_held(VitrineFrameGate *gate)
{
    g_mutex_lock(&gate->lock);
    uint64_t held = gate->held;
    g_mutex_unlock(&gate->lock);
    return held;
}

int64_t vitrine_frame_gate_decoding_time(VitrineFrameGate *gate)
{
    g_mutex_lock(&gate->lock);
    int64_t time = gate->decoding_time;
    g_mutex_unlock(&gate->lock);
    return time;
}
