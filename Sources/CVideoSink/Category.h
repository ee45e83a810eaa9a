#pragma once
#include <gst/gst.h>

// What this room says in GStreamer's log.
GST_DEBUG_CATEGORY_EXTERN(vitrine_category);
#define GST_CAT_DEFAULT vitrine_category

// Makes it, once; before anything is said in it. Any thread, after gst_init().
void vitrine_category_begin(void);
