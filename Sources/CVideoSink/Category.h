#pragma once
#include <gst/gst.h>

// This module's category in GStreamer's log.
GST_DEBUG_CATEGORY_EXTERN(vitrine_category);
#define GST_CAT_DEFAULT vitrine_category

// Creates the category, once, before the first log message. Any thread, after gst_init().
void vitrine_category_begin(void);
