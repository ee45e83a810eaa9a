#pragma once
// The strip that is blended into each picture, where planes do not lie above each other.
#include "CPictureSink.h"
#include <gst/base/gstbasesink.h>
#include <gst/video/video.h>

typedef struct {
    GMutex lock;  // guards the composition; held for a few loads and stores only
    GstVideoOverlayComposition *composition;  // NULL: nothing is blended
    bool composes;                            // set before the start
    // The last picture, without the strip; kept only where there may be one. Guarded by the base sink's preroll lock.
    GstBuffer *picture;
} Strip;

void vitrine_strip_begin(Strip *self);
void vitrine_strip_end(Strip *self);

// A reference; NULL: there is none.
GstVideoOverlayComposition *vitrine_strip_ref(Strip *self);

// The picture that is on the screen, once more, with the strip that holds now; false where there is none. Waits for a flip. With the
// preroll lock.
bool vitrine_strip_show_again(Strip *self, GstBaseSink *sink);

void vitrine_strip_blend(GstVideoOverlayComposition *strip, const GstVideoInfo *info, GstBuffer *buffer);
