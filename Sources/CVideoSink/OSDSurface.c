#include "VideoSink.h"

void vitrine_surface_begin(OSDSurface *self) { g_mutex_init(&self->lock); }

void vitrine_surface_end(OSDSurface *self)
{
    gst_clear_buffer(&self->frame);
    if (self->composition) gst_video_overlay_composition_unref(self->composition);
    g_mutex_clear(&self->lock);
}

GstVideoOverlayComposition *vitrine_surface_ref(OSDSurface *self)
{
    g_mutex_lock(&self->lock);
    GstVideoOverlayComposition *surface =
        self->composition ? gst_video_overlay_composition_ref(self->composition) : NULL;
    g_mutex_unlock(&self->lock);
    return surface;
}

void vitrine_surface_blend(GstVideoOverlayComposition *surface, const GstVideoInfo *info, GstBuffer *buffer)
{
    GstVideoFrame frame;
    if (!gst_video_frame_map(&frame, info, buffer, GST_MAP_READWRITE)) return;
    gst_video_overlay_composition_blend(surface, &frame);
    gst_video_frame_unmap(&frame);
}

bool vitrine_surface_show_again(OSDSurface *self, GstBaseSink *sink)
{
    GstVideoSinkClass *base = GST_VIDEO_SINK_CLASS(vitrine_sink_base(sink));
    bool shown = false;
    if (self->frame && base->show_frame) {
        GstBuffer *buffer = vitrine_sink_prepare(sink, self->frame);
        shown = base->show_frame(GST_VIDEO_SINK(sink), buffer) == GST_FLOW_OK;
        gst_buffer_unref(buffer);
    }
    return shown;
}

void vitrine_sink_compose(GstElement *sink) { vitrine_sink_parts(sink)->surface.composes = true; }

bool vitrine_sink_set_surface(GstElement *sink, GstBuffer *pixels, uint32_t width, uint32_t height, int32_t x, int32_t y)
{
    OSDSurface *self = &vitrine_sink_parts(sink)->surface;
    GstVideoOverlayComposition *surface = NULL, *before;
    if (pixels) {
        // The same memory with the description that a rectangle needs.
        GstBuffer *described = gst_buffer_copy(pixels);
        if (!gst_buffer_get_video_meta(described))
            gst_buffer_add_video_meta(described, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB,
                                      width, height);
        GstVideoOverlayRectangle *rectangle = gst_video_overlay_rectangle_new_raw(
            described, x, y, width, height, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
        surface = gst_video_overlay_composition_new(rectangle);
        gst_video_overlay_rectangle_unref(rectangle);
        gst_buffer_unref(described);
    }
    g_mutex_lock(&self->lock);
    before = self->composition;
    self->composition = surface;
    g_mutex_unlock(&self->lock);
    if (!before != !surface)
        // See propose_allocation() in VideoSink.c.
        gst_pad_push_event(GST_BASE_SINK_PAD(sink), gst_event_new_reconfigure());
    if (before) gst_video_overlay_composition_unref(before);
    // While the film is covered, the surface appears with the frame that is shown afterwards.
    GST_BASE_SINK_PREROLL_LOCK(sink);
    bool shown = vitrine_sink_parts(sink)->preroll_hold.is_cover || vitrine_surface_show_again(self, GST_BASE_SINK(sink));
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    return shown;
}

GstSample *vitrine_sink_copy_frame(GstElement *element)
{
    GstBaseSink *sink = GST_BASE_SINK(element);
    OSDSurface *self = &vitrine_sink_parts(sink)->surface;
    GST_BASE_SINK_PREROLL_LOCK(sink);
    GstBuffer *frame = self->frame ? gst_buffer_ref(self->frame) : NULL;
    GstCaps *caps = gst_pad_get_current_caps(sink->sinkpad);
    GST_BASE_SINK_PREROLL_UNLOCK(sink);
    GstVideoInfo info;
    GstSample *sample = NULL;
    if (frame && caps && gst_video_info_from_caps(&info, caps)) {
        GstBuffer *copy = gst_buffer_new_allocate(NULL, info.size, NULL);
        GstVideoOverlayComposition *surface = vitrine_surface_ref(self);
        if (vitrine_copy_pixels(&info, frame, copy)) {
            if (surface) vitrine_surface_blend(surface, &info, copy);
            sample = gst_sample_new(copy, caps, NULL, NULL);
        }
        if (surface) gst_video_overlay_composition_unref(surface);
        gst_buffer_unref(copy);
    }
    if (frame) gst_buffer_unref(frame);
    if (caps) gst_caps_unref(caps);
    return sample;
}
