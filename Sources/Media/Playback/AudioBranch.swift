internal import CGStreamer
internal import CPictureSink
internal import PlayerCore

/// The sound's way to ALSA's default card: `queue ! audioconvert ! audioresample ! alsasink`, a `volume` before the last
/// where it is not the film's own.
///
/// The gate stands before every audio decoder of the pipeline; closed, a drag costs no sound.
///
/// `@unchecked Sendable` because all fields are constants and everything they point to locks for itself.
final class AudioBranch: @unchecked Sendable {
    let gate: OpaquePointer
    /// `nil` where no sound is wanted.
    let card: SoundCard?
    private let volume: Int

    /// - Parameter volume: per cent.
    init(hasSound: Bool, volume: Int) {
        self.volume = volume
        gate = vitrine_gate_new()
        card = hasSound ? SoundCard() : nil
    }

    deinit { vitrine_gate_unref(gate) }

    /// Waits for the card's opening.
    var isSilent: Bool { card?.sink == nil }

    /// Adds the branch to the pipeline and links it. Thread: the streaming thread that found the pad.
    func link(_ pad: UnsafeMutablePointer<GstPad>, in pipeline: UnsafeMutablePointer<GstElement>) throws(MediaFailure) {
        guard let sink = card?.sink else { return }
        var chain = [
            try makeElement("queue", name: "sound-queue"), try makeElement("audioconvert"),
            try makeElement("audioresample"),
        ]
        if volume != 100 {
            let element = try makeElement("volume")
            // Half is to be half as loud (GST_STREAM_VOLUME_FORMAT_CUBIC).
            let part = Double(volume) / 100
            setProperty(element, "volume", to: part * part * part)
            chain.append(element)
        }
        chain.append(sink)
        for element in chain {
            gst_bin_add(pipeline.cast(to: GstBin.self), element)
        }
        for (from, to) in zip(chain, chain.dropFirst()) where gst_element_link(from, to) == 0 {
            throw MediaFailure(
                reason: .cannotBuild, message: "Unable to build pipeline: the sound's branch does not link")
        }
        for element in chain.reversed() { gst_element_sync_state_with_parent(element) }
        let entry = gst_element_get_static_pad(chain[0], "sink")
        defer { gst_object_unref(entry) }
        guard gst_pad_link(pad, entry) == GST_PAD_LINK_OK else {
            throw MediaFailure(reason: .cannotBuild, message: "Unable to build pipeline: the sound's pad does not link")
        }
    }
}
