#include "VideoSink.h"
#include <gst/video/videooverlay.h>

bool vitrine_preroll_hold_keeps(PrerollHold *self, GstBaseSink *sink, GstBuffer *buffer)
{
    if (!g_atomic_int_get(&self->is_drawn)) {
        gst_clear_buffer(&self->frame);
        return false;
    }
    GST_LOG_OBJECT(sink, "kept from the screen: %" GST_PTR_FORMAT, buffer);
    gst_buffer_replace(&self->frame, buffer);
    return true;
}

void vitrine_sink_set_preroll_hold(GstElement *sink, bool holds)
{
    g_atomic_int_set(&vitrine_sink_parts(sink)->preroll_hold.is_drawn, holds);
}

void vitrine_sink_cover(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    if (!g_atomic_int_get(&self->preroll_hold.is_drawn)) {
        self->preroll_hold.is_cover = true;
        vitrine_sink_set_preroll_hold(element, true);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_uncover(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    if (self->preroll_hold.is_cover) {
        self->preroll_hold.is_cover = false;
        vitrine_sink_set_preroll_hold(element, false);
        GstBuffer *frame = g_steal_pointer(&self->preroll_hold.frame);
        if (frame) {
            self->preroll_hold.is_lifted = true;
            GST_BASE_SINK_GET_CLASS(sink)->preroll(sink, frame);
            self->preroll_hold.is_lifted = false;
            gst_buffer_unref(frame);
        } else if (self->surface.composes) {
            // No new frame has arrived: the last one is shown again.
            vitrine_surface_show_again(&self->surface, sink);
        } else if (GST_IS_VIDEO_OVERLAY(sink)) {
            gst_video_overlay_expose(GST_VIDEO_OVERLAY(sink));
        }
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_release_preroll(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    self->preroll_hold.is_cover = false;
    vitrine_sink_set_preroll_hold(element, false);
    GstBuffer *frame = g_steal_pointer(&self->preroll_hold.frame);
    if (frame) {
        GST_BASE_SINK_GET_CLASS(sink)->preroll(sink, frame);
        gst_buffer_unref(frame);
    }
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}

void vitrine_sink_retire(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    SinkParts *self = vitrine_sink_parts(sink);
    GST_BASE_SINK_PREROLL_LOCK(sink);
    self->preroll_hold.is_cover = false;
    vitrine_sink_set_preroll_hold(element, true);
    gst_clear_buffer(&self->surface.frame);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
}
