#include "Category.h"
#include "CVideoSink.h"

// The refusals in a row that are tolerated. A new sink may refuse the format of the sink before it. The elements upstream agree on
// another format with the next buffer.
#define MOST_REFUSALS 2

// The most buffers that are still on their way in the format of a sink that failed: one that waits, and those that are being
// converted. The next sink would fail at them. A new format ends this.
#define MOST_STALE 3

// How long an end waits for the film that follows: less than a card's buffer holds (200 ms).
#define END_PATIENCE (120 * G_TIME_SPAN_MILLISECOND)

typedef struct {
    GstElement parent;
    GstPad *entry, *exit;
    GMutex lock;
    GCond changed;
    // Whether a sink may be given data.
    bool plugged, flushing;
    // Counts the sinks that were unplugged.
    guint turn;
    guint refusals, stale;
    // Whether another film may continue in the same sink; whether the end may pass; whether the next buffer follows without a gap.
    bool is_followed, may_end, is_seamless;
    GstSegment segment;
    // The running time and the film's time behind the last sample.
    GstClockTime end, place;
    // When the current call into the sink began; 0: there is none.
    gint64 given;
} SoundSocket;

typedef struct {
    GstElementClass parent;
} SoundSocketClass;

static GType sound_socket_get_type(void);
G_DEFINE_TYPE(SoundSocket, sound_socket, GST_TYPE_ELEMENT)

static GstStaticPadTemplate entry_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate exit_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

// Marks the begin and the end of a call into the sink: a driver may hang in it.
static void set_given(SoundSocket *self, bool is_given)
{
    g_mutex_lock(&self->lock);
    self->given = is_given ? g_get_monotonic_time() : 0;
    g_mutex_unlock(&self->lock);
}

// Waits for a sink. Returns false while flushing.
static bool await_sink(SoundSocket *self, guint *turn)
{
    g_mutex_lock(&self->lock);
    while (!self->plugged && !self->flushing) g_cond_wait(&self->changed, &self->lock);
    bool may_flow = !self->flushing;
    *turn = self->turn;
    g_mutex_unlock(&self->lock);
    return may_flow;
}

static bool has_changed(SoundSocket *self, guint turn)
{
    g_mutex_lock(&self->lock);
    bool has = self->turn != turn;
    g_mutex_unlock(&self->lock);
    return has;
}

// Whether a buffer is in a format that was refused.
static bool is_stale(SoundSocket *self)
{
    g_mutex_lock(&self->lock);
    bool is = self->stale > 0;
    if (is) self->stale--;
    g_mutex_unlock(&self->lock);
    return is;
}

// Counts a refusal of the sink. After too many, no other format helps: reports it, and waits for another sink.
static void refuse(SoundSocket *self, guint turn)
{
    g_mutex_lock(&self->lock);
    bool waits = self->turn == turn && ++self->refusals > MOST_REFUSALS;
    g_mutex_unlock(&self->lock);
    if (!waits) return;
    gst_element_post_message(
        GST_ELEMENT(self),
        gst_message_new_element(GST_OBJECT(self), gst_structure_new_empty("vitrine-sound-refused")));
    g_mutex_lock(&self->lock);
    while (self->turn == turn && !self->flushing) g_cond_wait(&self->changed, &self->lock);
    g_mutex_unlock(&self->lock);
}

// Reports the end of the sound, and waits for the decision whether another film takes the sink over.
static void offer_sink(SoundSocket *self, guint turn)
{
    g_mutex_lock(&self->lock);
    bool is_offered = self->is_followed && GST_CLOCK_TIME_IS_VALID(self->end);
    self->may_end = false;
    GstClockTime end = self->end, place = self->place;
    g_mutex_unlock(&self->lock);
    if (!is_offered) return;
    GstStructure *structure = gst_structure_new("vitrine-sound-ends", "end", G_TYPE_INT64, (gint64)end, "place", G_TYPE_INT64, (gint64)place, NULL);
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), structure));
    gint64 limit = g_get_monotonic_time() + END_PATIENCE;
    g_mutex_lock(&self->lock);
    while (self->turn == turn && !self->may_end && !self->flushing && g_cond_wait_until(&self->changed, &self->lock, limit)) {}
    self->may_end = true;
    g_mutex_unlock(&self->lock);
}

