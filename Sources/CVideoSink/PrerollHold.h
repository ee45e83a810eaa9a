#pragma once
// What keeps frames from the screen while the plane is another film's.
#include "CVideoSink.h"
#include <gst/base/gstbasesink.h>

typedef struct {
    gint is_drawn;  // atomic
    // Whether something else lies over the film: what is kept counts as shown. Guarded as the frame.
    bool is_cover;
    // What is shown was kept, and counted then.
    bool is_lifted;
    // The last one that was kept from the screen, until the next one is shown. Guarded by the base sink's preroll lock.
    GstBuffer *frame;
} PrerollHold;

// Whether this frame is kept from the screen. With the preroll lock.
bool vitrine_preroll_hold_keeps(PrerollHold *self, GstBaseSink *sink, GstBuffer *buffer);
