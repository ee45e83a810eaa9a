#include "CPictureSink.h"
#include "Category.h"
#include <gst/allocators/allocators.h>
#include <gst/base/gstbasesink.h>
#include <gst/video/video.h>
#include <gst/video/videooverlay.h>

typedef struct {
    GMutex lock;  // guards what follows; held for a few loads and stores only
    VitrinePictures pictures;
    uint32_t ticket, seqnum;
    int64_t from;
    bool blind;
    bool tells_beginnings;
    uint32_t segment_seqnum;  // of the newest segment or flush that reached the sink
    VitrineShown recent[VITRINE_RECENT];  // the last pictures, a ring
    GstVideoOverlayComposition *strip;  // what is blended into each picture; NULL: nothing

    // Guarded by the base sink's preroll lock, which is held whenever a picture is shown.
    GstBufferPool *pool;  // for pictures in system memory
    GstBuffer *picture;   // the last one, without the strip; kept only where there may be a strip
    GstBuffer *veiled;    // the last one that a blind sink kept from the screen, until the next one is shown
    bool composes;

    GstVideoRectangle area;  // of the display, for the pictures; set before the start, else empty
    bool turns;              // the plane does, by a quarter; set before the start
    gint width, height;      // the pictures' size, where it turns them

    bool scales;  // the plane is to; see tell_scaling()
} Private;

static GQuark private_quark, mapped_quark;

static Private *private_of(gpointer sink) { return g_object_get_qdata(G_OBJECT(sink), private_quark); }

// Nothing derives from this class, so the instance's class is ours and its parent the base's.
static GstBaseSinkClass *base_class(gpointer sink)
{
    return GST_BASE_SINK_CLASS(g_type_class_peek_parent(G_OBJECT_GET_CLASS(sink)));
}

static gboolean is_device(GstMemory *memory)
{
    return gst_is_dmabuf_memory(memory) || gst_memory_is_type(memory, "KMSMemory");
}

static void unmap(gpointer data)
{
    GstMemory *memory = data;
    memory->allocator->mem_unmap(memory);
}

// Maps a pool's dumb buffer once more than its users do, so that their unmapping never reaches munmap().
// The allocator's own function is called, not gst_memory_map(): that one would lock the memory for everyone else.
static void keep_mapped(GstBuffer *buffer)
{
    for (guint i = 0; i < gst_buffer_n_memory(buffer); i++) {
        GstMemory *memory = gst_buffer_peek_memory(buffer, i);
        if (!is_device(memory) || memory->parent) continue;
        if (gst_mini_object_get_qdata(GST_MINI_OBJECT(memory), mapped_quark)) continue;
        if (memory->allocator->mem_map(memory, memory->maxsize, GST_MAP_READWRITE))
            gst_mini_object_set_qdata(GST_MINI_OBJECT(memory), mapped_quark, memory, unmap);
    }
}

static void drop_pool(Private *self)
{
    if (!self->pool) return;
    gst_buffer_pool_set_active(self->pool, FALSE);
    gst_clear_object(&self->pool);
}

// A pool of the base's own buffers for the caps in force; NULL where it offers none.
static GstBufferPool *ensure_pool(GstBaseSink *sink, Private *self, GstCaps *caps)
{
    if (self->pool) return self->pool;
    GstQuery *query = gst_query_new_allocation(caps, TRUE);
    if (base_class(sink)->propose_allocation && base_class(sink)->propose_allocation(sink, query) &&
        gst_query_get_n_allocation_pools(query) > 0)
        gst_query_parse_nth_allocation_pool(query, 0, &self->pool, NULL, NULL, NULL);
    gst_query_unref(query);
    if (self->pool && !gst_buffer_pool_set_active(self->pool, TRUE)) gst_clear_object(&self->pool);
    return self->pool;
}

static gboolean copy_picture(const GstVideoInfo *info, GstBuffer *from, GstBuffer *to)
{
    GstVideoFrame source, target;
    gboolean done = FALSE;
    if (!gst_video_frame_map(&source, info, from, GST_MAP_READ)) return FALSE;
    if (gst_video_frame_map(&target, info, to, GST_MAP_WRITE)) {
        done = gst_video_frame_copy(&target, &source);
        gst_video_frame_unmap(&target);
    }
    gst_video_frame_unmap(&source);
    return done;
}

