#include "VideoSink.h"
#include "VideoCaps.h"
#include <gst/video/videooverlay.h>

static bool may_scale(GstBaseSink *sink)
{
    gboolean may = FALSE;
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(sink), "can-scale"))
        g_object_get(sink, "can-scale", &may, NULL);
    return may;
}

// A kmssink that may not scale only accepts frames of one pixel aspect ratio, which it computes from the millimetres
// that the display reports for all its modes. Those are often wrong, and always for a mode of another aspect: a
// display's pixels count as square here.
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

GstCaps *vitrine_shape_offer(GstBaseSink *sink, GstCaps *filter)
{
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    if (!base->get_caps) return NULL;
    GstCaps *caps = base->get_caps(sink, NULL);
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
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    GstCaps *caps = base->get_caps ? base->get_caps(sink, NULL) : NULL;
    GstStructure *first = caps && gst_caps_get_size(caps) > 0 ? gst_caps_get_structure(caps, 0) : NULL;
    bool has = first && gst_structure_get_fraction(first, "pixel-aspect-ratio", numerator, denominator);
    if (caps) gst_caps_unref(caps);
    return has;
}

// The ratio by which a kmssink that may scale divides a frame's pixel aspect ratio; it reports the ratio only while it
// may not scale.
static void display_aspect(GstBaseSink *sink, gint *numerator, gint *denominator)
{
    *numerator = *denominator = 1;
    g_object_set(sink, "can-scale", FALSE, NULL);
    base_aspect(sink, numerator, denominator);
    g_object_set(sink, "can-scale", TRUE, NULL);
}

// A plane that turns a frame by a quarter needs a destination with swapped sides. A kmssink that may scale computes the
// destination from the pixel aspect ratio and the render rectangle, so it is given a ratio that has this result.
//
// With w, h for the destination's width and height: kmssink computes a ratio a/b of two whole numbers and, in a
// rectangle of w + 1, h, a destination of floor(h * a/b), h at its left edge. a/b has to lie between w/h and (w + 1)/h.
static void turn(PlaneShape *self, GstBaseSink *sink, GstCaps *caps)
{
    GstVideoInfo info;
    if (!vitrine_video_info(&info, caps)) return;
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

GstCaps *vitrine_shape_adopt(PlaneShape *self, GstBaseSink *sink, GstCaps *caps)
{
    self->scales = may_scale(sink) && !self->turns;
    // Without scaling, kmssink applies it with the next caps.
    if (self->area.w > 0 && !self->turns)
        gst_video_overlay_set_render_rectangle(
            GST_VIDEO_OVERLAY(sink), self->area.x, self->area.y, self->area.w, self->area.h);
    gint numerator, denominator;
    GstCaps *result = gst_caps_copy(caps);
    if (self->turns) turn(self, sink, result);
    else if (self->scales) {
        GstVideoInfo info;
        display_aspect(sink, &numerator, &denominator);
        if (vitrine_video_info(&info, caps) &&
            gst_util_fraction_multiply(info.par_n, info.par_d, numerator, denominator, &numerator, &denominator))
            gst_caps_set_simple(result, "pixel-aspect-ratio", GST_TYPE_FRACTION, numerator, denominator, NULL);
    } else if (base_aspect(sink, &numerator, &denominator)) set_aspect(result, numerator, denominator);
    return result;
}

// A kmssink that was given another pixel aspect ratio, see turn(), computes its source's size from the crop alone.
GstBuffer *vitrine_shape_mark(PlaneShape *self, GstBuffer *buffer)
{
    if (!self->turns || gst_buffer_get_video_crop_meta(buffer)) return gst_buffer_ref(buffer);
    // Usually nobody else holds it.
    bool is_ours = gst_buffer_is_writable(buffer);
    GstBuffer *marked = is_ours ? buffer : gst_buffer_copy(buffer);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta(marked);
    crop->width = self->width;
    crop->height = self->height;
    return is_ours ? gst_buffer_ref(marked) : marked;
}

void vitrine_sink_set_area(GstElement *sink, int32_t x, int32_t y, int32_t width, int32_t height)
{
    vitrine_sink_parts(sink)->shape.area = (GstVideoRectangle){ x, y, width, height };
}

void vitrine_sink_expect_quarter_turn(GstElement *sink)
{
    vitrine_sink_parts(sink)->shape.turns = true;
    g_object_set(sink, "can-scale", TRUE, NULL);
}
