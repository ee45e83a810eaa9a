#pragma once
#include <gst/gst.h>

// Corrects the QoS events of a base sink with this pad after a flushing step.
void vitrine_step_lateness_mend(GstPad *sink_pad);
