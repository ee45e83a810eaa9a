#pragma once
// In an exact seek, has libav's decoders skip the frames that no other frame refers to, on the way to the target: nobody
// sees them.
#include "Probe.h"

typedef struct {
    GMutex lock;         // guards the fields below; held for a few loads and stores only
    bool skips;          // in the current segment, up to a frame near `target`
    bool is_skipping;    // the decoder knows it
    GstSegment segment;  // the current one, which begins before `target`
    int64_t target;      // the place that was sought, stream time
} FrameSkip;

void vitrine_skip_begin(FrameSkip *self);
void vitrine_skip_end(FrameSkip *self);

// Skips frames in this segment, which was widened so that it begins before `target` (stream time), if that is worth it.
void vitrine_skip_expect(FrameSkip *self, const GstSegment *segment, int64_t target);

// Skips none from now on: another segment follows, whose decoder decodes all frames unless it is set again.
void vitrine_skip_forget(FrameSkip *self);

// Sets whether the pad's decoder skips frames, from this frame on. Between two frames, on the thread that decodes them.
void vitrine_skip_follow(FrameSkip *self, GstPad *pad, GstBuffer *buffer);