static GstVideoOverlayComposition *ref_strip(Private *self)
{
    g_mutex_lock(&self->lock);
    GstVideoOverlayComposition *strip = self->strip ? gst_video_overlay_composition_ref(self->strip) : NULL;
    g_mutex_unlock(&self->lock);
    return strip;
}

static void blend(GstVideoOverlayComposition *strip, const GstVideoInfo *info, GstBuffer *buffer)
{
    GstVideoFrame frame;
    if (!gst_video_frame_map(&frame, info, buffer, GST_MAP_READWRITE)) return;
    gst_video_overlay_composition_blend(strip, &frame);
    gst_video_frame_unmap(&frame);
}

// A copy with the strip, where there is one. kmssink would copy too, but into a buffer that it maps anew for each picture. NULL: leave it to kmssink.
static GstBuffer *copy_to_device(
    GstBaseSink *sink, Private *self, GstBuffer *buffer, GstVideoOverlayComposition *strip)
{
    GstVideoInfo info;
    GstBuffer *copy = NULL;
    GstCaps *caps = gst_pad_get_current_caps(sink->sinkpad);
    if (caps && gst_video_info_from_caps(&info, caps) && ensure_pool(sink, self, caps) &&
        gst_buffer_pool_acquire_buffer(self->pool, &copy, NULL) == GST_FLOW_OK) {
        keep_mapped(copy);
        if (copy_picture(&info, buffer, copy)) {
            gst_buffer_copy_into(copy, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
            if (strip) blend(strip, &info, copy);
        } else {
            gst_clear_buffer(&copy);
        }
    }
    if (caps) gst_caps_unref(caps);
    return copy;
}

static int64_t stream_time(GstBaseSink *sink, GstBuffer *buffer)
{
    guint64 time;
    if (!GST_BUFFER_PTS_IS_VALID(buffer) || sink->segment.format != GST_FORMAT_TIME) return -1;
    // The picture that contains an exact seek's target starts before its segment: hence _full.
    gint sign = gst_segment_to_stream_time_full(&sink->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer), &time);
    return sign == 0 ? -1 : sign * (int64_t)time;
}

static void announce(
    GstBaseSink *sink, uint32_t ticket, int64_t time, int64_t start, int64_t duration, int64_t now)
{
    GST_DEBUG_OBJECT(sink, "seek %u is answered: %" GST_STIME_FORMAT, ticket, GST_STIME_ARGS(time));
    GstStructure *picture = gst_structure_new(
        "vitrine-picture", "ticket", G_TYPE_UINT, ticket, "stream-time", G_TYPE_INT64, time,
        "start", G_TYPE_INT64, start, "duration", G_TYPE_INT64, duration, "time", G_TYPE_INT64, now, NULL);
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(GST_OBJECT(sink), picture));
}

// Where the film is by its clock, stream time; `place` where that does not run.
static int64_t film_time(GstBaseSink *sink, int64_t place)
{
    GstClock *clock = sink->need_preroll ? NULL : gst_element_get_clock(GST_ELEMENT(sink));
    if (!clock) return place;
    GstClockTime now = gst_clock_get_time(clock), since = gst_element_get_base_time(GST_ELEMENT(sink));
    gst_object_unref(clock);
    if (now < since) return place;
    guint64 position = gst_segment_position_from_running_time(&sink->segment, GST_FORMAT_TIME, now - since);
    guint64 time = gst_segment_to_stream_time(&sink->segment, GST_FORMAT_TIME, position);
    return GST_CLOCK_TIME_IS_VALID(time) ? (int64_t)time : place;
}

