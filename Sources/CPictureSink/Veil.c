#include "PictureSink.h"
#include <gst/video/videooverlay.h>

bool vitrine_veil_keeps(Veil *self, GstBaseSink *sink, GstBuffer *buffer)
{
    if (!g_atomic_int_get(&self->is_drawn)) {
        gst_clear_buffer(&self->picture);
        return false;
    }
    GST_LOG_OBJECT(sink, "kept from the screen: %" GST_PTR_FORMAT, buffer);
    gst_buffer_replace(&self->picture, buffer);
    return true;
}

void vitrine_sink_set_blind(GstElement *sink, bool blind)
{
    g_atomic_int_set(&vitrine_sink_parts(sink)->veil.is_drawn, blind);
}

void vitrine_sink_cover(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    if (!g_atomic_int_get(&self->veil.is_drawn)) {
        self->veil.is_cover = true;
        vitrine_sink_set_blind(element, true);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_uncover(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    if (self->veil.is_cover) {
        self->veil.is_cover = false;
        vitrine_sink_set_blind(element, false);
        GstBuffer *picture = g_steal_pointer(&self->veil.picture);
        if (picture) {
            self->veil.is_lifted = true;
            GST_BASE_SINK_GET_CLASS(sink)->preroll(sink, picture);
            self->veil.is_lifted = false;
            gst_buffer_unref(picture);
        } else if (self->strip.composes) {
            // None has come: the last one, once more.
            vitrine_strip_show_again(&self->strip, sink);
        } else if (GST_IS_VIDEO_OVERLAY(sink)) {
            gst_video_overlay_expose(GST_VIDEO_OVERLAY(sink));
        }
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_unveil(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    self->veil.is_cover = false;
    vitrine_sink_set_blind(element, false);
    GstBuffer *picture = g_steal_pointer(&self->veil.picture);
    if (picture) {
        GST_BASE_SINK_GET_CLASS(sink)->preroll(sink, picture);
        gst_buffer_unref(picture);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_retire(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    self->veil.is_cover = false;
    vitrine_sink_set_blind(element, true);
    gst_clear_buffer(&self->strip.picture);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}
