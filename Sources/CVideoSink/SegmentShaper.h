#pragma once
#include "Probe.h"

// Behind a decoder: raises the start of a segment that was widened before the decoder. Returns whether it was widened;
// then `segment` and the probe's event are as the demuxer sent them.
bool vitrine_segment_restore(GstPadProbeInfo *info, GstSegment *segment);
