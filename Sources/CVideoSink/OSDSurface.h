#pragma once
// The surface that is blended into each frame, on displays whose planes do not overlap.
#include "CVideoSink.h"
#include <gst/base/gstbasesink.h>
#include <gst/video/video.h>

typedef struct {
    GMutex lock;  // guards the composition; held for a few loads and stores only
    GstVideoOverlayComposition *composition;  // NULL: nothing is blended
    bool composes;                            // set before the start
    // The last frame, without the surface; kept only if there may be one. Guarded by the base sink's preroll lock.
    GstBuffer *frame;
} OSDSurface;

void vitrine_surface_begin(OSDSurface *self);
void vitrine_surface_end(OSDSurface *self);

// Returns a reference; NULL: there is none.
GstVideoOverlayComposition *vitrine_surface_ref(OSDSurface *self);

// Shows the frame on the screen again, with the current surface; false if there is no frame. Waits for a flip. With the
// preroll lock.
bool vitrine_surface_show_again(OSDSurface *self, GstBaseSink *sink);

void vitrine_surface_blend(GstVideoOverlayComposition *surface, const GstVideoInfo *info, GstBuffer *buffer);
