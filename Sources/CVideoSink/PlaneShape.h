#pragma once
// How a frame's shape and a plane's go together: pixel aspect ratios, quarter turns, scaling. For kmssink.
#include "CVideoSink.h"
#include "Category.h"
#include <gst/video/video.h>
#include <gst/video/gstvideosink.h>

// Guarded by the base sink's preroll lock.
typedef struct {
    GstVideoRectangle area;  // of the display, for the frames; set before the start, else empty
    bool turns;              // the plane does, by a quarter; set before the start
    gint width, height;      // the frames' size, where it turns them
    bool scales;  // the plane is to; see vitrine_shape_check()
} PlaneShape;

// What the sink takes.
GstCaps *vitrine_shape_offer(GstBaseSink *sink, GstCaps *filter);

// New caps, as the base wants them.
GstCaps *vitrine_shape_adopt(PlaneShape *self, GstBaseSink *sink, GstCaps *caps);

// A frame as the base wants it. Returns a reference.
GstBuffer *vitrine_shape_mark(PlaneShape *self, GstBuffer *buffer);

// A kmssink whose driver refuses a scaled frame gives scaling up without a word, and shows a corner of each frame:
// this posts the word "vitrine-scaling-refused", once.
void vitrine_shape_check(PlaneShape *self, GstBaseSink *sink);