static void count(GstBaseSink *sink, Private *self, int64_t time, int64_t duration)
{
    bool is_early = sink->segment.rate > 0 && time < (int64_t)sink->segment.time;
    int64_t film = film_time(sink, is_early ? (int64_t)sink->segment.time : time);
    int64_t now = g_get_monotonic_time() * 1000;
    uint32_t ticket = 0;
    g_mutex_lock(&self->lock);
    int64_t place = is_early && !self->tells_beginnings ? (int64_t)sink->segment.time : time;
    // The picture that prerolled is rendered once more when playing goes on: the same one, counted once.
    bool again = time >= 0 && time == self->pictures.stream_time;
    if (!again) self->recent[self->pictures.shown % VITRINE_RECENT] = (VitrineShown){ time, now };
    self->pictures = (VitrinePictures){
        .shown = self->pictures.shown + !again, .stream_time = time, .place = place, .film_time = film,
        .duration = duration, .time = now,
        // A decoder may keep its last pictures until the stream's end, while sound goes on.
        .is_last = self->pictures.is_last && film - place > (int64_t)GST_SECOND };
    gboolean answers = (self->seqnum == 0 || self->seqnum == self->segment_seqnum) &&
                       (self->from == INT64_MIN || time + MAX(duration, 1) > self->from);
    if (self->ticket && answers) {
        ticket = self->ticket;
        self->ticket = 0;
    }
    g_mutex_unlock(&self->lock);
    GST_LOG_OBJECT(sink, "picture %" GST_STIME_FORMAT " is on the screen%s", GST_STIME_ARGS(time), again ? " again" : "");
    if (ticket) announce(sink, ticket, place, time, duration, now);
}

// The stream ended before a picture answered: the seek's target lies behind the film's last picture.
static void announce_end(GstBaseSink *sink, Private *self, uint32_t seqnum)
{
    g_mutex_lock(&self->lock);
    uint32_t ticket = self->seqnum == 0 || self->seqnum == self->segment_seqnum || self->seqnum == seqnum
                          ? self->ticket : 0;
    if (ticket) self->ticket = 0;
    g_mutex_unlock(&self->lock);
    if (ticket) announce(sink, ticket, -1, -1, -1, g_get_monotonic_time() * 1000);
}

// A pass of a loop is over: its last picture has been shown, and what follows comes without a flush.
static void announce_pass(GstBaseSink *sink, uint32_t seqnum)
{
    GST_DEBUG_OBJECT(sink, "the pass of seek event %u is over", seqnum);
    GstStructure *pass = gst_structure_new("vitrine-pass", "seqnum", G_TYPE_UINT, seqnum, NULL);
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(GST_OBJECT(sink), pass));
}

typedef GstFlowReturn (*Show)(GstBaseSink *, GstBuffer *);

// What the base is to show for a picture: itself, or a copy.
static GstBuffer *prepare(GstBaseSink *sink, Private *self, GstBuffer *buffer)
{
    if (gst_buffer_n_memory(buffer) == 0) return gst_buffer_ref(buffer);
    GstVideoOverlayComposition *strip = self->composes ? ref_strip(self) : NULL;
    bool device = is_device(gst_buffer_peek_memory(buffer, 0));
    GstBuffer *copy = NULL;
    if (strip || !device) copy = copy_to_device(sink, self, buffer, strip);
    if (device && !copy && buffer->pool) keep_mapped(buffer);
    if (strip) gst_video_overlay_composition_unref(strip);
    return copy ? copy : gst_buffer_ref(buffer);
}

// See turn(): a kmssink that was given another pixel aspect ratio takes its source's size from the crop alone.
// Returns a reference.
static GstBuffer *mark_whole(Private *self, GstBuffer *buffer)
{
    if (!self->turns || gst_buffer_get_video_crop_meta(buffer)) return gst_buffer_ref(buffer);
    // As a rule nobody else holds it.
    bool is_ours = gst_buffer_is_writable(buffer);
    GstBuffer *marked = is_ours ? buffer : gst_buffer_copy(buffer);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta(marked);
    crop->width = self->width;
    crop->height = self->height;
    return is_ours ? gst_buffer_ref(marked) : marked;
}

static bool may_scale(GstBaseSink *sink)
{
    gboolean may = FALSE;
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(sink), "can-scale")) g_object_get(sink, "can-scale", &may, NULL);
    return may;
}

