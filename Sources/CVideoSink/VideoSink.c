#include "VideoSink.h"
#include "WorkaroundRefusedScaling.h"
#include "WorkaroundStepLateness.h"

static GQuark parts_quark;

SinkParts *vitrine_sink_parts(gpointer sink) { return g_object_get_qdata(G_OBJECT(sink), parts_quark); }

// Nothing derives from this class, so the instance's class is this one, and its parent the base's.
GstBaseSinkClass *vitrine_sink_base(gpointer sink)
{
    return GST_BASE_SINK_CLASS(g_type_class_peek_parent(G_OBJECT_GET_CLASS(sink)));
}

typedef GstFlowReturn (*Show)(GstBaseSink *, GstBuffer *);

GstBuffer *vitrine_sink_prepare(GstBaseSink *sink, GstBuffer *frame)
{
    SinkParts *self = vitrine_sink_parts(sink);
    if (gst_buffer_n_memory(frame) == 0) return gst_buffer_ref(frame);
    GstVideoOverlayComposition *surface = self->surface.composes ? vitrine_surface_ref(&self->surface) : NULL;
    bool is_device = vitrine_is_device(frame);
    GstBuffer *copy = NULL;
    if (surface || !is_device) copy = vitrine_device_copy(&self->pool, sink, frame, surface);
    if (is_device && !copy && frame->pool) vitrine_keep_mapped(frame);
    if (surface) gst_video_overlay_composition_unref(surface);
    return copy ? copy : gst_buffer_ref(frame);
}

static GstFlowReturn show(GstBaseSink *sink, GstBuffer *buffer, Show base_show)
{
    if (!base_show) return GST_FLOW_OK;
    SinkParts *self = vitrine_sink_parts(sink);
    int64_t time = vitrine_count_time(sink, buffer);
    int64_t duration = GST_BUFFER_DURATION_IS_VALID(buffer) ? (int64_t)GST_BUFFER_DURATION(buffer) : -1;
    if (vitrine_preroll_hold_keeps(&self->preroll_hold, sink, buffer)) {
        if (self->preroll_hold.is_cover) vitrine_count_add(&self->count, sink, time, duration);
        return GST_FLOW_OK;
    }
    GstBuffer *frame = vitrine_shape_mark(&self->shape, buffer);
    GstBuffer *shown = vitrine_sink_prepare(sink, frame);
    GstFlowReturn flow = base_show(sink, shown);
    gst_buffer_unref(shown);
    if (flow == GST_FLOW_OK) {
        if (self->surface.composes) gst_buffer_replace(&self->surface.frame, frame);
        // A frame from before a newer seek does not answer it.
        if (!self->preroll_hold.is_lifted) vitrine_count_add(&self->count, sink, time, duration);
        vitrine_refused_scaling_report(&self->shape, sink);
    }
    gst_buffer_unref(frame);
    return flow;
}

static GstFlowReturn preroll(GstBaseSink *sink, GstBuffer *buffer)
{
    return show(sink, buffer, vitrine_sink_base(sink)->preroll);
}

static GstFlowReturn render(GstBaseSink *sink, GstBuffer *buffer)
{
    return show(sink, buffer, vitrine_sink_base(sink)->render);
}

static gboolean event(GstBaseSink *sink, GstEvent *event)
{
    vitrine_count_hear(&vitrine_sink_parts(sink)->count, sink, event);
    return vitrine_sink_base(sink)->event(sink, event);
}

// With a surface every frame is read once more, which is faster from system memory than from the device's.
static gboolean propose_allocation(GstBaseSink *sink, GstQuery *query)
{
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    GstVideoOverlayComposition *surface = vitrine_surface_ref(&vitrine_sink_parts(sink)->surface);
    if (!surface) return base->propose_allocation && base->propose_allocation(sink, query);
    gst_video_overlay_composition_unref(surface);
    vitrine_offer_memory(query);
    return TRUE;
}

// Forgets the frames of the current caps, or of a film that is over.
static void forget_frames(SinkParts *self)
{
    vitrine_device_pool_drop(&self->pool);
    gst_clear_buffer(&self->surface.frame);
    gst_clear_buffer(&self->preroll_hold.frame);
}

static gboolean set_caps(GstBaseSink *sink, GstCaps *caps)
{
    SinkParts *self = vitrine_sink_parts(sink);
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    forget_frames(self);
    if (!base->set_caps) return TRUE;
    GstCaps *wanted = vitrine_shape_adopt(&self->shape, sink, caps);
    gboolean done = base->set_caps(sink, wanted);
    gst_caps_unref(wanted);
    return done;
}

static gboolean stop(GstBaseSink *sink)
{
    GST_BASE_SINK_PREROLL_LOCK(sink);
    forget_frames(vitrine_sink_parts(sink));
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    return base->stop ? base->stop(sink) : TRUE;
}

// MARK: The type

static void class_init(gpointer klass, gpointer data)
{
    (void)data;
    GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS(klass);
    sink_class->preroll = preroll;
    sink_class->render = render;
    sink_class->event = event;
    sink_class->propose_allocation = propose_allocation;
    sink_class->get_caps = vitrine_shape_offer;
    sink_class->set_caps = set_caps;
    sink_class->stop = stop;
    gst_element_class_set_static_metadata(
        GST_ELEMENT_CLASS(klass), "Vitrine video sink", "Sink/Video",
        "A sink that keeps its buffers mapped and reports which frame is on the screen", "The Vitrine authors");
}

static void free_parts(gpointer data)
{
    SinkParts *self = data;
    forget_frames(self);
    vitrine_surface_end(&self->surface);
    vitrine_count_end(&self->count);
    g_free(self);
}

static void instance_init(GTypeInstance *instance, gpointer klass)
{
    (void)klass;
    SinkParts *self = g_new0(SinkParts, 1);
    vitrine_count_begin(&self->count);
    vitrine_surface_begin(&self->surface);
    vitrine_step_lateness_mend(GST_BASE_SINK_PAD(instance));
    g_object_set_qdata_full(G_OBJECT(instance), parts_quark, self, free_parts);
}

// The base is a plugin's type, which exists only once the plugin is loaded, so the subclass is registered by hand.
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
        parts_quark = g_quark_from_static_string("vitrine-parts");
        vitrine_device_begin();
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
