// Parts that Swift cannot express well: a video sink that reports which frame is on the screen, and pad probes. They
// run on GStreamer's streaming threads and use only their own state; the rest of Vitrine calls them through the
// functions below, from any thread. These never block, except for those that say so.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// GStreamer's types by name alone: if their headers were included, this module would own them beside CGStreamer.
typedef struct _GstBuffer GstBuffer;
typedef struct _GstCaps GstCaps;
typedef struct _GstClock GstClock;
typedef struct _GstElement GstElement;
typedef struct _GstPad GstPad;
typedef struct _GstQuery GstQuery;
typedef struct _GstSample GstSample;
typedef struct _GstVideoInfo GstVideoInfo;

// MARK: Caps

// The video info of caps; false if there is none. Caps of device memory, whose format is DRM's ("DMA_DRM", GStreamer
// 1.24), are read as those of system memory: size, shape and colours are the same. GStreamer itself assumes RGB for
// them if they have no colorimetry.
bool vitrine_video_info(GstVideoInfo *info, const GstCaps *caps);

// Answers an allocation query: system memory, and support for frames that say where their lines are. GStreamer 1.22's
// hardware decoders use only their own memory, and fail if no pool is offered.
void vitrine_offer_memory(GstQuery *query);

// MARK: The sink

// Creates a sink. Its class is a subclass, registered at run time, of the class that the factory `base` makes (kmssink;
// fakesink without a display). The subclass
// - keeps every shown device buffer mapped for the buffer's lifetime (kmssink maps and unmaps for each frame, which
//   costs a page fault for every 4 KiB of frame),
// - counts the frames that reached the screen: a frame counts when the base's preroll or render has returned, and
//   kmssink's waits for the plane's flip on atomic drivers,
// - posts an element message "vitrine-frame" (fields: ticket uint, stream-time int64, start int64, duration int64, time
//   int64 in CLOCK_MONOTONIC nanoseconds, running-time int64) for the frame that answers a seek, see
//   vitrine_sink_expect; stream-time is -1 if the stream ended before such a frame, running-time if it is unknown,
// - posts an element message "vitrine-loop-segment" (field: seqnum uint, the segment seek's) when the last frame of a
//   segment seek's segment has been shown.
// Returns a floating reference, or NULL if there is no such factory or it makes no sink.
GstElement *vitrine_sink_new(const char *base, const char *name);

// Announces the next frame that answers a seek or an advance, once, with `ticket` (not 0). A frame answers if its
// segment arrived with `seqnum` (the seek event's; 0: any segment) and it ends after `from` (stream time in ns;
// INT64_MIN: any). A newer expectation replaces an older one.
void vitrine_sink_expect(GstElement *sink, uint32_t ticket, uint32_t seqnum, int64_t from);

// Sets whether a frame that contains a segment's start is reported with its own start instead of the segment's.
void vitrine_sink_report_beginnings(GstElement *sink, bool reports);

// Sets the preroll hold: the sink accepts frames and shows none of them. Call it before the start, or follow it by a
// flush or a release: the sink keeps the last frame.
void vitrine_sink_set_preroll_hold(GstElement *sink, bool holds);

// Ends the preroll hold: the last frame that was held back, if there is one, is shown at once. Waits for the plane's
// flip, so it may block.
void vitrine_sink_release_preroll(GstElement *sink);

// Covers the film: something else is shown on the same plane, and frames are held back and count as shown. Waits for a
// frame that is on its way to the screen. Does nothing during a preroll hold.
void vitrine_sink_cover(GstElement *sink);

// Uncovers the film: the newest frame is shown at once. Waits for the plane's flip.
void vitrine_sink_uncover(GstElement *sink);

// Sets a permanent preroll hold, after waiting for a frame that is on its way to the screen.
void vitrine_sink_retire(GstElement *sink);

// Sets the area of the display in whose middle frames are shown; a plane that scales fills it as far as the aspect
// allows. For kmssink; before it starts.
void vitrine_sink_set_area(GstElement *sink, int32_t x, int32_t y, int32_t width, int32_t height);

// Prepares for a plane that turns frames by a quarter: they arrive with width and height swapped, unscaled, for the
// middle of the area. For a kmssink with such a plane; before it starts.
void vitrine_sink_expect_quarter_turn(GstElement *sink);

// Makes the sink blend a surface into its frames, for displays whose planes do not overlap. Before it starts.
void vitrine_sink_compose(GstElement *sink);

// Blends `pixels` (BGRA, multiplied by alpha, `width` x `height`, rows without gaps) into every frame that is shown
// from now on, at x, y of the frame; NULL blends nothing. Shows the frame on the screen again at once, and waits for
// the plane's flip, so it may block. Returns false if there is no frame yet.
bool vitrine_sink_set_surface(GstElement *sink, GstBuffer *pixels, uint32_t width, uint32_t height, int32_t x, int32_t y);

// Copies the frame on the screen with its surface into memory of its own; NULL if there is none. Only for a sink that
// composes. Slow because it copies.
GstSample *vitrine_sink_copy_frame(GstElement *sink);

