#pragma once
#include "Probe.h"

// Whether a frame gate at this pad is letting a frame through that it held back before: it passes the pad's probes once more,
// and those before the gate know it. For probes, on the pad's streaming thread.
bool vitrine_frame_gate_releases_at(GstPad *pad);
