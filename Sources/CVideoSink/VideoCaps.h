#pragma once
// Reads the video info of caps in any memory.
#include "CVideoSink.h"
#include <gst/video/video.h>
