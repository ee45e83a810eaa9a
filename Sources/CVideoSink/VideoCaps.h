#pragma once
// What caps say of frames, wherever they are.
#include "CVideoSink.h"
#include <gst/video/video.h>
