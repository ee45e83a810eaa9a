#pragma once
// The sink's parts, each with a file of its own. VideoSink.c calls them in order.
#include "DevicePool.h"
#include "FrameCount.h"
#include "PlaneShape.h"
#include "OSDSurface.h"
#include "PrerollHold.h"

typedef struct {
    DevicePool pool;
    PlaneShape shape;
    FrameCount count;
    OSDSurface surface;
    PrerollHold preroll_hold;
} SinkParts;

SinkParts *vitrine_sink_parts(gpointer sink);

// The class of the sink that this one derives from.
GstBaseSinkClass *vitrine_sink_base(gpointer sink);

// The frame for the base to show: itself, or a copy. Returns a reference. With the preroll lock.
GstBuffer *vitrine_sink_prepare(GstBaseSink *sink, GstBuffer *frame);
