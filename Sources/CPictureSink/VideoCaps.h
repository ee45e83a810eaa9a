#pragma once
// What caps say of pictures, wherever they are.
#include "CPictureSink.h"
#include <gst/video/video.h>
