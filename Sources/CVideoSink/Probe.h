#pragma once
// What this room's pad probes share. Several may stand on one pad: they are called in the order of their adding, and one
// that drops something ends the chain.
#include "CVideoSink.h"
#include "Category.h"

#define VITRINE_PROBE_DATA \
    (GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH)

// Adds a probe that `vitrine_pad_shut` takes off again. The pad releases `data` with `release`.
void vitrine_probe_add(
    GstPad *pad, GstPadProbeType type, GstPadProbeCallback callback, gpointer data, GDestroyNotify release);

// Where the buffer begins in stream time, ns; INT64_MIN: unknown.
int64_t vitrine_stream_time(const GstSegment *segment, GstBuffer *buffer);

// The buffer's duration, ns; 1 where it has none.
int64_t vitrine_duration(GstBuffer *buffer);

// Flags the probe's buffer DISCONT: the ones before it were dropped, and a flush's first buffer, which has the flag, may be
// among them. A dumb buffer of a plane's that the decoder still reads goes without the flag, rather than be copied.
void vitrine_probe_mark_discont(GstPadProbeInfo *info);

// Puts another segment into the probe's event; its sequence number stays.
void vitrine_probe_replace_segment(GstPadProbeInfo *info, const GstSegment *segment);