// A kmssink whose driver refuses a scaled picture gives scaling up without a word, and shows a corner of each picture.
static void tell_scaling(GstBaseSink *sink, Private *self)
{
    if (!self->scales || may_scale(sink)) return;
    self->scales = false;
    GST_WARNING_OBJECT(sink, "the driver refuses scaled pictures");
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(
        GST_OBJECT(sink), gst_structure_new_empty("vitrine-scaling-refused")));
}

static GstFlowReturn show(GstBaseSink *sink, GstBuffer *buffer, Show base_show)
{
    if (!base_show) return GST_FLOW_OK;
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    bool blind = self->blind;
    g_mutex_unlock(&self->lock);
    if (blind) {
        GST_LOG_OBJECT(sink, "kept from the screen: %" GST_PTR_FORMAT, buffer);
        gst_buffer_replace(&self->veiled, buffer);
        return GST_FLOW_OK;
    }
    gst_clear_buffer(&self->veiled);
    int64_t time = stream_time(sink, buffer);
    int64_t duration = GST_BUFFER_DURATION_IS_VALID(buffer) ? (int64_t)GST_BUFFER_DURATION(buffer) : -1;
    GstBuffer *picture = mark_whole(self, buffer);
    GstBuffer *shown = prepare(sink, self, picture);
    GstFlowReturn flow = base_show(sink, shown);
    gst_buffer_unref(shown);
    if (flow == GST_FLOW_OK) {
        if (self->composes) gst_buffer_replace(&self->picture, picture);
        count(sink, self, time, duration);
        tell_scaling(sink, self);
    }
    gst_buffer_unref(picture);
    return flow;
}

// The picture that is on the screen, once more, with the strip that holds now.
static bool show_again(GstBaseSink *sink, Private *self)
{
    GstVideoSinkClass *base = GST_VIDEO_SINK_CLASS(base_class(sink));
    GST_BASE_SINK_PREROLL_LOCK(sink);
    bool shown = false;
    if (self->picture && base->show_frame) {
        GstBuffer *buffer = prepare(sink, self, self->picture);
        shown = base->show_frame(GST_VIDEO_SINK(sink), buffer) == GST_FLOW_OK;
        gst_buffer_unref(buffer);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    return shown;
}

static GstFlowReturn preroll(GstBaseSink *sink, GstBuffer *buffer)
{
    return show(sink, buffer, base_class(sink)->preroll);
}

static GstFlowReturn render(GstBaseSink *sink, GstBuffer *buffer)
{
    return show(sink, buffer, base_class(sink)->render);
}

static gboolean event(GstBaseSink *sink, GstEvent *event)
{
    Private *self = private_of(sink);
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT || GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
        g_mutex_lock(&self->lock);
        self->segment_seqnum = gst_event_get_seqnum(event);
        self->pictures.ended = false;
        if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) self->pictures.is_last = false;
        g_mutex_unlock(&self->lock);
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT_DONE || GST_EVENT_TYPE(event) == GST_EVENT_GAP) {
        g_mutex_lock(&self->lock);
        self->pictures.is_last = true;
        g_mutex_unlock(&self->lock);
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT_DONE) {
        announce_end(sink, self, gst_event_get_seqnum(event));
        announce_pass(sink, gst_event_get_seqnum(event));
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
        g_mutex_lock(&self->lock);
        self->pictures.ended = self->pictures.is_last = true;
        g_mutex_unlock(&self->lock);
        announce_end(sink, self, gst_event_get_seqnum(event));
    }
    return base_class(sink)->event(sink, event);
}

// While there is a strip every picture is read once more: better from memory of the system's than from the device's.
static gboolean propose_allocation(GstBaseSink *sink, GstQuery *query)
{
    GstVideoOverlayComposition *strip = ref_strip(private_of(sink));
    if (strip) gst_video_overlay_composition_unref(strip);
    if (strip || !base_class(sink)->propose_allocation) return FALSE;
    return base_class(sink)->propose_allocation(sink, query);
}

