// The C that Swift cannot write well: a video sink that tells which picture is on the screen, and a gate for pictures.
// Both run on GStreamer's streaming threads and touch nothing but themselves; the rest of Vitrine talks to them through
// the functions below, which may be called from any thread and never block, but for those that say so.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// GStreamer's types by name alone: with their headers, this module would own them beside CGStreamer's.
typedef struct _GstBuffer GstBuffer;
typedef struct _GstElement GstElement;
typedef struct _GstPad GstPad;
typedef struct _GstSample GstSample;

// MARK: The sink

// A subclass, made at run time, of the sink that the factory `base` makes (kmssink; fakesink where there is no display).
// It
// - keeps every device buffer it shows mapped while the buffer lives (kmssink maps and unmaps for each frame, which
//   costs a page fault for every 4 KiB of picture),
// - counts the pictures that reached the screen: a picture counts when the base's preroll or render has returned, and
//   kmssink's waits for the plane's flip on atomic drivers,
// - posts an element message "vitrine-picture" (fields: ticket uint, stream-time int64, start int64, duration int64,
//   time int64 in CLOCK_MONOTONIC nanoseconds, running-time int64) for the picture that answers a seek, see vitrine_sink_expect;
//   stream-time is -1 where the stream ended before there was one, running-time where it is unknown,
// - posts an element message "vitrine-pass" (field: seqnum uint, the segment seek's) when the last picture of a segment
//   seek's segment has been shown.
// Returns a floating reference, or NULL where there is no such factory or it makes no sink.
GstElement *vitrine_sink_new(const char *base, const char *name);

// Announces the next picture that answers a seek or an advance, once, with `ticket` (not 0).
// A picture answers when the segment it belongs to came with `seqnum` (the seek event's; 0: any segment) and it
// ends after `from` (stream time in ns; INT64_MIN: any). A newer expectation replaces an older one.
void vitrine_sink_expect(GstElement *sink, uint32_t ticket, uint32_t seqnum, int64_t from);

// A picture in whose middle a seek's segment begins is told to be where it begins itself, and not where that does.
void vitrine_sink_tell_beginnings(GstElement *sink, bool tells);

// Blind, it takes pictures and shows none of them. Before it starts, or followed by a flush or an unveiling: it keeps the last
// one.
void vitrine_sink_set_blind(GstElement *sink, bool blind);

// No longer blind: the picture that was kept from the screen last, if there is one, is shown at once. Waits for the plane's
// flip, so not for a thread that must not wait.
void vitrine_sink_unveil(GstElement *sink);

// Blind for good; the picture that is on its way to the screen is waited for.
void vitrine_sink_retire(GstElement *sink);

// Pictures come into the middle of this area of the display, where the plane scales as large as it has room. For kmssink; before
// it starts.
void vitrine_sink_set_area(GstElement *sink, int32_t x, int32_t y, int32_t width, int32_t height);

// The plane turns pictures by a quarter: they come with width and height swapped, unscaled, into the middle of the area. For
// kmssink that has one; before it starts.
void vitrine_sink_expect_quarter_turn(GstElement *sink);

// Lets the sink blend a strip into its pictures, for displays whose planes do not lie above each other. Before it starts.
void vitrine_sink_compose(GstElement *sink);

// Blends `pixels` (BGRA, multiplied by alpha, `width` x `height`, rows without gaps) into every picture that is shown
// from now on, at x, y of the picture; NULL blends nothing. Shows the picture on the screen again at once: waits for the
// plane's flip, so not for a thread that must not wait. Returns false where there is no picture yet.
bool vitrine_sink_set_strip(GstElement *sink, GstBuffer *pixels, uint32_t width, uint32_t height, int32_t x, int32_t y);

// The picture on the screen as it is seen, strip and all, in memory of its own; NULL where there is none. Only for a sink
// that composes. Copies: not for a thread that must not wait.
GstSample *vitrine_sink_copy_picture(GstElement *sink);

typedef struct {
    uint64_t shown;        // pictures that reached the screen since the sink was made
    int64_t stream_time;   // where the last of them begins, ns; -1: none yet
    int64_t place;         // the same, or where a seek led to behind that, ns
    int64_t film_time;     // where the film was when it came to the screen: behind its place where it came late, ns
    int64_t duration;      // of the last of them, ns; -1: unknown
    int64_t time;          // when the last of them was on the screen, CLOCK_MONOTONIC ns
    bool ended;            // the stream is at its end: no more will come before a seek
    bool is_last;          // no other follows the last of them in the stream, or in the pass of a loop, or not for long
} VitrinePictures;

