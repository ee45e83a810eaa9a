#pragma once
// Holds frames back while the plane belongs to another film.
#include "CVideoSink.h"
#include <gst/base/gstbasesink.h>

typedef struct {
    gint is_drawn;  // atomic
    // Whether something else covers the film: a kept frame counts as shown. Guarded as the frame.
    bool is_cover;
    // Whether the frame being shown was kept, and counted then.
    bool is_lifted;
    // The last frame that was held back, until the next one is shown. Guarded by the base sink's preroll lock.
    GstBuffer *frame;
} PrerollHold;

// Whether this frame is held back. With the preroll lock.
bool vitrine_preroll_hold_keeps(PrerollHold *self, GstBaseSink *sink, GstBuffer *buffer);
