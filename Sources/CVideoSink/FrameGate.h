#pragma once
#include "Probe.h"

// Whether a frame gate at this pad is releasing a frame that it held back: that frame passes the pad's probes again,
// and those before the gate have seen it. For probes, on the pad's streaming thread.
bool vitrine_frame_gate_releases_at(GstPad *pad);
