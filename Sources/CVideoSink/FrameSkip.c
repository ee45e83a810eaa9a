#include "FrameSkip.h"
#include <gst/video/gstvideodecoder.h>

// Frames so near to the target of a seek are all decoded, ns: one of them is the target, or is shown there because the
// next frame comes late. libav's decoders take a change of mode into account one frame later. In a film whose frames
// stand longer than this, or whose video ends before its target, a frame that no other refers to could be missed.
static const int64_t ALL_DECODED = 500 * (int64_t)GST_MSECOND;

void vitrine_skip_begin(FrameSkip *self) { g_mutex_init(&self->lock); }

void vitrine_skip_end(FrameSkip *self) { g_mutex_clear(&self->lock); }

void vitrine_skip_expect(FrameSkip *self, const GstSegment *segment, int64_t target)
{
    int64_t way = target - (int64_t)segment->time;
    g_mutex_lock(&self->lock);
    self->segment = *segment;
    self->target = target;
    // A seek at another rate is in trick mode itself.
    self->skips = way > ALL_DECODED && !(segment->flags & GST_SEGMENT_FLAG_TRICKMODE);
    g_mutex_unlock(&self->lock);
}

void vitrine_skip_forget(FrameSkip *self)
{
    g_mutex_lock(&self->lock);
    self->skips = self->is_skipping = false;
    g_mutex_unlock(&self->lock);
}

// The pad's decoder if it is one of libav's, with a reference; else NULL.
static GstVideoDecoder *get_libav_decoder(GstPad *pad)
{
    GstElement *decoder = gst_pad_get_parent_element(pad);
    GstElementFactory *factory = decoder ? gst_element_get_factory(decoder) : NULL;
    if (GST_IS_VIDEO_DECODER(decoder) && factory && g_str_has_prefix(GST_OBJECT_NAME(factory), "avdec_"))
        return GST_VIDEO_DECODER(decoder);
    g_clear_object(&decoder);
    return NULL;
}

// Whether all frames are decoded from this one on: it is near the target, or it is not known how near. With the lock.
static bool is_near(FrameSkip *self, GstBuffer *buffer)
{
    int64_t start = vitrine_stream_time(&self->segment, buffer);
    return start == INT64_MIN || start + MAX(ALL_DECODED, 4 * vitrine_duration(buffer)) > self->target;
}

// Has the decoder decode only the frames that others refer to, as in trick mode, or all frames again. As for an
// instant-rate-change event, only its input segment says so: it begins anew with each segment, and no frame's time
// depends on it.
void vitrine_skip_follow(FrameSkip *self, GstPad *pad, GstBuffer *buffer)
{
    g_mutex_lock(&self->lock);
    bool skips = self->skips && !is_near(self, buffer), changes = skips != self->is_skipping;
    self->is_skipping = skips;
    if (!skips) self->skips = false;
    g_mutex_unlock(&self->lock);
    GstVideoDecoder *decoder = changes ? get_libav_decoder(pad) : NULL;
    if (!decoder) return;
    GST_OBJECT_LOCK(decoder);
    GstSegment *segment = &GST_VIDEO_DECODER_INPUT_SEGMENT(decoder);
    if (skips) segment->flags |= GST_SEGMENT_FLAG_TRICKMODE;
    else segment->flags &= ~GST_SEGMENT_FLAG_TRICKMODE;
    GST_OBJECT_UNLOCK(decoder);
    gst_object_unref(decoder);
}
