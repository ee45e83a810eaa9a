// The C that Swift cannot write well: a video sink that reports which frame is on the screen, and pad probes.
// They run on GStreamer's streaming threads and touch nothing but themselves; the rest of Vitrine talks to them through
// the functions below, which may be called from any thread and never block, except for those that say so.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// GStreamer's types by name alone: with their headers, this module would own them beside CGStreamer's.
typedef struct _GstBuffer GstBuffer;
typedef struct _GstCaps GstCaps;
typedef struct _GstClock GstClock;
typedef struct _GstElement GstElement;
typedef struct _GstPad GstPad;
typedef struct _GstQuery GstQuery;
typedef struct _GstSample GstSample;
typedef struct _GstVideoInfo GstVideoInfo;

// MARK: Caps

// What caps say of frames; false where they do not. Of those in a device's memory, whose format is DRM's ("DMA_DRM", GStreamer
// 1.24), as if they were in the processor's: size, shape and colours are the same. GStreamer itself takes such for RGB where they
// do not say what colours they have.
bool vitrine_video_info(GstVideoInfo *info, const GstCaps *caps);

// Answers an allocation query: memory of the processor's, and that a buffer may say where its lines are. GStreamer 1.22's decoders of a
// device use no memory but their own, and fail where no pool is offered.
void vitrine_offer_memory(GstQuery *query);

// MARK: The sink

// A subclass, made at run time, of the sink that the factory `base` makes (kmssink; fakesink where there is no display).
// It
// - keeps every device buffer it shows mapped while the buffer lives (kmssink maps and unmaps for each frame, which
//   costs a page fault for every 4 KiB of frame),
// - counts the frames that reached the screen: a frame counts when the base's preroll or render has returned, and
//   kmssink's waits for the plane's flip on atomic drivers,
// - posts an element message "vitrine-frame" (fields: ticket uint, stream-time int64, start int64, duration int64,
//   time int64 in CLOCK_MONOTONIC nanoseconds, running-time int64) for the frame that answers a seek, see vitrine_sink_expect;
//   stream-time is -1 where the stream ended before there was one, running-time where it is unknown,
// - posts an element message "vitrine-loop-segment" (field: seqnum uint, the segment seek's) when the last frame of a segment
//   seek's segment has been shown.
// Returns a floating reference, or NULL where there is no such factory or it makes no sink.
GstElement *vitrine_sink_new(const char *base, const char *name);

// Announces the next frame that answers a seek or an advance, once, with `ticket` (not 0).
// A frame answers when the segment it belongs to came with `seqnum` (the seek event's; 0: any segment) and it
// ends after `from` (stream time in ns; INT64_MIN: any). A newer expectation replaces an older one.
void vitrine_sink_expect(GstElement *sink, uint32_t ticket, uint32_t seqnum, int64_t from);

// A frame in whose middle a seek's segment begins is told to be where it begins itself, and not where that does.
void vitrine_sink_report_beginnings(GstElement *sink, bool reports);

// With a preroll hold, it takes frames and shows none of them. Before it starts, or followed by a flush or a release: it keeps the last
// one.
void vitrine_sink_set_preroll_hold(GstElement *sink, bool holds);

// Ends the preroll hold: the frame that was kept from the screen last, if there is one, is shown at once. Waits for the plane's
// flip, so not for a thread that must not wait.
void vitrine_sink_release_preroll(GstElement *sink);

// Something else lies over the film from now on, on the same plane: frames are kept from the screen, and count as shown. A frame
// that is on its way to the screen is waited for. Does nothing to one that has a preroll hold.
void vitrine_sink_cover(GstElement *sink);

// Nothing does any more: the newest frame is shown at once. Waits for the plane's flip.
void vitrine_sink_uncover(GstElement *sink);

// A preroll hold for good; the frame that is on its way to the screen is waited for.
void vitrine_sink_retire(GstElement *sink);

// Frames come into the middle of this area of the display, where the plane scales as large as it has room. For kmssink; before
// it starts.
void vitrine_sink_set_area(GstElement *sink, int32_t x, int32_t y, int32_t width, int32_t height);

// The plane turns frames by a quarter: they come with width and height swapped, unscaled, into the middle of the area. For
// kmssink that has one; before it starts.
void vitrine_sink_expect_quarter_turn(GstElement *sink);

// Lets the sink blend a surface into its frames, for displays whose planes do not lie above each other. Before it starts.
void vitrine_sink_compose(GstElement *sink);

// Blends `pixels` (BGRA, multiplied by alpha, `width` x `height`, rows without gaps) into every frame that is shown
// from now on, at x, y of the frame; NULL blends nothing. Shows the frame on the screen again at once: waits for the
// plane's flip, so not for a thread that must not wait. Returns false where there is no frame yet.
bool vitrine_sink_set_surface(GstElement *sink, GstBuffer *pixels, uint32_t width, uint32_t height, int32_t x, int32_t y);