typedef struct {
    uint64_t shown;        // frames that reached the screen since the sink was made
    int64_t stream_time;   // the start of the last of them, ns; -1: none yet
    int64_t place;         // the same, or the target of a seek that led behind it, ns
    int64_t film_time;     // the film's position when that frame reached the screen: behind its place if it was late, ns
    int64_t duration;      // of the last of them, ns; -1: unknown
    int64_t time;          // when the last of them was on the screen, CLOCK_MONOTONIC ns
    bool ended;            // the stream is at EOS: no more frames arrive before a seek
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
// Each is attached to one or more pads, and does one thing to the data there. Each has counted references, of which a
// pad holds one. Those at the same pad are called in the order in which they were attached, and one that drops
// something ends the chain.
//
// A film: key frame wait, segment shaper, input count, frame gate, preview limit | decoder | queue | frame gate |
// scaler | sink.
// A sound: segment shaper, input count, valve | decoder.

// MARK: Frame gate

// Holds back frames that are decoded only on the way to the wanted one: before the scaler they cost neither scaling nor
// copying. It drops them, except the last one: that may last until the next frame starts, longer than its duration
// says. It passes if the next frame starts behind the wanted place, or at EOS.
typedef struct VitrineFrameGate VitrineFrameGate;

// A gate behind a decoder undoes the segment shaper before the decoder (`vitrine_segment_shaper_widen`), and holds back
// frames that end before the segment's own start.
VitrineFrameGate *vitrine_frame_gate_new(bool is_behind_decoder);
void vitrine_frame_gate_unref(VitrineFrameGate *gate);
void vitrine_frame_gate_attach(VitrineFrameGate *gate, GstPad *pad);

// Holds back frames that end at or before `from` (stream time, ns). INT64_MIN: none; INT64_MAX: all but the stream's last.
void vitrine_frame_gate_hold_until(VitrineFrameGate *gate, int64_t from);

// In the segment of this seek event (0: none), the frame at `place` (stream time, ns) passes first, or, with `behind`,
// the first one that starts later; if there is none, the last one.
void vitrine_frame_gate_aim(VitrineFrameGate *gate, uint32_t seqnum, int64_t place, bool behind);

// The number of frames held back since the gate was created.
uint64_t vitrine_frame_gate_held(VitrineFrameGate *gate);

// The time to decode one frame, smoothed over those held back in a row, ns; 0: unknown.
int64_t vitrine_frame_gate_decoding_time(VitrineFrameGate *gate);

// MARK: Preview limit

// Before a decoder: ends the stream after some frames of a segment, so that the decoder outputs at once the frames that
// it has.
typedef struct VitrinePreviewLimit VitrinePreviewLimit;

VitrinePreviewLimit *vitrine_preview_limit_new(void);
void vitrine_preview_limit_unref(VitrinePreviewLimit *limit);
void vitrine_preview_limit_attach(VitrinePreviewLimit *limit, GstPad *pad);

// Sets the limit for each segment that arrives from now on. 0: no limit.
void vitrine_preview_limit_set(VitrinePreviewLimit *limit, uint32_t buffers);

// MARK: Segment shaper

// Before a decoder: moves a segment's start, so that the decoder clips the right frames, and sets which ones it skips.
typedef struct VitrineSegmentShaper VitrineSegmentShaper;

VitrineSegmentShaper *vitrine_segment_shaper_new(void);
void vitrine_segment_shaper_unref(VitrineSegmentShaper *shaper);
void vitrine_segment_shaper_attach(VitrineSegmentShaper *shaper, GstPad *pad);

// Keeps the decoder from clipping the frames that end before the start, in the segment of this seek event (0: none). A
// frame gate behind the decoder recognises a widened segment by its offset. With `skips`, libav's decoders skip, until half
// a second before the start, the frames that no other frame refers to: nobody sees them.
void vitrine_segment_shaper_widen(VitrineSegmentShaper *shaper, uint32_t seqnum, bool skips);

// Makes the segment of this seek event (0: none) start at `place` (stream time, ns) if its demuxer starts it earlier,
// and starts it early again for another stream.
void vitrine_segment_shaper_begin_at(VitrineSegmentShaper *shaper, uint32_t seqnum, int64_t place);

// MARK: Input count

// Before a decoder: counts the buffers that arrive, whether or not they pass. Attached before a frame gate at the same
// pad.
typedef struct VitrineInputCount VitrineInputCount;

VitrineInputCount *vitrine_input_count_new(void);
void vitrine_input_count_unref(VitrineInputCount *input);
void vitrine_input_count_attach(VitrineInputCount *input, GstPad *pad);

// Announces a flushing seek with this event number: only buffers that follow it are counted; 0: all.
void vitrine_input_count_expect(VitrineInputCount *input, uint32_t seqnum);

// The number of buffers that have arrived; after an announced seek only those of its own segment.
uint64_t vitrine_input_count_arrived(VitrineInputCount *input);

// For how long the decoder has not returned from the last buffer or event that arrived, from a flush, or from a change
// of its state, ns; -1: it has returned. Any thread, never blocks.
int64_t vitrine_input_count_inside(VitrineInputCount *input);

// Whether the decoder has given out the format of its frames. Any thread, never blocks.
bool vitrine_input_count_has_format(VitrineInputCount *input);

// Whether an element takes a buffer or a serialized event from this sink pad right now, or waits in doing so. Any thread
// but the pad's own, never blocks.
bool vitrine_pad_is_busy(GstPad *pad);

// The start of the latest frame of the newest segment that has arrived (stream time, ns); INT64_MIN: none. Each loop
// segment is a segment of its own.
int64_t vitrine_input_count_newest(VitrineInputCount *input);

// MARK: Valve

// Before an audio decoder: drops buffers, but no events, as GStreamer's `valve` can. A drag then decodes no sound.
typedef struct VitrineValve VitrineValve;

VitrineValve *vitrine_valve_new(void);
void vitrine_valve_unref(VitrineValve *valve);
void vitrine_valve_attach(VitrineValve *valve, GstPad *pad);

void vitrine_valve_set_drop(VitrineValve *valve, bool drops);

// MARK: Pads

// Drops the output of a demuxer that starts in the middle of a group, after a flush until the first key frame. A
// decoder that gets nothing else before EOS considers the film damaged.
void vitrine_pad_await_key_frames(GstPad *pad);

// Removes all probes of this module from the pad, and drops every buffer there from now on.
void vitrine_pad_shut(GstPad *pad);

// MARK: The log

// GStreamer's own, in a category "vitrine" (GST_DEBUG=vitrine:5 logs seeks and states, vitrine:6 each frame too), which
// exists once there is a sink or a frame gate.

// Whether level 5 is logged.
bool vitrine_is_debugged(void);
// Level 5. Copies `text`.
void vitrine_debug(GstElement *pipeline, const char *text);

// MARK: Sound

// The last reading of a clock that follows another one: its own time, the system clock's and the other clock's; ns.
typedef struct {
    uint64_t time, machine, place;
    // The time to which the other clock leads, and the system time then.
    uint64_t target, followed;
    // The lead of the other clock due to jumps that were not followed. It is made up when that clock continues.
    uint64_t ahead;
    bool is_following;
} VitrineClockPace;

// Takes a reading: of the system clock, then of the other one, then of the system clock again, because a thread may be
// suspended between them.
void vitrine_clock_pace_read(VitrineClockPace *pace, uint64_t machine, uint64_t place, uint64_t end);

// Follows another clock, or none, from the last reading on.
void vitrine_clock_pace_follow(VitrineClockPace *pace, bool is_following, uint64_t place);

// A clock that outlives the clock that it follows: a sound card's, which may be removed. Without one it follows the
// system clock; it never jumps. Returns a reference.
GstClock *vitrine_film_clock_new(void);

// Follows `source` from now on, or, with NULL, the system clock. May wait for a card's driver.
void vitrine_film_clock_follow(GstClock *clock, GstClock *source);

// Whether PipeWire receives the sound of the ALSA PCM of that name, according to ALSA's configuration. Reads its files, the first
// time, and loads ALSA's library.
bool vitrine_pcm_is_servers(const char *name);

// Stops the thread of an ALSA sink for ever: the PipeWire server that it plays into has ended.
void vitrine_server_end(GstElement *sink);

// An element in front of an audio sink, with the pads "sink" and "src", that keeps the film going while the sink is
// replaced: its input waits, and an error of the sink is not forwarded. If a sink refuses all formats it posts an
// element message "vitrine-sound-refused". Returns a floating reference.
GstElement *vitrine_sound_socket_new(const char *name);

// Prepares for stopping and unlinking the sink: data on its way into it is kept for the next one, or, if the sink has
// failed, dropped if it is in the sink's format.
void vitrine_sound_socket_unplug(GstElement *socket, bool has_failed);

// Continues with another sink, which is linked and accepts data.
void vitrine_sound_socket_plug(GstElement *socket);

// How long the current call into the sink has taken so far, ns; 0 if there is none.
uint64_t vitrine_sound_socket_waits(GstElement *socket);

// Prepares for another film that continues in the sink: from now on EOS waits a moment before the sink, and an element
// message "vitrine-sound-ends" reports it, with the running time behind the last sample as its int64 "end", and the
// film's time as "place".
void vitrine_sound_socket_set_followed(GstElement *socket, bool is_followed);

// Forwards the waiting EOS.
void vitrine_sound_socket_end(GstElement *socket);

// As `vitrine_sound_socket_unplug`, while EOS waits. Returns false if it does not: the sink must not be removed then.
bool vitrine_sound_socket_give(GstElement *socket);

// Makes the first buffer follow the other film's last data in the sink, without a gap.
void vitrine_sound_socket_go_on(GstElement *socket);

// Whether the buffer's frame is in memory that devices share (a dma-buf, or a card's own). Any thread.
bool vitrine_is_device(GstBuffer *buffer);
