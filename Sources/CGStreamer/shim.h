// The parts of GStreamer, GObject and GLib that Vitrine uses.
#pragma once
#include <gst/gst.h>
#include <gst/allocators/allocators.h>
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasesink.h>
#include <gst/pbutils/pbutils.h>
#include <gst/video/video.h>
#include <gst/video/navigation.h>
#include <gst/video/videooverlay.h>
// mallopt: see ProcessTuning.
#include <malloc.h>