VitrinePictures vitrine_sink_pictures(GstElement *sink);

enum { VITRINE_RECENT = 256 };

typedef struct {
    int64_t stream_time;  // ns; -1: unknown
    int64_t time;         // when it was on the screen, CLOCK_MONOTONIC ns
} VitrineShown;

// The last pictures that reached the screen, in order: writes at most VITRINE_RECENT of them, and returns how many.
uint32_t vitrine_sink_recent(GstElement *sink, VitrineShown *recent);

// MARK: The gate

// Stands in a stream and lets pass only what is wanted: before the scaler it holds back pictures that are decoded only
// on the way to another (they cost neither scaling nor copying), before an audio decoder it keeps a drag silent, before
// a film's decoder it ends a glance.
// Counted references; each pad it stands at holds one.
typedef struct VitrineGate VitrineGate;

VitrineGate *vitrine_gate_new(void);
void vitrine_gate_unref(VitrineGate *gate);
void vitrine_gate_attach(VitrineGate *gate, GstPad *pad);

// Takes the gate off the pad, and lets no buffer pass there any more.
void vitrine_gate_shut(GstPad *pad);

// Holds back buffers that end at or before `from` (stream time, ns), but for the last of them where the next one begins behind
// `from`, or the stream ends: it stands there, longer than it says. INT64_MIN: none; INT64_MAX: all but the stream's last.
void vitrine_gate_hold_until(VitrineGate *gate, int64_t from);

// Of the segment of this seek event (0: none) what stands at `place` (stream time, ns) passes first, or, `behind`, the first that
// begins later; where there is none, the last.
void vitrine_gate_aim(VitrineGate *gate, uint32_t seqnum, int64_t place, bool behind);

// Before a decoder: gives it all of the film from the key frame on, where the segment of this seek event (0: none) would have it
// clip what ends before its start. The gate behind the decoder holds that back, as with `vitrine_gate_hold_until`.
void vitrine_gate_widen(VitrineGate *gate, uint32_t seqnum);

// Before a decoder: the segment of this seek event (0: none) begins at `place` (stream time, ns) where its demuxer has it begin
// earlier, and again earlier for another stream.
void vitrine_gate_begin(VitrineGate *gate, uint32_t seqnum, int64_t place);

// Before a decoder whose demuxer begins in the middle of a group: from now on no frame passes after a flush before a key frame does.
// A decoder that gets nothing else before the stream's end takes the film for damaged.
void vitrine_gate_await_key_frames(VitrineGate *gate);

// Of each segment that comes from now on only so many buffers pass, then the end of the stream: a decoder gives out at
// once what it has. 0: all.
void vitrine_gate_end_after(VitrineGate *gate, uint32_t buffers);

// Closed, nothing passes at all.
void vitrine_gate_set_closed(VitrineGate *gate, bool closed);

// Where the last picture begins that has come here of the newest segment (stream time, ns), whether or not it was held back;
// INT64_MIN: none. The pass of a loop is a segment: what came of the pass before says nothing of this one.
int64_t vitrine_gate_newest(VitrineGate *gate);

// A flushing seek is about to be sent, whose events have this number: only what comes of it is counted; 0: whatever comes.
void vitrine_gate_expect(VitrineGate *gate, uint32_t seqnum);

// Buffers that have come since the gate was made, once a seek is expected of that seek's own segment alone.
uint64_t vitrine_gate_come(VitrineGate *gate);

// Buffers held back since the gate was made.
uint64_t vitrine_gate_held(VitrineGate *gate);

// How long one picture takes to decode, smoothed over those held back in a row, ns; 0 while unknown.
int64_t vitrine_gate_pace(VitrineGate *gate);

// MARK: The log

// GStreamer's own, in a category "vitrine" (GST_DEBUG=vitrine:5 tells seeks and states, vitrine:6 each picture too), which
// is there once there is a sink or a gate.

// Whether anybody reads level 5.
bool vitrine_is_debugged(void);
// Level 5. Copies `text`.
void vitrine_debug(GstElement *pipeline, const char *text);
