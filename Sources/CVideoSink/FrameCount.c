#include "VideoSink.h"

void vitrine_count_begin(FrameCount *self)
{
    g_mutex_init(&self->lock);
    self->frames = (VitrineFrames){ .stream_time = -1, .place = -1, .duration = -1 };
    self->from = INT64_MIN;
}

void vitrine_count_end(FrameCount *self) { g_mutex_clear(&self->lock); }

int64_t vitrine_count_time(GstBaseSink *sink, GstBuffer *buffer)
{
    guint64 time;
    if (!GST_BUFFER_PTS_IS_VALID(buffer) || sink->segment.format != GST_FORMAT_TIME) return -1;
    // The frame that contains an exact seek's target starts before its segment: hence _full.
    gint sign = gst_segment_to_stream_time_full(&sink->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer), &time);
    return sign == 0 ? -1 : sign * (int64_t)time;
}

// When the frame that starts at `start` (stream time) is due; -1: unknown.
static int64_t running_time(GstBaseSink *sink, int64_t start)
{
    if (start < 0 || sink->segment.format != GST_FORMAT_TIME) return -1;
    guint64 position = gst_segment_position_from_stream_time(&sink->segment, GST_FORMAT_TIME, (guint64)start);
    return (int64_t)gst_segment_to_running_time(&sink->segment, GST_FORMAT_TIME, position);
}

static void announce(
    GstBaseSink *sink, uint32_t ticket, int64_t time, int64_t start, int64_t duration, int64_t now)
{
    GST_DEBUG_OBJECT(sink, "seek %u is answered: %" GST_STIME_FORMAT, ticket, GST_STIME_ARGS(time));
    GstStructure *frame = gst_structure_new(
        "vitrine-frame", "ticket", G_TYPE_UINT, ticket, "stream-time", G_TYPE_INT64, time,
        "start", G_TYPE_INT64, start, "duration", G_TYPE_INT64, duration, "time", G_TYPE_INT64, now,
        "running-time", G_TYPE_INT64, running_time(sink, start), NULL);
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(GST_OBJECT(sink), frame));
}

// The film's position by its clock, stream time; `place` if the clock does not run.
static int64_t film_time(GstBaseSink *sink, int64_t place)
{
    GstClock *clock = sink->need_preroll ? NULL : gst_element_get_clock(GST_ELEMENT(sink));
    if (!clock) return place;
    GstClockTime now = gst_clock_get_time(clock), since = gst_element_get_base_time(GST_ELEMENT(sink));
    gst_object_unref(clock);
    if (now < since) return place;
    guint64 position = gst_segment_position_from_running_time(&sink->segment, GST_FORMAT_TIME, now - since);
    guint64 time = gst_segment_to_stream_time(&sink->segment, GST_FORMAT_TIME, position);
    return GST_CLOCK_TIME_IS_VALID(time) ? (int64_t)time : place;
}

void vitrine_count_add(FrameCount *self, GstBaseSink *sink, int64_t time, int64_t duration)
{
    bool is_early = sink->segment.rate > 0 && time < (int64_t)sink->segment.time;
    int64_t film = film_time(sink, is_early ? (int64_t)sink->segment.time : time);
    int64_t now = g_get_monotonic_time() * 1000;
    uint32_t ticket = 0;
    g_mutex_lock(&self->lock);
    int64_t place = is_early && !self->reports_beginnings ? (int64_t)sink->segment.time : time;
    // The prerolled frame is rendered again when playing goes on: it is the same frame, and counted once.
    bool again = time >= 0 && time == self->frames.stream_time;
    if (!again) self->recent[self->frames.shown % VITRINE_RECENT] = (VitrineShown){ time, now };
    self->frames = (VitrineFrames){
        .shown = self->frames.shown + !again, .stream_time = time, .place = place, .film_time = film,
        .duration = duration, .time = now,
        // A decoder may keep its last frames until EOS, while the sound goes on.
        .is_last = self->frames.is_last && film - place > (int64_t)GST_SECOND };
    gboolean answers = (self->seqnum == 0 || self->seqnum == self->segment_seqnum) &&
                       (self->from == INT64_MIN || time + MAX(duration, 1) > self->from);
    if (self->ticket && answers) {
        ticket = self->ticket;
        self->ticket = 0;
    }
    g_mutex_unlock(&self->lock);
    GST_LOG_OBJECT(sink, "frame %" GST_STIME_FORMAT " is on the screen%s", GST_STIME_ARGS(time),
                   again ? " again" : "");
    if (ticket) announce(sink, ticket, place, time, duration, now);
}