// Notes how far the sound has got. Makes the first buffer of a film that continues in the sink follow without a gap.
static GstBuffer *follow_sound(SoundSocket *self, GstBuffer *buffer)
{
    g_mutex_lock(&self->lock);
    bool is_seamless = self->is_seamless;
    self->is_seamless = false;
    if (GST_BUFFER_PTS_IS_VALID(buffer) && GST_BUFFER_DURATION_IS_VALID(buffer)) {
        GstClockTime stop = GST_BUFFER_PTS(buffer) + GST_BUFFER_DURATION(buffer);
        self->end = gst_segment_to_running_time(&self->segment, GST_FORMAT_TIME, stop);
        self->place = gst_segment_to_stream_time(&self->segment, GST_FORMAT_TIME, stop);
    }
    g_mutex_unlock(&self->lock);
    if (!is_seamless) return buffer;
    // The sink then puts the buffer right behind the last sample. By the clock, it could be some samples off.
    buffer = gst_buffer_make_writable(buffer);
    GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_RESYNC);
    return buffer;
}

static GstFlowReturn chain(GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
    (void)pad;
    SoundSocket *self = (SoundSocket *)parent;
    GstFlowReturn result = GST_FLOW_FLUSHING;
    guint turn;
    buffer = follow_sound(self, buffer);
    while (await_sink(self, &turn)) {
        set_given(self, true);
        result = is_stale(self) ? GST_FLOW_OK : gst_pad_push(self->exit, gst_buffer_ref(buffer));
        set_given(self, false);
        if (has_changed(self, turn)) {
            if (result == GST_FLOW_OK) break;
            // The sink was taken away meanwhile: the next one gets the buffer.
            result = GST_FLOW_FLUSHING;
            continue;
        }
        if (result == GST_FLOW_OK) {
            self->refusals = 0;
        } else if (result <= GST_FLOW_NOT_NEGOTIATED) {
            // The film continues in spite of the sink's error.
            refuse(self, turn);
            result = GST_FLOW_OK;
        }
        break;
    }
    gst_buffer_unref(buffer);
    return result;
}

static void set_flushing(SoundSocket *self, bool flushing)
{
    g_mutex_lock(&self->lock);
    self->flushing = flushing;
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->lock);
}

static gboolean handle_event(GstPad *pad, GstObject *parent, GstEvent *event)
{
    (void)pad;
    SoundSocket *self = (SoundSocket *)parent;
    GstEventType type = GST_EVENT_TYPE(event);
    if (type == GST_EVENT_FLUSH_START) set_flushing(self, true);
    if (type == GST_EVENT_FLUSH_STOP) set_flushing(self, false);
    if (type == GST_EVENT_SEGMENT) {
        g_mutex_lock(&self->lock);
        gst_event_copy_segment(event, &self->segment);
        self->end = GST_CLOCK_TIME_NONE;
        g_mutex_unlock(&self->lock);
    }
    if (type == GST_EVENT_CAPS) {
        g_mutex_lock(&self->lock);
        self->stale = 0;
        g_mutex_unlock(&self->lock);
    }
    // Sticky events need not wait: the exit keeps them for the next sink.
    if (!GST_EVENT_IS_SERIALIZED(event) || type == GST_EVENT_FLUSH_STOP || (GST_EVENT_IS_STICKY(event) && type != GST_EVENT_EOS)) {
        // The sink sets the card up for the format, in which a driver may hang.
        if (type == GST_EVENT_CAPS) set_given(self, true);
        gboolean is_taken = gst_pad_push_event(self->exit, event);
        if (type == GST_EVENT_CAPS) set_given(self, false);
        // A sink that refuses the format refuses the next buffer, too.
        return is_taken || type == GST_EVENT_CAPS;
    }
    gboolean is_taken = FALSE;
    guint turn;
    while (await_sink(self, &turn)) {
        if (type == GST_EVENT_EOS) offer_sink(self, turn);
        if (has_changed(self, turn)) continue;
        is_taken = gst_pad_push_event(self->exit, gst_event_ref(event));
        // The end waits in the sink for the last sample. A sink that is taken away meanwhile does not report the end.
        if (!has_changed(self, turn)) break;
    }
    gst_event_unref(event);
    return is_taken;
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change)
{
    SoundSocket *self = (SoundSocket *)element;
    if (change == GST_STATE_CHANGE_READY_TO_PAUSED) set_flushing(self, false);
    if (change == GST_STATE_CHANGE_PAUSED_TO_READY) set_flushing(self, true);
    return GST_ELEMENT_CLASS(sound_socket_parent_class)->change_state(element, change);
}

