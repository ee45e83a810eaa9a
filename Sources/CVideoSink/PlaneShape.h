#pragma once
// Matches a frame's shape and a plane's: pixel aspect ratios, quarter turns, scaling. For kmssink.
#include "CVideoSink.h"
#include "Category.h"
#include <gst/video/video.h>
#include <gst/video/gstvideosink.h>

// Guarded by the base sink's preroll lock.
typedef struct {
    GstVideoRectangle area;  // of the display, for the frames; set before the start, else empty
    bool turns;              // the plane turns by a quarter; set before the start
    gint width, height;      // the frames' size, if the plane turns them
    bool scales;  // the plane is to scale, and the driver has not refused it
} PlaneShape;

// The caps that the sink accepts.
GstCaps *vitrine_shape_offer(GstBaseSink *sink, GstCaps *filter);

// Converts new caps for the base.
GstCaps *vitrine_shape_adopt(PlaneShape *self, GstBaseSink *sink, GstCaps *caps);

// Marks a frame for the base. Returns a reference.
GstBuffer *vitrine_shape_mark(PlaneShape *self, GstBuffer *buffer);
