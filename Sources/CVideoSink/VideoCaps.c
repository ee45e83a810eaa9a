#include "VideoCaps.h"
#include <gst/video/gstvideopool.h>
#include <string.h>

// GStreamer's names for DRM's formats, if they differ; P030 in columns has P010's pixels in another order.
static const struct { const char *drm, *plain; } NAMES[] = {
    { "YU12", "I420" }, { "YUYV", "YUY2" }, { "P010", "P010_10LE" }, { "P030", "P010_10LE" },
    { "XR24", "BGRx" }, { "AR24", "BGRA" }, { "XB24", "RGBx" }, { "AB24", "RGBA" },
};

// Converts "NV12:0x0700000000000004" to NV12.
static char *plain_format(const char *drm)
{
    char *name = g_strndup(drm, strcspn(drm, ":"));
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        if (strcmp(name, NAMES[i].drm) != 0) continue;
        g_free(name);
        return g_strdup(NAMES[i].plain);
    }
    return name;
}

bool vitrine_video_info(GstVideoInfo *info, const GstCaps *caps)
{
    if (gst_caps_get_size(caps) == 0) return false;
    const char *drm = gst_structure_get_string(gst_caps_get_structure(caps, 0), "drm-format");
    if (!drm) return gst_video_info_from_caps(info, caps);
    GstCaps *plain = gst_caps_copy(caps);
    char *format = plain_format(drm);
    gst_caps_set_features_simple(plain, gst_caps_features_new_empty());
    gst_caps_set_simple(plain, "format", G_TYPE_STRING, format, NULL);
    gst_structure_remove_field(gst_caps_get_structure(plain, 0), "drm-format");
    bool is_known = gst_video_info_from_caps(info, plain);
    g_free(format);
    gst_caps_unref(plain);
    return is_known;
}

void vitrine_offer_memory(GstQuery *query)
{
    GstCaps *caps;
    GstVideoInfo info;
    gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_parse_allocation(query, &caps, NULL);
    if (!caps || !vitrine_video_info(&info, caps) || info.size == 0) return;
    GstBufferPool *pool = gst_video_buffer_pool_new();
    GstStructure *config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, info.size, 2, 0);
    if (gst_buffer_pool_set_config(pool, config)) gst_query_add_allocation_pool(query, pool, info.size, 2, 0);
    gst_object_unref(pool);
}
