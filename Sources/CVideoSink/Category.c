#include "Category.h"
#include "CVideoSink.h"

GST_DEBUG_CATEGORY(vitrine_category);

void vitrine_category_begin(void)
{
    static gsize begun;
    if (!g_once_init_enter(&begun)) return;
    GST_DEBUG_CATEGORY_INIT(vitrine_category, "vitrine", 0, "Vitrine's seeks, frames and gates");
    g_once_init_leave(&begun, 1);
}

bool vitrine_is_debugged(void)
{
    return gst_debug_category_get_threshold(vitrine_category) >= GST_LEVEL_DEBUG;
}

void vitrine_debug(GstElement *pipeline, const char *text) { GST_DEBUG_OBJECT(pipeline, "%s", text); }