// A kmssink that may not scale takes pictures of one pixel aspect ratio alone, which it makes from the millimetres that the
// display tells for all its modes. Those are often wrong, and always for a mode of another shape: a display's pixels count
// as square here.
static bool set_aspect(GstCaps *caps, gint numerator, gint denominator)
{
    bool has = false;
    for (guint i = 0; i < gst_caps_get_size(caps); i++) {
        GstStructure *structure = gst_caps_get_structure(caps, i);
        if (!gst_structure_has_field(structure, "pixel-aspect-ratio")) continue;
        gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, numerator, denominator, NULL);
        has = true;
    }
    return has;
}

static GstCaps *get_caps(GstBaseSink *sink, GstCaps *filter)
{
    if (!base_class(sink)->get_caps) return NULL;
    GstCaps *caps = base_class(sink)->get_caps(sink, NULL);
    if (!caps) return NULL;
    caps = gst_caps_make_writable(caps);
    set_aspect(caps, 1, 1);
    if (filter) {
        GstCaps *both = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
        gst_caps_unref(caps);
        caps = both;
    }
    return caps;
}

static bool base_aspect(GstBaseSink *sink, gint *numerator, gint *denominator)
{
    GstCaps *caps = base_class(sink)->get_caps ? base_class(sink)->get_caps(sink, NULL) : NULL;
    bool has = caps && gst_caps_get_size(caps) > 0 &&
               gst_structure_get_fraction(gst_caps_get_structure(caps, 0), "pixel-aspect-ratio", numerator, denominator);
    if (caps) gst_caps_unref(caps);
    return has;
}

// What a kmssink that may scale divides a picture's pixel aspect ratio by; it tells so only while it may not.
static void display_aspect(GstBaseSink *sink, gint *numerator, gint *denominator)
{
    *numerator = *denominator = 1;
    g_object_set(sink, "can-scale", FALSE, NULL);
    base_aspect(sink, numerator, denominator);
    g_object_set(sink, "can-scale", TRUE, NULL);
}

// A plane that turns a picture by a quarter needs a destination of its sides swapped. A kmssink that may scale makes the
// destination from the pixel aspect ratio and the render rectangle, so it is given a ratio that comes out so.
//
// With w, h for the destination's width and height: kmssink makes a ratio a/b of two whole numbers and, in a rectangle of
// w + 1, h, a destination of floor(h * a/b), h at its left edge. a/b has to lie between w/h and (w + 1)/h.
static void turn(GstBaseSink *sink, Private *self, GstCaps *caps)
{
    GstVideoInfo info;
    if (!gst_video_info_from_caps(&info, caps)) return;
    self->width = info.width;
    self->height = info.height;
    gint64 w = info.height, h = info.width, a, b;
    if (w > h) {
        a = w * w / h + 1;
        b = w;
    } else {
        a = h;
        b = w == h ? h : (h * h - 1) / w;
    }
    gint display_n, display_d, ratio_n, ratio_d;
    display_aspect(sink, &display_n, &display_d);
    gint64 divisor = gst_util_greatest_common_divisor_int64(a * w, b * h);
    if (!gst_util_fraction_multiply((gint)(a * w / divisor), (gint)(b * h / divisor), display_n, display_d, &ratio_n,
                                    &ratio_d))
        return;
    set_aspect(caps, ratio_n, ratio_d);
    gst_video_overlay_set_render_rectangle(
        GST_VIDEO_OVERLAY(sink), self->area.x + (self->area.w - (gint)w) / 2,
        self->area.y + (self->area.h - (gint)h) / 2, (gint)w + 1, (gint)h);
}

// The caps as the base wants them.
static GstCaps *base_caps(GstBaseSink *sink, Private *self, GstCaps *caps)
{
    gint numerator, denominator;
    GstCaps *result = gst_caps_copy(caps);
    if (self->turns) turn(sink, self, result);
    else if (self->scales) {
        GstVideoInfo info;
        display_aspect(sink, &numerator, &denominator);
        if (gst_video_info_from_caps(&info, caps) &&
            gst_util_fraction_multiply(info.par_n, info.par_d, numerator, denominator, &numerator, &denominator))
            gst_caps_set_simple(result, "pixel-aspect-ratio", GST_TYPE_FRACTION, numerator, denominator, NULL);
    } else if (base_aspect(sink, &numerator, &denominator)) set_aspect(result, numerator, denominator);
    return result;
}

