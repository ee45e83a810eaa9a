#pragma once
// Counts the frames that reach the screen, and finds the one that answers a seek.
#include "CVideoSink.h"
#include "Category.h"
#include <gst/base/gstbasesink.h>

typedef struct {
    GMutex lock;  // guards the fields below; held for a few loads and stores only
    VitrineFrames frames;
    uint32_t ticket, seqnum;
    int64_t from;
    bool reports_beginnings;
    uint32_t segment_seqnum;              // of the newest segment or flush that reached the sink
    VitrineShown recent[VITRINE_RECENT];  // the last frames, a ring
} FrameCount;

void vitrine_count_begin(FrameCount *self);
void vitrine_count_end(FrameCount *self);

// Stream time, ns; -1: unknown. With the preroll lock.
int64_t vitrine_count_time(GstBaseSink *sink, GstBuffer *buffer);

// Counts a frame on the screen that starts at `time` (stream time, ns; -1: unknown) and lasts `duration`. With the
// preroll lock.
void vitrine_count_add(FrameCount *self, GstBaseSink *sink, int64_t time, int64_t duration);

// Handles an event about the frames that follow, or about their end. Before the base handles it.
void vitrine_count_hear(FrameCount *self, GstBaseSink *sink, GstEvent *event);
