#include "VideoSink.h"
#include <gst/allocators/allocators.h>

static GQuark mapped_quark;

void vitrine_device_begin(void) { mapped_quark = g_quark_from_static_string("vitrine-mapped"); }

static bool is_device(GstMemory *memory)
{
    return gst_is_dmabuf_memory(memory) || gst_memory_is_type(memory, "KMSMemory");
}

bool vitrine_is_device(GstBuffer *buffer) { return is_device(gst_buffer_peek_memory(buffer, 0)); }

static void unmap(gpointer data)
{
    GstMemory *memory = data;
    memory->allocator->mem_unmap(memory);
}

// Calls the allocator's own function, not gst_memory_map(), which would lock the memory for all other users.
void vitrine_keep_mapped(GstBuffer *buffer)
{
    for (guint i = 0; i < gst_buffer_n_memory(buffer); i++) {
        GstMemory *memory = gst_buffer_peek_memory(buffer, i);
        if (!is_device(memory) || memory->parent) continue;
        if (gst_mini_object_get_qdata(GST_MINI_OBJECT(memory), mapped_quark)) continue;
        if (memory->allocator->mem_map(memory, memory->maxsize, GST_MAP_READWRITE))
            gst_mini_object_set_qdata(GST_MINI_OBJECT(memory), mapped_quark, memory, unmap);
    }
}

void vitrine_device_pool_drop(DevicePool *self)
{
    if (!self->buffers) return;
    gst_buffer_pool_set_active(self->buffers, FALSE);
    gst_clear_object(&self->buffers);
}

// A pool of the base's own buffers for the current caps; NULL if it offers none.
static GstBufferPool *ensure_pool(DevicePool *self, GstBaseSink *sink, GstCaps *caps)
{
    GstBaseSinkClass *base = vitrine_sink_base(sink);
    if (self->buffers) return self->buffers;
    GstQuery *query = gst_query_new_allocation(caps, TRUE);
    if (base->propose_allocation && base->propose_allocation(sink, query) &&
        gst_query_get_n_allocation_pools(query) > 0)
        gst_query_parse_nth_allocation_pool(query, 0, &self->buffers, NULL, NULL, NULL);
    gst_query_unref(query);
    if (self->buffers && !gst_buffer_pool_set_active(self->buffers, TRUE)) gst_clear_object(&self->buffers);
    return self->buffers;
}

bool vitrine_copy_pixels(const GstVideoInfo *info, GstBuffer *from, GstBuffer *to)
{
    GstVideoFrame source, target;
    bool done = false;
    if (!gst_video_frame_map(&source, info, from, GST_MAP_READ)) return false;
    if (gst_video_frame_map(&target, info, to, GST_MAP_WRITE)) {
        done = gst_video_frame_copy(&target, &source);
        gst_video_frame_unmap(&target);
    }
    gst_video_frame_unmap(&source);
    return done;
}

GstBuffer *vitrine_device_copy(
    DevicePool *self, GstBaseSink *sink, GstBuffer *buffer, GstVideoOverlayComposition *surface)
{
    GstVideoInfo info;
    GstBuffer *copy = NULL;
    GstCaps *caps = gst_pad_get_current_caps(sink->sinkpad);
    if (caps && gst_video_info_from_caps(&info, caps) && ensure_pool(self, sink, caps) &&
        gst_buffer_pool_acquire_buffer(self->buffers, &copy, NULL) == GST_FLOW_OK) {
        vitrine_keep_mapped(copy);
        if (vitrine_copy_pixels(&info, buffer, copy)) {
            // The surface is blended first, because the metadata bring the line offsets of the other buffer.
            if (surface) vitrine_surface_blend(surface, &info, copy);
            gst_buffer_copy_into(copy, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
        } else {
            gst_clear_buffer(&copy);
        }
    }
    if (caps) gst_caps_unref(caps);
    return copy;
}
