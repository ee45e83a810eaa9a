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
    int64_t start;       // where a segment begins that was widened before the decoder; INT64_MIN: it was not
    uint32_t widens;     // the segment to be widened, if it is the first after a flush; 0: none
    uint32_t begins;     // the segment that begins at `place` at the least; 0: none
    uint32_t begun;      // one that had to be told; 0: none
    int64_t place;
    uint32_t aimed;      // the segment of which `aim` is wanted, and not what stands at its start; 0: none
    int64_t aim;
    bool aims_behind, skips;  // what stands there is held back as well: in the aimed segment, in that in force
    int64_t before, length;  // of the last picture that has come in this segment: where it begins; INT64_MIN: none has
    bool overlaps;           // one has begun before the one before it was to end: durations tell nothing
    uint32_t sought;     // the newest seek's segment; 0: any
    uint64_t come;       // buffers of it
    int64_t newest;      // where the last picture of this segment that has come begins, stream time; INT64_MIN: none has
    bool is_flushed;     // no segment has come since the last flush
    bool is_sought;      // no picture has passed since one was sought
    bool awaits_keys;    // after each flush nothing passes before a key frame
    bool awaits_key;     // nothing does now
    GstBuffer *last;     // of those held back: it may stand until the next one begins, whatever its duration says
    bool releases;       // `last` is on its way down this very pad
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

// Stream time, ns; INT64_MIN: unknown.
static int64_t begins(VitrineGate *gate, GstBuffer *buffer)
{
    guint64 time;
    if (!GST_BUFFER_PTS_IS_VALID(buffer) || gate->segment.format != GST_FORMAT_TIME) return INT64_MIN;
    gint sign = gst_segment_to_stream_time_full(&gate->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer), &time);
    return sign == 0 ? INT64_MIN : sign * (int64_t)time;
}

// How long it says to stand, ns; 1 where it does not say.
static int64_t length(GstBuffer *buffer)
{
    return GST_BUFFER_DURATION_IS_VALID(buffer) ? (int64_t)MIN(GST_BUFFER_DURATION(buffer), INT64_MAX) : 1;
}

// Takes out the last one that was held back, as one that stands until `end` (stream time). With the lock.
static GstBuffer *take_last(VitrineGate *gate, int64_t end)
{
    GstBuffer *last = g_steal_pointer(&gate->last);
    if (!last) return NULL;
    int64_t begin = begins(gate, last);
    if (end != INT64_MAX && end - begin > length(last)) {
        last = gst_buffer_make_writable(last);
        GST_BUFFER_DURATION(last) = end - begin;
    }
    return last;
}

// On this pad's streaming thread, which holds its stream lock, a recursive one.
static void release(VitrineGate *gate, GstPad *pad, GstBuffer *last)
{
    GST_LOG_OBJECT(pad, "it stands: %" GST_PTR_FORMAT, last);
    gate->releases = true;
    gst_pad_chain(pad, last);
    gate->releases = false;
}

static void forget_last(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    GstBuffer *last = g_steal_pointer(&gate->last);
    g_mutex_unlock(&gate->lock);
    if (last) gst_buffer_unref(last);
}

// Nothing more comes: what stands where the film was to go on is the last picture.
static void release_at_end(VitrineGate *gate, GstPad *pad)
{
    g_mutex_lock(&gate->lock);
    int64_t goal = MAX(gate->from, gate->start);
    GstBuffer *last = take_last(gate, goal == INT64_MAX ? goal : goal + 1);
    g_mutex_unlock(&gate->lock);
    if (last) release(gate, pad, last);
}

static void replace(GstPadProbeInfo *info, GstSegment *segment)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info), *other = gst_event_new_segment(segment);
    gst_event_set_seqnum(other, gst_event_get_seqnum(event));
    gst_event_unref(event);
    info->data = other;
}

// A segment that begins earlier, by its offset: running and stream times stay the same, but a decoder clips nothing.
// And back, behind the decoder.
static void shift(GstPadProbeInfo *info, GstSegment *segment, gint64 by)
{
    segment->start += by;
    segment->time += by;
    segment->offset -= by;
    replace(info, segment);
}

