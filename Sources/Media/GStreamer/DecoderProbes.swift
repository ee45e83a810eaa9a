internal import CVideoSink
internal import PlayerCore

// The probes of `CVideoSink` around decoders; `CVideoSink.h` says in which order. Each is a counted reference, of which
// each pad that it is attached to holds another. Any thread: they lock for themselves, and never block. A seek's number
// is that of its event.

/// Holds back frames that are decoded only on the way to the wanted one, except the last one: that may last until the
/// next frame starts.
final class FrameGate: @unchecked Sendable {
    private let raw: OpaquePointer

    /// - Parameter isBehindDecoder: whether it undoes what the segment shaper before the decoder has done.
    init(isBehindDecoder: Bool) { raw = vitrine_frame_gate_new(isBehindDecoder) }

    deinit { vitrine_frame_gate_unref(raw) }

    func attach(to pad: Pad) { vitrine_frame_gate_attach(raw, pad.raw) }

    /// Holds back frames that end at or before `from` (stream time, ns): `.min` none, `.max` all except the last one.
    func hold(until from: Int64) { vitrine_frame_gate_hold_until(raw, from) }

    /// In the segment of a seek, the frame at `place` passes first, or, with `behind`, the first one that starts later;
    /// if there is none, the last one. `nil`: any frame.
    func aim(at place: MediaTime?, behind: Bool, in seqnum: UInt32) {
        vitrine_frame_gate_aim(raw, place == nil ? 0 : seqnum, place?.nanoseconds ?? 0, behind)
    }

    /// The number of frames held back so far.
    var held: UInt64 { vitrine_frame_gate_held(raw) }

    /// The time to decode one frame, ns; 0 if unknown.
    var decodingTime: Int64 { vitrine_frame_gate_decoding_time(raw) }
}

/// Ends the stream after some frames of a segment, so that the decoder outputs at once the frames that it has.
final class PreviewLimit: @unchecked Sendable {
    private let raw: OpaquePointer = vitrine_preview_limit_new()

    deinit { vitrine_preview_limit_unref(raw) }

    func attach(to pad: Pad) { vitrine_preview_limit_attach(raw, pad.raw) }

    /// Sets the limit for each segment that arrives from now on; 0: no limit.
    func set(_ buffers: UInt32) { vitrine_preview_limit_set(raw, buffers) }
}

/// Moves a segment's start, so that the decoder clips the right frames, and sets which ones it skips.
final class SegmentShaper: @unchecked Sendable {
    private let raw: OpaquePointer = vitrine_segment_shaper_new()

    deinit { vitrine_segment_shaper_unref(raw) }

    func attach(to pad: Pad) { vitrine_segment_shaper_attach(raw, pad.raw) }

    /// Keeps the decoder from clipping the frames before the start, in the segment of this seek.
    /// - Parameter skips: whether libav's decoders skip frames there that no other frame refers to.
    func widen(_ seqnum: UInt32?, skips: Bool) { vitrine_segment_shaper_widen(raw, seqnum ?? 0, skips) }

    /// Makes the segment of this seek start at `place` if its demuxer starts it earlier.
    func begin(_ seqnum: UInt32?, at place: MediaTime) {
        vitrine_segment_shaper_begin_at(raw, seqnum ?? 0, place.nanoseconds)
    }
}

/// Counts the buffers that arrive before a decoder, whether or not they pass.
final class InputCount: @unchecked Sendable {
    private let raw: OpaquePointer = vitrine_input_count_new()

    deinit { vitrine_input_count_unref(raw) }

    func attach(to pad: Pad) { vitrine_input_count_attach(raw, pad.raw) }

    /// Counts only buffers that follow this flushing seek; `nil`: all.
    func expect(_ seqnum: UInt32?) { vitrine_input_count_expect(raw, seqnum ?? 0) }

    /// The number of buffers that have arrived; after an announced seek only those of its own segment.
    var arrived: UInt64 { vitrine_input_count_arrived(raw) }

    /// The start of the latest frame of the newest segment that has arrived; each loop segment is a segment.
    var newest: MediaTime? { mediaTime(vitrine_input_count_newest(raw)) }

    /// For how long the decoder has not returned from a buffer, an event, a flush or a change of state, ns; -1: it has.
    var inside: Int64 { vitrine_input_count_inside(raw) }

    /// Whether the decoder has given out the format of its frames.
    var hasFormat: Bool { vitrine_input_count_has_format(raw) }
}

/// Drops buffers before an audio decoder, but no events.
final class Valve: @unchecked Sendable {
    private let raw: OpaquePointer = vitrine_valve_new()

    deinit { vitrine_valve_unref(raw) }

    func attach(to pad: Pad) { vitrine_valve_attach(raw, pad.raw) }

    func setDrop(_ drops: Bool) { vitrine_valve_set_drop(raw, drops) }
}

extension Pad {
    /// Drops the output of a demuxer that starts in the middle of a group, after a flush until the first key frame. A
    /// decoder that gets nothing else before EOS considers the film damaged.
    func awaitKeyFrames() { vitrine_pad_await_key_frames(raw) }

    /// Removes `CVideoSink`'s probes, and drops every buffer from now on.
    func shut() { vitrine_pad_shut(raw) }

    /// Whether an element takes a buffer or a serialized event from this sink pad right now, or waits in doing so. Not for
    /// the pad's own thread.
    var isBusy: Bool { vitrine_pad_is_busy(raw) }
}
