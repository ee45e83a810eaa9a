#pragma once
#include <gst/gst.h>

// Corrects what a base sink with this pad tells of its lateness after a flushing step.
void vitrine_step_lateness_mend(GstPad *sink_pad);
