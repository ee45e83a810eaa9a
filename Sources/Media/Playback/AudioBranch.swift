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
    /// `nil` where there is no usable card; why, in `silence`.
    private let sink: UnsafeMutablePointer<GstElement>?
    /// Why the film is silent.
    let silence: String?
    private let volume: Int

    /// - Parameter volume: per cent.
    init(hasSound: Bool, volume: Int) {
        self.volume = volume
        gate = vitrine_gate_new()
        guard hasSound else {
            sink = nil
            silence = nil
            return
        }
        guard let made = gst_element_factory_make("alsasink", "sound") else {
            sink = nil
            silence = "no sound: GStreamer has no alsasink: sudo apt install gstreamer1.0-alsa"
            return
        }
        let alsa = gst_object_ref_sink(made).assumingMemoryBound(to: GstElement.self)
        // READY opens the card: a missing or busy one is known before the film depends on it.
        if gst_element_set_state(alsa, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE {
            gst_element_set_state(alsa, GST_STATE_NULL)
            gst_object_unref(alsa)
            sink = nil
            silence = "no sound: ALSA's default card is missing or busy (aplay -l lists the cards)"
            return
        }
        sink = alsa
        silence = nil
    }

    deinit {
        vitrine_gate_unref(gate)
        release()
        if let sink { gst_object_unref(sink) }
    }

    var isSilent: Bool { sink == nil }

    /// Gives the card back, which another film may have to itself. The pipeline, if the sink is in it, must be in NULL.
    /// Any thread; a second time does nothing.
    func release() {
        if let sink { gst_element_set_state(sink, GST_STATE_NULL) }
    }

    /// Adds the branch to the pipeline and links it. Thread: the streaming thread that found the pad.
    func link(_ pad: UnsafeMutablePointer<GstPad>, in pipeline: UnsafeMutablePointer<GstElement>) throws(MediaFailure) {
        guard let sink else { return }
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
