#pragma once
// Frames in the display's own memory.
#include "CVideoSink.h"
#include <gst/video/video.h>

// Guarded by the base sink's preroll lock.
typedef struct {
    GstBufferPool *buffers;  // the base's own; NULL until the first frame in system memory
} DevicePool;

// Once, before the first sink.
void vitrine_device_begin(void);

// Maps a pool's dumb buffer once more than its users do, so that their unmapping never calls munmap().
void vitrine_keep_mapped(GstBuffer *buffer);

// A copy with the surface, if there is one. kmssink would copy, too, but into a buffer that it maps anew for each
// frame. NULL: kmssink copies.
GstBuffer *vitrine_device_copy(
    DevicePool *self, GstBaseSink *sink, GstBuffer *buffer, GstVideoOverlayComposition *surface);

void vitrine_device_pool_drop(DevicePool *self);

bool vitrine_copy_pixels(const GstVideoInfo *info, GstBuffer *from, GstBuffer *to);