// A segment that begins later: its running times count from there. False: it comes once more, and is not to pass.
static bool begin_late(VitrineGate *gate, GstPadProbeInfo *info, GstSegment *segment)
{
    int64_t late = gate->place - (int64_t)segment->time;
    if (late <= 0 || (GST_CLOCK_TIME_IS_VALID(segment->stop) && segment->stop - segment->start <= (guint64)late)) return true;
    if (gate->begun == gate->begins) return false;
    gate->begun = gate->begins;
    segment->start += late;
    segment->time += late;
    segment->position = segment->start;
    replace(info, segment);
    return true;
}

// False: the segment is not to pass.
static bool pass_segment(VitrineGate *gate, GstPadProbeInfo *info)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    GstSegment segment;
    gst_event_copy_segment(event, &segment);
    g_mutex_lock(&gate->lock);
    bool is_sought = gate->begins && gate->begins == gst_event_get_seqnum(event);
    if (is_sought && segment.format == GST_FORMAT_TIME && segment.rate > 0 && !begin_late(gate, info, &segment)) {
        g_mutex_unlock(&gate->lock);
        return false;
    }
    event = GST_PAD_PROBE_INFO_EVENT(info);
    gate->held_at = 0;
    gate->limit = gate->next_limit;
    gate->passed = 0;
    gate->seqnum = gst_event_get_seqnum(event);
    gate->start = gate->before = gate->newest = INT64_MIN;
    bool widens = gate->is_flushed && gate->widens == gate->seqnum;
    bool aims = gate->is_flushed && gate->aimed == gate->seqnum;
    gate->skips = aims && gate->aims_behind;
    gate->is_flushed = false;
    if (segment.format == GST_FORMAT_TIME && segment.rate > 0) {
        if (widens) {
            shift(info, &segment, -(gint64)MIN(segment.start, segment.time));
        } else if (segment.offset > 0) {
            shift(info, &segment, (gint64)segment.offset);
            gate->start = (int64_t)segment.time;
        }
    }
    if (aims) gate->start = gate->aim;
    gate->segment = segment;
    g_mutex_unlock(&gate->lock);
    return true;
}

// How far behind what is sought a stream may be told to have nothing until that is believed: decoders keep some
// pictures, and demuxers tell a gap wherever a stream lags behind the others.
static const int64_t LONG_GAP = 10 * (int64_t)GST_SECOND;

// A gap would be taken for the picture that is waited for: also before a film's first one.
static bool drops_gap(VitrineGate *gate, GstPad *pad, GstEvent *event)
{
    GstClockTime begin, length;
    guint64 time;
    gst_event_parse_gap(event, &begin, &length);
    g_mutex_lock(&gate->lock);
    int64_t goal = MAX(gate->from, gate->start);
    bool waits = goal == INT64_MAX || gate->last || gate->is_sought;
    bool is_over = goal != INT64_MAX && gate->last && gate->segment.format == GST_FORMAT_TIME &&
                   gst_segment_to_stream_time_full(&gate->segment, GST_FORMAT_TIME, begin, &time) > 0 &&
                   (int64_t)time > goal && (int64_t)time - goal > LONG_GAP;
    g_mutex_unlock(&gate->lock);
    if (waits && is_over) release_at_end(gate, pad);
    return waits && !is_over;
}

static GstPadProbeReturn pass_event(VitrineGate *gate, GstPad *pad, GstPadProbeInfo *info)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEGMENT:
        forget_last(gate);
        return pass_segment(gate, info) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
    case GST_EVENT_FLUSH_STOP:
        g_mutex_lock(&gate->lock);
        gate->is_flushed = true;
        gate->awaits_key = gate->awaits_keys;
        gate->newest = INT64_MIN;
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

// What is learnt from a picture's place, whatever becomes of it. With the lock.
static void learn(VitrineGate *gate, GstBuffer *buffer, int64_t begin)
{
    if (begin == INT64_MIN) return;
    bool is_inside = !GST_CLOCK_TIME_IS_VALID(gate->segment.stop) || GST_BUFFER_PTS(buffer) < gate->segment.stop;
    if (begin > gate->newest && is_inside) gate->newest = begin;
    // Containers that count milliseconds may be one off.
    if (gate->before != INT64_MIN && begin > gate->before &&
        gate->before + gate->length - begin > (int64_t)GST_MSECOND)
        gate->overlaps = true;
    gate->before = begin;
    gate->length = MIN(length(buffer), (int64_t)GST_SECOND);
}