// The stream ended before a frame answered: the seek's target is behind the film's last frame.
static void announce_end(FrameCount *self, GstBaseSink *sink, uint32_t seqnum)
{
    g_mutex_lock(&self->lock);
    uint32_t ticket = self->seqnum == 0 || self->seqnum == self->segment_seqnum || self->seqnum == seqnum
                          ? self->ticket : 0;
    if (ticket) self->ticket = 0;
    g_mutex_unlock(&self->lock);
    if (ticket) announce(sink, ticket, -1, -1, -1, g_get_monotonic_time() * 1000);
}

// Announces the end of a loop segment: its last frame has been shown, and the next one follows without a flush.
static void announce_loop_segment(GstBaseSink *sink, uint32_t seqnum)
{
    GST_DEBUG_OBJECT(sink, "the loop segment of seek event %u is over", seqnum);
    GstStructure *loop_segment = gst_structure_new("vitrine-loop-segment", "seqnum", G_TYPE_UINT, seqnum, NULL);
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(GST_OBJECT(sink), loop_segment));
}

void vitrine_count_hear(FrameCount *self, GstBaseSink *sink, GstEvent *event)
{
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT || GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
        g_mutex_lock(&self->lock);
        self->segment_seqnum = gst_event_get_seqnum(event);
        self->frames.ended = false;
        if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) self->frames.is_last = false;
        g_mutex_unlock(&self->lock);
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT_DONE || GST_EVENT_TYPE(event) == GST_EVENT_GAP) {
        g_mutex_lock(&self->lock);
        self->frames.is_last = true;
        g_mutex_unlock(&self->lock);
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT_DONE) {
        announce_end(self, sink, gst_event_get_seqnum(event));
        announce_loop_segment(sink, gst_event_get_seqnum(event));
    }
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
        g_mutex_lock(&self->lock);
        self->frames.ended = self->frames.is_last = true;
        g_mutex_unlock(&self->lock);
        announce_end(self, sink, gst_event_get_seqnum(event));
    }
}

void vitrine_sink_expect(GstElement *sink, uint32_t ticket, uint32_t seqnum, int64_t from)
{
    FrameCount *self = &vitrine_sink_parts(sink)->count;
    g_mutex_lock(&self->lock);
    self->ticket = ticket;
    self->seqnum = seqnum;
    self->from = from;
    g_mutex_unlock(&self->lock);
}

void vitrine_sink_report_beginnings(GstElement *sink, bool reports)
{
    FrameCount *self = &vitrine_sink_parts(sink)->count;
    g_mutex_lock(&self->lock);
    self->reports_beginnings = reports;
    g_mutex_unlock(&self->lock);
}

VitrineFrames vitrine_sink_frames(GstElement *sink)
{
    FrameCount *self = &vitrine_sink_parts(sink)->count;
    g_mutex_lock(&self->lock);
    VitrineFrames frames = self->frames;
    g_mutex_unlock(&self->lock);
    return frames;
}

uint32_t vitrine_sink_recent(GstElement *sink, VitrineShown *recent)
{
    FrameCount *self = &vitrine_sink_parts(sink)->count;
    g_mutex_lock(&self->lock);
    uint64_t end = self->frames.shown, begin = end > VITRINE_RECENT ? end - VITRINE_RECENT : 0;
    for (uint64_t i = begin; i < end; i++) recent[i - begin] = self->recent[i % VITRINE_RECENT];
    g_mutex_unlock(&self->lock);
    return (uint32_t)(end - begin);
}