// The frame on the screen as it is seen, surface and all, in memory of its own; NULL where there is none. Only for a sink
// that composes. Copies: not for a thread that must not wait.
GstSample *vitrine_sink_copy_frame(GstElement *sink);

typedef struct {
    uint64_t shown;        // frames that reached the screen since the sink was made
    int64_t stream_time;   // where the last of them begins, ns; -1: none yet
    int64_t place;         // the same, or where a seek led to behind that, ns
    int64_t film_time;     // where the film was when it came to the screen: behind its place where it came late, ns
    int64_t duration;      // of the last of them, ns; -1: unknown
    int64_t time;          // when the last of them was on the screen, CLOCK_MONOTONIC ns
    bool ended;            // the stream is at its end: no more will come before a seek
    bool is_last;          // no other follows the last of them in the stream, or in the loop segment, or not for long
} VitrineFrames;

VitrineFrames vitrine_sink_frames(GstElement *sink);

enum { VITRINE_RECENT = 256 };

typedef struct {
    int64_t stream_time;  // ns; -1: unknown
    int64_t time;         // when it was on the screen, CLOCK_MONOTONIC ns
} VitrineShown;

// The last frames that reached the screen, in order: writes at most VITRINE_RECENT of them, and returns how many.
uint32_t vitrine_sink_recent(GstElement *sink, VitrineShown *recent);

// MARK: Probes
//
// Each stands at one or more pads, and does one thing to what arrives there. Each has counted references, of which a pad holds
// one. Those at the same pad are called in the order of their attaching, and one that drops something ends the chain.
//
// A film: key frame wait, segment shaper, input count, frame gate, preview limit | decoder | queue | frame gate | scaler | sink.
// A sound: segment shaper, input count, valve | decoder.

// MARK: Frame gate

// Holds back frames that are decoded only on the way to the wanted one: before the scaler they cost neither scaling nor copying.
// What it holds back is gone, except the last frame: that one may stand until the next begins, longer than its duration says. It
// passes if the next one begins behind the wanted place, or if the stream ends.
typedef struct VitrineFrameGate VitrineFrameGate;

// Behind a decoder, a gate takes back what the segment shaper before the decoder has done (`vitrine_segment_shaper_widen`), and
// holds back what ends before the segment's own start.
VitrineFrameGate *vitrine_frame_gate_new(bool is_behind_decoder);
void vitrine_frame_gate_unref(VitrineFrameGate *gate);
void vitrine_frame_gate_attach(VitrineFrameGate *gate, GstPad *pad);

// Holds back frames that end at or before `from` (stream time, ns). INT64_MIN: none; INT64_MAX: all but the stream's last.
void vitrine_frame_gate_hold_until(VitrineFrameGate *gate, int64_t from);

// In the segment of this seek event (0: none), the frame that stands at `place` (stream time, ns) passes first, or, `behind`, the
// first one that begins later; where there is none, the last one.
void vitrine_frame_gate_aim(VitrineFrameGate *gate, uint32_t seqnum, int64_t place, bool behind);

// Frames held back since the gate was made.
uint64_t vitrine_frame_gate_held(VitrineFrameGate *gate);

// How long one frame takes to decode, smoothed over those held back in a row, ns; 0: unknown.
int64_t vitrine_frame_gate_decoding_time(VitrineFrameGate *gate);

// MARK: Preview limit

// Before a decoder: ends the stream after some frames of a segment, so that the decoder gives out at once what it has.
typedef struct VitrinePreviewLimit VitrinePreviewLimit;

VitrinePreviewLimit *vitrine_preview_limit_new(void);
void vitrine_preview_limit_unref(VitrinePreviewLimit *limit);
void vitrine_preview_limit_attach(VitrinePreviewLimit *limit, GstPad *pad);

// For each segment that arrives from now on. 0: no limit.
void vitrine_preview_limit_set(VitrinePreviewLimit *limit, uint32_t buffers);

// MARK: Segment shaper

// Before a decoder: moves a segment's start, so that the decoder clips what it should and nothing else.
typedef struct VitrineSegmentShaper VitrineSegmentShaper;

VitrineSegmentShaper *vitrine_segment_shaper_new(void);
void vitrine_segment_shaper_unref(VitrineSegmentShaper *shaper);
void vitrine_segment_shaper_attach(VitrineSegmentShaper *shaper, GstPad *pad);

// The decoder clips nothing in the segment of this seek event (0: none), where it would leave out the frames that end before the
// start. A frame gate behind the decoder knows by its offset that a segment was widened.
void vitrine_segment_shaper_widen(VitrineSegmentShaper *shaper, uint32_t seqnum);

// The segment of this seek event (0: none) begins at `place` (stream time, ns) where its demuxer has it begin earlier, and once
// more earlier for another stream.
void vitrine_segment_shaper_begin_at(VitrineSegmentShaper *shaper, uint32_t seqnum, int64_t place);

