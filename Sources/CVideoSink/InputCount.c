#include "FrameGate.h"

struct VitrineInputCount {
    GMutex lock;
    uint32_t sought;        // the newest seek's segment; 0: any
    uint64_t arrived;       // its buffers
    GstSegment segment;
    uint32_t seqnum;        // the segment's
    int64_t newest;         // start of the latest frame of this segment, stream time; INT64_MIN: none
    GWeakRef pad;           // where the last buffer arrived; before the first one, the last pad that was attached
    int64_t entered;        // when a buffer or a serialized event last arrived, or a flush began, monotonic us
    bool is_flushing;       // between a flush's start and its stop
};

static void count(VitrineInputCount *input, GstPad *pad, GstBuffer *buffer)
{
    g_weak_ref_set(&input->pad, pad);
    g_mutex_lock(&input->lock);
    input->entered = g_get_monotonic_time();
    int64_t start = vitrine_stream_time(&input->segment, buffer);
    bool is_inside =
        !GST_CLOCK_TIME_IS_VALID(input->segment.stop) || GST_BUFFER_PTS(buffer) < input->segment.stop;
    if (start > input->newest && is_inside) input->newest = start;
    if (!input->sought || input->sought == input->seqnum) input->arrived++;
    g_mutex_unlock(&input->lock);
}

static void note(VitrineInputCount *input, GstEvent *event)
{
    g_mutex_lock(&input->lock);
    bool begins = GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START, is_first = begins && !input->is_flushing;
    if (GST_EVENT_IS_SERIALIZED(event) || is_first) input->entered = g_get_monotonic_time();
    input->is_flushing = begins || (input->is_flushing && GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP);
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_SEGMENT:
        gst_event_copy_segment(event, &input->segment);
        input->seqnum = gst_event_get_seqnum(event);
        input->newest = INT64_MIN;
        break;
    case GST_EVENT_FLUSH_STOP: input->newest = INT64_MIN; break;
    default: break;
    }
    g_mutex_unlock(&input->lock);
}

static GstPadProbeReturn probe(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER))
        note(data, GST_PAD_PROBE_INFO_EVENT(info));
    else if (!vitrine_frame_gate_releases_at(pad))
        count(data, pad, GST_PAD_PROBE_INFO_BUFFER(info));
    return GST_PAD_PROBE_OK;
}

VitrineInputCount *vitrine_input_count_new(void)
{
    VitrineInputCount *input = g_atomic_rc_box_new0(VitrineInputCount);
    g_mutex_init(&input->lock);
    g_weak_ref_init(&input->pad, NULL);
    input->newest = INT64_MIN;
    gst_segment_init(&input->segment, GST_FORMAT_UNDEFINED);
    return input;
}

static void clear(gpointer data)
{
    VitrineInputCount *input = data;
    g_weak_ref_clear(&input->pad);
    g_mutex_clear(&input->lock);
}

static void release(gpointer data) { vitrine_input_count_unref(data); }

void vitrine_input_count_unref(VitrineInputCount *input) { g_atomic_rc_box_release_full(input, clear); }

void vitrine_input_count_attach(VitrineInputCount *input, GstPad *pad)
{
    g_weak_ref_set(&input->pad, pad);
    g_mutex_lock(&input->lock);
    input->entered = g_get_monotonic_time();
    g_mutex_unlock(&input->lock);
    vitrine_probe_add(pad, VITRINE_PROBE_DATA, probe, g_atomic_rc_box_acquire(input), release);
}

void vitrine_input_count_expect(VitrineInputCount *input, uint32_t seqnum)
{
    g_mutex_lock(&input->lock);
    input->sought = seqnum;
    g_mutex_unlock(&input->lock);
}

uint64_t vitrine_input_count_arrived(VitrineInputCount *input)
{
    g_mutex_lock(&input->lock);
    uint64_t arrived = input->arrived;
    g_mutex_unlock(&input->lock);
    return arrived;
}

int64_t vitrine_input_count_newest(VitrineInputCount *input)
{
    g_mutex_lock(&input->lock);
    int64_t newest = input->newest;
    g_mutex_unlock(&input->lock);
    return newest;
}

bool vitrine_pad_is_busy(GstPad *pad)
{
    // Held around the element's chain function, and whatever that calls.
    if (!GST_PAD_STREAM_TRYLOCK(pad)) return true;
    GST_PAD_STREAM_UNLOCK(pad);
    return false;
}

// Whether the element opens or closes its device right now, or waits in doing so.
static bool changes_state(GstElement *element)
{
    if (!GST_STATE_TRYLOCK(element)) return true;
    GST_STATE_UNLOCK(element);
    return false;
}

static GstPad *get_exit(GstElement *decoder) { return decoder ? gst_element_get_static_pad(decoder, "src") : NULL; }

// Whether the decoder's own thread, which gives its frames out, still runs although a flush has begun: its device does
// not answer. A thread that has ended has released this pad.
static bool runs_on(GstElement *decoder)
{
    GstPad *exit = get_exit(decoder);
    bool runs = exit && vitrine_pad_is_busy(exit);
    g_clear_object(&exit);
    return runs;
}

int64_t vitrine_input_count_inside(VitrineInputCount *input)
{
    g_mutex_lock(&input->lock);
    int64_t entered = input->entered;
    bool is_flushing = input->is_flushing;
    g_mutex_unlock(&input->lock);
    GstPad *pad = g_weak_ref_get(&input->pad);
    GstElement *decoder = pad ? gst_pad_get_parent_element(pad) : NULL;
    bool is_inside = decoder && (vitrine_pad_is_busy(pad) || changes_state(decoder) ||
                                 (is_flushing && runs_on(decoder)));
    g_clear_object(&decoder);
    g_clear_object(&pad);
    return is_inside ? (g_get_monotonic_time() - entered) * 1000 : -1;
}

bool vitrine_input_count_has_format(VitrineInputCount *input)
{
    GstPad *pad = g_weak_ref_get(&input->pad);
    GstElement *decoder = pad ? gst_pad_get_parent_element(pad) : NULL;
    GstPad *exit = get_exit(decoder);
    bool has_format = exit && gst_pad_has_current_caps(exit);
    g_clear_object(&exit);
    g_clear_object(&decoder);
    g_clear_object(&pad);
    return has_format;
}
