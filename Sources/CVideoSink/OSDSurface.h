#pragma once
// The surface that is blended into each frame, where planes do not lie above each other.
#include "CVideoSink.h"
#include <gst/base/gstbasesink.h>
#include <gst/video/video.h>

typedef struct {
    GMutex lock;  // guards the composition; held for a few loads and stores only
    GstVideoOverlayComposition *composition;  // NULL: nothing is blended
    bool composes;                            // set before the start
    // The last frame, without the surface; kept only where there may be one. Guarded by the base sink's preroll lock.
    GstBuffer *frame;
} OSDSurface;

void vitrine_surface_begin(OSDSurface *self);
void vitrine_surface_end(OSDSurface *self);

// A reference; NULL: there is none.
GstVideoOverlayComposition *vitrine_surface_ref(OSDSurface *self);

// The frame that is on the screen, once more, with the surface that holds now; false where there is none. Waits for a flip. With the
// preroll lock.
bool vitrine_surface_show_again(OSDSurface *self, GstBaseSink *sink);

void vitrine_surface_blend(GstVideoOverlayComposition *surface, const GstVideoInfo *info, GstBuffer *buffer);
