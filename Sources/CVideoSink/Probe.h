#pragma once
// Helpers of this module's pad probes. A pad may have several: they are called in the order in which they were added,
// and one that drops something ends the chain.
#include "CVideoSink.h"
#include "Category.h"

#define VITRINE_PROBE_DATA \
    (GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH)

// Adds a probe that `vitrine_pad_shut` removes. The pad releases `data` with `release`.
void vitrine_probe_add(
    GstPad *pad, GstPadProbeType type, GstPadProbeCallback callback, gpointer data, GDestroyNotify release);

// The buffer's start in stream time, ns; INT64_MIN: unknown.
int64_t vitrine_stream_time(const GstSegment *segment, GstBuffer *buffer);

// The buffer's duration, ns; 1 if it has none.
int64_t vitrine_duration(GstBuffer *buffer);

// Flags the probe's buffer DISCONT: earlier ones were dropped, perhaps including a flush's first buffer, which has the
// flag. A plane's dumb buffer that the decoder still reads is not flagged, because it would be copied.
void vitrine_probe_mark_discont(GstPadProbeInfo *info);

// Puts another segment into the probe's event; its sequence number stays.
void vitrine_probe_replace_segment(GstPadProbeInfo *info, const GstSegment *segment);