// MARK: Input count

// Before a decoder: counts what arrives there, whether or not it passes. Stands before a frame gate at the same pad.
typedef struct VitrineInputCount VitrineInputCount;

VitrineInputCount *vitrine_input_count_new(void);
void vitrine_input_count_unref(VitrineInputCount *input);
void vitrine_input_count_attach(VitrineInputCount *input, GstPad *pad);

// A flushing seek is about to be sent, whose events have this number: counts only what arrives of it; 0: everything.
void vitrine_input_count_expect(VitrineInputCount *input, uint32_t seqnum);

// Buffers that have arrived, since a seek is expected only those of its own segment.
uint64_t vitrine_input_count_arrived(VitrineInputCount *input);

// The start of the latest frame that has arrived of the newest segment (stream time, ns); INT64_MIN: none. Each loop segment is
// a segment of its own.
int64_t vitrine_input_count_newest(VitrineInputCount *input);

// MARK: Valve

// Before a sound's decoder: drops buffers, and no events, as GStreamer's `valve` may. A drag costs no sound.
typedef struct VitrineValve VitrineValve;

VitrineValve *vitrine_valve_new(void);
void vitrine_valve_unref(VitrineValve *valve);
void vitrine_valve_attach(VitrineValve *valve, GstPad *pad);

void vitrine_valve_set_drop(VitrineValve *valve, bool drops);

// MARK: Pads

// Drops what a demuxer that begins in the middle of a group gives out after a flush before the first key frame. A decoder that gets
// nothing else before the stream's end takes the film for damaged.
void vitrine_pad_await_key_frames(GstPad *pad);

// Takes all probes of this file off the pad, and drops every buffer there from now on.
void vitrine_pad_shut(GstPad *pad);

// MARK: The log

// GStreamer's own, in a category "vitrine" (GST_DEBUG=vitrine:5 tells seeks and states, vitrine:6 each frame too), which
// is there once there is a sink or a frame gate.

// Whether anybody reads level 5.
bool vitrine_is_debugged(void);
// Level 5. Copies `text`.
void vitrine_debug(GstElement *pipeline, const char *text);

// MARK: Sound

// What a clock that follows another one knows of its last reading: its own time, and those of the machine and of the other clock; ns.
typedef struct {
    uint64_t time, machine, place;
    // Where the other clock would have it be, and the machine's time then.
    uint64_t target, followed;
    // By how much the other one is ahead because of jumps that were not followed. Where it goes on, it is caught up with.
    uint64_t ahead;
    bool is_following;
} VitrineClockPace;

// A new reading: of the machine's clock, then of the other one, then of the machine's again, because a thread may be stopped between them.
void vitrine_clock_pace_read(VitrineClockPace *pace, uint64_t machine, uint64_t place, uint64_t end);

// Follows another clock, or none, from the last reading on.
void vitrine_clock_pace_follow(VitrineClockPace *pace, bool is_following, uint64_t place);

// A clock that runs on whatever becomes of the clock it follows: a sound card's, which may go away. Without one to follow it is the
// machine's; it never jumps. Returns a reference.
GstClock *vitrine_film_clock_new(void);

// Follows `source` from now on, or, with NULL, the machine's clock. May wait for a card's driver.
void vitrine_film_clock_follow(GstClock *clock, GstClock *source);

// An element before a sink of sound, with the pads "sink" and "src", that keeps the film going while the sink is replaced: what it is
// given waits, and an error of the sink is not handed on. Of a sink that refuses all formats it posts an element message
// "vitrine-sound-refused". Returns a floating reference.
GstElement *vitrine_sound_socket_new(const char *name);

// The sink is about to be stopped and unlinked: what is on its way into it is kept for the next one, or, where it has failed, dropped if
// it is in the format that the sink had.
void vitrine_sound_socket_unplug(GstElement *socket, bool has_failed);

// Another sink is linked, and takes data.
void vitrine_sound_socket_plug(GstElement *socket);

// Another film may go on in the sink: from now on the end of the sound waits a moment before it, and an element message
// "vitrine-sound-ends" says so, with the running time behind the last sample as its int64 "end", and the
// film's time as "place".
void vitrine_sound_socket_set_followed(GstElement *socket, bool is_followed);

// The end that waits goes on.
void vitrine_sound_socket_end(GstElement *socket);

// As `vitrine_sound_socket_unplug`, while the end waits. Returns false where it does not: the sink is not to be taken away then.
bool vitrine_sound_socket_give(GstElement *socket);

// The first buffer follows what the sink was given by another film, without a gap.
void vitrine_sound_socket_go_on(GstElement *socket);

// Whether the buffer's frame lies in memory that devices share (a dma-buf, or a card's own). Any thread.
bool vitrine_is_device(GstBuffer *buffer);
