#pragma once
#include "PlaneShape.h"

// Posts "vitrine-scaling-refused", once, if the driver has refused to scale a frame. After each frame.
void vitrine_refused_scaling_report(PlaneShape *shape, GstBaseSink *sink);