static void finalize(GObject *object)
{
    SoundSocket *self = (SoundSocket *)object;
    g_cond_clear(&self->changed);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(sound_socket_parent_class)->finalize(object);
}

static void sound_socket_class_init(SoundSocketClass *class)
{
    GstElementClass *element_class = GST_ELEMENT_CLASS(class);
    G_OBJECT_CLASS(class)->finalize = finalize;
    element_class->change_state = change_state;
    gst_element_class_add_static_pad_template(element_class, &entry_template);
    gst_element_class_add_static_pad_template(element_class, &exit_template);
    gst_element_class_set_static_metadata(
        element_class, "Sound's socket", "Generic/Audio", "Holds sound back while its sink is replaced", "Vitrine");
}

static void sound_socket_init(SoundSocket *self)
{
    g_mutex_init(&self->lock);
    g_cond_init(&self->changed);
    self->plugged = true;
    self->may_end = true;
    gst_segment_init(&self->segment, GST_FORMAT_TIME);
    self->end = GST_CLOCK_TIME_NONE;
    self->entry = gst_pad_new_from_static_template(&entry_template, "sink");
    gst_pad_set_chain_function(self->entry, chain);
    gst_pad_set_event_function(self->entry, handle_event);
    GST_PAD_SET_PROXY_CAPS(self->entry);
    GST_PAD_SET_PROXY_ALLOCATION(self->entry);
    gst_element_add_pad(GST_ELEMENT(self), self->entry);
    self->exit = gst_pad_new_from_static_template(&exit_template, "src");
    GST_PAD_SET_PROXY_CAPS(self->exit);
    gst_element_add_pad(GST_ELEMENT(self), self->exit);
}

GstElement *vitrine_sound_socket_new(const char *name)
{
    return g_object_new(sound_socket_get_type(), "name", name, NULL);
}

void vitrine_sound_socket_unplug(GstElement *socket, bool has_failed)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    self->plugged = false;
    self->turn++;
    self->refusals = 0;
    if (has_failed) self->stale = MOST_STALE;
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->lock);
}

void vitrine_sound_socket_plug(GstElement *socket)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    self->plugged = true;
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->lock);
}

void vitrine_sound_socket_set_followed(GstElement *socket, bool is_followed)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    self->is_followed = is_followed;
    if (!is_followed) self->may_end = true;
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->lock);
}

void vitrine_sound_socket_end(GstElement *socket)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    self->may_end = true;
    g_cond_broadcast(&self->changed);
    g_mutex_unlock(&self->lock);
}

bool vitrine_sound_socket_give(GstElement *socket)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    // After END_PATIENCE, the end is on its way into the sink.
    bool waits = !self->may_end && self->plugged && !self->flushing;
    if (waits) {
        self->plugged = false;
        self->turn++;
        g_cond_broadcast(&self->changed);
    }
    g_mutex_unlock(&self->lock);
    return waits;
}

void vitrine_sound_socket_go_on(GstElement *socket)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    self->is_seamless = true;
    g_mutex_unlock(&self->lock);
}

uint64_t vitrine_sound_socket_waits(GstElement *socket)
{
    SoundSocket *self = (SoundSocket *)socket;
    g_mutex_lock(&self->lock);
    gint64 time = self->given ? g_get_monotonic_time() - self->given : 0;
    g_mutex_unlock(&self->lock);
    return (uint64_t)time * GST_USECOND;
}
