/// The probes before the decoders of a film's frames.
final class FrameInput: Sendable {
    let shaper = SegmentShaper()
    let count = InputCount()
    /// Drops the demuxer's output before the key frame, for `SegmentStartFix`; else inactive.
    let gate = FrameGate(isBehindDecoder: false)
    let limit = PreviewLimit()

    /// - Parameters:
    ///   - pad: a decoder's sink pad.
    ///   - awaitsKeyFrames: whether the demuxer may start in the middle of a group.
    func attach(to pad: Pad, awaitsKeyFrames: Bool) {
        // Probes are called in this order: buffers dropped before the first key frame are not counted, those held by
        // the gate are, and the limit applies to buffers that pass the gate.
        if awaitsKeyFrames { pad.awaitKeyFrames() }
        shaper.attach(to: pad)
        count.attach(to: pad)
        gate.attach(to: pad)
        limit.attach(to: pad)
    }
}

/// The probes before the decoders of a film's sound.
final class SoundInput: Sendable {
    let shaper = SegmentShaper()
    let count = InputCount()
    let valve = Valve()

    /// - Parameter pad: a decoder's sink pad.
    func attach(to pad: Pad) {
        shaper.attach(to: pad)
        // Buffers that the valve drops have arrived, too.
        count.attach(to: pad)
        valve.attach(to: pad)
    }
}