// Whether a picture is held back; `due` is the one that was, and has to go first. Once it is gone the answer may be
// another: it may have waited in the sink until a later one was wanted. With the lock.
static bool holds(VitrineGate *gate, GstBuffer *buffer, int64_t begin, GstBuffer **due)
{
    *due = NULL;
    if (gate->closed) return true;
    int64_t from = MAX(gate->from, gate->start);
    if (gate->releases || begin == INT64_MIN || from == INT64_MIN) return false;
    bool skips = gate->skips && gate->from <= gate->start;
    bool is_over = (uint64_t)from - (uint64_t)begin >= (uint64_t)length(buffer);
    if (begin < from ? skips || gate->overlaps || is_over : begin == from && skips) {
        gst_buffer_replace(&gate->last, buffer);
        return true;
    }
    if (begin > from && !skips) *due = take_last(gate, begin);
    else gst_clear_buffer(&gate->last);
    return false;
}

static GstPadProbeReturn pass(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    VitrineGate *gate = data;
    if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER)) return pass_event(gate, pad, info);
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info), *due;
    g_mutex_lock(&gate->lock);
    if (gate->awaits_key && GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT)) {
        g_mutex_unlock(&gate->lock);
        return GST_PAD_PROBE_DROP;
    }
    gate->awaits_key = false;
    int64_t begin = begins(gate, buffer);
    if (!gate->releases) {
        learn(gate, buffer, begin);
        if (!gate->sought || gate->sought == gate->seqnum) gate->come++;
    }
    bool hold = holds(gate, buffer, begin, &due);
    if (due) {
        g_mutex_unlock(&gate->lock);
        release(gate, pad, due);
        g_mutex_lock(&gate->lock);
        hold = holds(gate, buffer, begin, &due);
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
    if (!hold) gate->is_sought = false;
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
    gate->from = gate->start = gate->newest = gate->before = INT64_MIN;
    gst_segment_init(&gate->segment, GST_FORMAT_UNDEFINED);
    return gate;
}

// Of a pad: the probe of the gate that stands there.
static GQuark attached(void) { return g_quark_from_static_string("vitrine-gate"); }

void vitrine_gate_attach(VitrineGate *gate, GstPad *pad)
{
    g_atomic_ref_count_inc(&gate->references);
    GstPadProbeType events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH;
    gulong probe = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | events, pass, gate, unref);
    g_object_set_qdata(G_OBJECT(pad), attached(), GSIZE_TO_POINTER(probe));
}

void vitrine_gate_shut(GstPad *pad)
{
    gulong probe = GPOINTER_TO_SIZE(g_object_steal_qdata(G_OBJECT(pad), attached()));
    if (probe) gst_pad_remove_probe(pad, probe);
    VitrineGate *gate = vitrine_gate_new();
    vitrine_gate_set_closed(gate, true);
    vitrine_gate_attach(gate, pad);
    vitrine_gate_unref(gate);
}

void vitrine_gate_unref(VitrineGate *gate)
{
    if (!g_atomic_ref_count_dec(&gate->references)) return;
    gst_clear_buffer(&gate->last);
    g_mutex_clear(&gate->lock);
    g_free(gate);
}

void vitrine_gate_hold_until(VitrineGate *gate, int64_t from)
{
    g_mutex_lock(&gate->lock);
    gate->from = from;
    gate->is_sought = true;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_widen(VitrineGate *gate, uint32_t seqnum)
{
    g_mutex_lock(&gate->lock);
    gate->widens = seqnum;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_begin(VitrineGate *gate, uint32_t seqnum, int64_t place)
{
    g_mutex_lock(&gate->lock);
    gate->begins = seqnum;
    gate->place = place;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_await_key_frames(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    gate->awaits_keys = true;
    g_mutex_unlock(&gate->lock);
}

void vitrine_gate_aim(VitrineGate *gate, uint32_t seqnum, int64_t place, bool behind)
{
    g_mutex_lock(&gate->lock);
    gate->aimed = seqnum;
    gate->aim = place;
    gate->aims_behind = behind;
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

int64_t vitrine_gate_newest(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    int64_t newest = gate->newest;
    g_mutex_unlock(&gate->lock);
    return newest;
}

void vitrine_gate_expect(VitrineGate *gate, uint32_t seqnum)
{
    g_mutex_lock(&gate->lock);
    gate->sought = seqnum;
    g_mutex_unlock(&gate->lock);
}

uint64_t vitrine_gate_come(VitrineGate *gate)
{
    g_mutex_lock(&gate->lock);
    uint64_t come = gate->come;
    g_mutex_unlock(&gate->lock);
    return come;
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
