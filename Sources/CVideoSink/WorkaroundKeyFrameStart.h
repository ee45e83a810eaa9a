#pragma once
#include "Probe.h"

typedef struct {
    uint32_t begins;  // the number of the segment that starts at `place` or later; 0: none
    int64_t place;    // stream time, ns
    uint32_t moved;   // the last segment whose start was moved to `place`; 0: none
} KeyFrameStart;

// Moves the start of an arriving segment to `place`, from where running times count. Returns false if the segment arrives
// a second time and must not pass.
bool vitrine_key_frame_start_mend(KeyFrameStart *self, GstPadProbeInfo *info, GstSegment *segment);
