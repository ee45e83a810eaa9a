// Bug: `flvdemux` starts an exact seek's segment at the key frame, and again where the sound starts.
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/5940
// Versions: GStreamer 1.26; 1.22 does not have it.
// May go, with `FilmSeeks.beginsAtKeyFrames`, when test_ten_places_are_sought_exactly of Tests/Rig/test_formats.py passes
// for short.flv without it.
#include "WorkaroundKeyFrameStart.h"

bool vitrine_key_frame_start_mend(KeyFrameStart *self, GstPadProbeInfo *info, GstSegment *segment)
{
    if (!self->begins || self->begins != gst_event_get_seqnum(GST_PAD_PROBE_INFO_EVENT(info))) return true;
    int64_t late = self->place - (int64_t)segment->time;
    bool is_longer = !GST_CLOCK_TIME_IS_VALID(segment->stop) || segment->stop - segment->start > (guint64)late;
    if (late <= 0 || !is_longer) return true;
    if (self->moved == self->begins) return false;
    self->moved = self->begins;
    segment->start += late;
    segment->time += late;
    segment->position = segment->start;
    vitrine_probe_replace_segment(info, segment);
    return true;
}
