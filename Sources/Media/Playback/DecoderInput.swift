internal import CVideoSink

/// The probes before the decoders of a film's frames.
///
/// Any thread: each probe locks for itself.
final class FrameInput: Sendable {
    nonisolated(unsafe) let shaper = vitrine_segment_shaper_new()
    nonisolated(unsafe) let count = vitrine_input_count_new()
    /// Drops the demuxer's output before the key frame if the demuxer seeks by the stream's clock; else inactive.
    nonisolated(unsafe) let gate = vitrine_frame_gate_new(false)
    nonisolated(unsafe) let limit = vitrine_preview_limit_new()

    deinit {
        vitrine_segment_shaper_unref(shaper)
        vitrine_input_count_unref(count)
        vitrine_frame_gate_unref(gate)
        vitrine_preview_limit_unref(limit)
    }

    /// - Parameters:
    ///   - pad: a decoder's sink pad.
    ///   - awaitsKeyFrames: whether the demuxer may start in the middle of a group.
    func attach(to pad: Pad, awaitsKeyFrames: Bool) {
        // Probes are called in this order: buffers dropped before the first key frame are not counted, those held by
        // the gate are, and the limit applies to buffers that pass the gate.
        if awaitsKeyFrames { vitrine_pad_await_key_frames(pad.raw) }
        vitrine_segment_shaper_attach(shaper, pad.raw)
        vitrine_input_count_attach(count, pad.raw)
        vitrine_frame_gate_attach(gate, pad.raw)
        vitrine_preview_limit_attach(limit, pad.raw)
    }
}

/// The probes before the decoders of a film's sound.
///
/// Any thread: each probe locks for itself.
final class SoundInput: Sendable {
    nonisolated(unsafe) let shaper = vitrine_segment_shaper_new()
    nonisolated(unsafe) let count = vitrine_input_count_new()
    nonisolated(unsafe) let valve = vitrine_valve_new()

    deinit {
        vitrine_segment_shaper_unref(shaper)
        vitrine_input_count_unref(count)
        vitrine_valve_unref(valve)
    }

    /// - Parameter pad: a decoder's sink pad.
    func attach(to pad: Pad) {
        vitrine_segment_shaper_attach(shaper, pad.raw)
        // Buffers that the valve drops have arrived, too.
        vitrine_input_count_attach(count, pad.raw)
        vitrine_valve_attach(valve, pad.raw)
    }
}
