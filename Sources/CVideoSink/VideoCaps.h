#pragma once
// What caps say of pictures, wherever they are.
#include "CVideoSink.h"
#include <gst/video/video.h>