static gboolean set_caps(GstBaseSink *sink, GstCaps *caps)
{
    Private *self = private_of(sink);
    drop_pool(self);
    gst_clear_buffer(&self->picture);  // of other caps
    gst_clear_buffer(&self->veiled);
    if (!base_class(sink)->set_caps) return TRUE;
    self->scales = may_scale(sink) && !self->turns;
    // Without scaling, kmssink takes it with the caps that follow.
    if (self->area.w > 0 && !self->turns)
        gst_video_overlay_set_render_rectangle(
            GST_VIDEO_OVERLAY(sink), self->area.x, self->area.y, self->area.w, self->area.h);
    GstCaps *wanted = base_caps(sink, self, caps);
    gboolean done = base_class(sink)->set_caps(sink, wanted);
    gst_caps_unref(wanted);
    return done;
}

static gboolean stop(GstBaseSink *sink)
{
    Private *self = private_of(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    drop_pool(self);
    gst_clear_buffer(&self->picture);
    gst_clear_buffer(&self->veiled);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    return base_class(sink)->stop ? base_class(sink)->stop(sink) : TRUE;
}

static void class_init(gpointer klass, gpointer data)
{
    (void)data;
    GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS(klass);
    sink_class->preroll = preroll;
    sink_class->render = render;
    sink_class->event = event;
    sink_class->propose_allocation = propose_allocation;
    sink_class->get_caps = get_caps;
    sink_class->set_caps = set_caps;
    sink_class->stop = stop;
    gst_element_class_set_static_metadata(
        GST_ELEMENT_CLASS(klass), "Vitrine picture sink", "Sink/Video",
        "A sink that keeps its buffers mapped and tells which picture is on the screen", "The Vitrine authors");
}

static void free_private(gpointer data)
{
    Private *self = data;
    drop_pool(self);
    gst_clear_buffer(&self->picture);
    gst_clear_buffer(&self->veiled);
    if (self->strip) gst_video_overlay_composition_unref(self->strip);
    g_mutex_clear(&self->lock);
    g_free(self);
}

static void instance_init(GTypeInstance *instance, gpointer klass)
{
    (void)klass;
    Private *self = g_new0(Private, 1);
    g_mutex_init(&self->lock);
    self->pictures = (VitrinePictures){ .stream_time = -1, .place = -1, .duration = -1 };
    self->from = INT64_MIN;
    g_object_set_qdata_full(G_OBJECT(instance), private_quark, self, free_private);
}

// The base is a plugin's type: it exists only once the plugin is loaded, so the subclass is registered by hand.
static GType subclass_of(const char *factory_name)
{
    static GMutex lock;
    GType type = G_TYPE_INVALID;
    GstElementFactory *factory = gst_element_factory_find(factory_name);
    GstPluginFeature *loaded = factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : NULL;
    if (loaded) {
        GType base = gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded));
        char *name = g_strdup_printf("Vitrine-%s", g_type_name(base));
        g_mutex_lock(&lock);
        private_quark = g_quark_from_static_string("vitrine-private");
        mapped_quark = g_quark_from_static_string("vitrine-mapped");
        type = g_type_from_name(name);
        if (type == G_TYPE_INVALID && g_type_is_a(base, GST_TYPE_BASE_SINK)) {
            GTypeQuery query;
            g_type_query(base, &query);
            GTypeInfo info = { .class_size = (guint16)query.class_size, .class_init = class_init,
                               .instance_size = (guint16)query.instance_size, .instance_init = instance_init };
            type = g_type_register_static(base, name, &info, 0);
        }
        g_mutex_unlock(&lock);
        g_free(name);
        gst_object_unref(loaded);
    }
    if (factory) gst_object_unref(factory);
    return type;
}

GstElement *vitrine_sink_new(const char *base, const char *name)
{
    vitrine_category_begin();
    GType type = subclass_of(base);
    return type == G_TYPE_INVALID ? NULL : g_object_new(type, "name", name, NULL);
}

void vitrine_sink_expect(GstElement *sink, uint32_t ticket, uint32_t seqnum, int64_t from)
{
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    self->ticket = ticket;
    self->seqnum = seqnum;
    self->from = from;
    g_mutex_unlock(&self->lock);
}

void vitrine_sink_tell_beginnings(GstElement *sink, bool tells)
{
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    self->tells_beginnings = tells;
    g_mutex_unlock(&self->lock);
}

void vitrine_sink_set_blind(GstElement *sink, bool blind)
{
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    self->blind = blind;
    g_mutex_unlock(&self->lock);
}

void vitrine_sink_unveil(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    Private *self = private_of(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    vitrine_sink_set_blind(element, false);
    GstBuffer *picture = g_steal_pointer(&self->veiled);
    if (picture) {
        preroll(sink, picture);
        gst_buffer_unref(picture);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_retire(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    Private *self = private_of(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    vitrine_sink_set_blind(element, true);
    gst_clear_buffer(&self->picture);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

VitrinePictures vitrine_sink_pictures(GstElement *sink)
{
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    VitrinePictures pictures = self->pictures;
    g_mutex_unlock(&self->lock);
    return pictures;
}

uint32_t vitrine_sink_recent(GstElement *sink, VitrineShown *recent)
{
    Private *self = private_of(sink);
    g_mutex_lock(&self->lock);
    uint64_t end = self->pictures.shown, begin = end > VITRINE_RECENT ? end - VITRINE_RECENT : 0;
    for (uint64_t i = begin; i < end; i++) recent[i - begin] = self->recent[i % VITRINE_RECENT];
    g_mutex_unlock(&self->lock);
    return (uint32_t)(end - begin);
}

void vitrine_sink_set_area(GstElement *sink, int32_t x, int32_t y, int32_t width, int32_t height)
{
    private_of(sink)->area = (GstVideoRectangle){ x, y, width, height };
}

void vitrine_sink_expect_quarter_turn(GstElement *sink)
{
    private_of(sink)->turns = true;
    g_object_set(sink, "can-scale", TRUE, NULL);
}

void vitrine_sink_compose(GstElement *sink) { private_of(sink)->composes = true; }

bool vitrine_sink_set_strip(GstElement *sink, GstBuffer *pixels, uint32_t width, uint32_t height, int32_t x, int32_t y)
{
    Private *self = private_of(sink);
    GstVideoOverlayComposition *strip = NULL, *before;
    if (pixels) {
        // The same memory with the description that a rectangle wants.
        GstBuffer *described = gst_buffer_copy(pixels);
        if (!gst_buffer_get_video_meta(described))
            gst_buffer_add_video_meta(described, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB,
                                      width, height);
        GstVideoOverlayRectangle *rectangle = gst_video_overlay_rectangle_new_raw(
            described, x, y, width, height, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
        strip = gst_video_overlay_composition_new(rectangle);
        gst_video_overlay_rectangle_unref(rectangle);
        gst_buffer_unref(described);
    }
    g_mutex_lock(&self->lock);
    before = self->strip;
    self->strip = strip;
    g_mutex_unlock(&self->lock);
    if (!before != !strip)
        gst_pad_push_event(GST_BASE_SINK_PAD(sink), gst_event_new_reconfigure());  // see propose_allocation
    if (before) gst_video_overlay_composition_unref(before);
    return show_again(GST_BASE_SINK(sink), self);
}

GstSample *vitrine_sink_copy_picture(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    Private *self = private_of(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    GstBuffer *picture = self->picture ? gst_buffer_ref(self->picture) : NULL;
    GstCaps *caps = gst_pad_get_current_caps(sink->sinkpad);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    GstVideoInfo info;
    GstSample *sample = NULL;
    if (picture && caps && gst_video_info_from_caps(&info, caps)) {
        GstBuffer *copy = gst_buffer_new_allocate(NULL, info.size, NULL);
        GstVideoOverlayComposition *strip = ref_strip(self);
        if (copy_picture(&info, picture, copy)) {
            if (strip) blend(strip, &info, copy);
            sample = gst_sample_new(copy, caps, NULL, NULL);
        }
        if (strip) gst_video_overlay_composition_unref(strip);
        gst_buffer_unref(copy);
    }
    if (picture) gst_buffer_unref(picture);
    if (caps) gst_caps_unref(caps);
    return sample;
}
