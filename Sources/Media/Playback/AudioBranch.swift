internal import CGStreamer
internal import CPictureSink
internal import PlayerCore
internal import Synchronization

/// The sound's way to ALSA's default card:
/// `input-selector ! queue ! audioconvert ! audioresample ! scaletempo ! volume ! alsasink`.
///
/// The gate stands before every audio decoder of the pipeline; closed, a drag costs no sound. scaletempo keeps the pitch at
/// other rates than the film's own, and does nothing at that one.
final class AudioBranch: Sendable {
    // GStreamer's gates lock for themselves.
    nonisolated(unsafe) let gate: OpaquePointer
    /// `nil` where no sound is wanted.
    let card: SoundCard?
    private let state: Mutex<State>

    private struct State: Sendable {
        var sound: FilmOutput.Sound
        var wish: TrackWish
        var tracks: [MediaOption] = []
        /// Once there is a track.
        var elements: Elements?

        var number: Int? { wish.choose(among: tracks) ?? tracks.first?.number }
    }

    /// `@unchecked Sendable` because GStreamer's elements lock for themselves.
    private struct Elements: @unchecked Sendable {
        let selector: UnsafeMutablePointer<GstElement>
        let volume: UnsafeMutablePointer<GstElement>
    }

    /// - Parameter wish: which track is heard first.
    init(hasSound: Bool, sound: FilmOutput.Sound, wish: TrackWish) {
        gate = vitrine_gate_new()
        card = hasSound ? SoundCard() : nil
        state = Mutex(State(sound: sound, wish: wish))
    }

    deinit {
        vitrine_gate_unref(gate)
        if let elements = state.withLock({ $0.elements }) {
            for element in [elements.selector, elements.volume] { gst_object_unref(element) }
        }
    }

    /// The track that is heard; `nil` before there is one. Any thread.
    var number: Int? { state.withLock { $0.elements == nil ? nil : $0.number } }

    /// Waits for the card's opening.
    var isSilent: Bool { card?.sink == nil }

    /// Any thread.
    func set(_ sound: FilmOutput.Sound) {
        let elements = state.withLock { state in
            state.sound = sound
            return state.elements
        }
        if let elements { Self.apply(sound, to: elements) }
    }

    private static func apply(_ sound: FilmOutput.Sound, to elements: Elements) {
        // Half is to be half as loud (GST_STREAM_VOLUME_FORMAT_CUBIC).
        let part = sound.volume / 100
        setProperty(elements.volume, "volume", to: part * part * part)
        setProperty(elements.volume, "mute", to: sound.isMuted)
    }

    /// Any thread, also before there are tracks. What was decoded of the track before is heard until a flush.
    func select(_ wish: TrackWish) {
        activate { $0.wish = wish }
    }

    private func activate(_ change: (inout State) -> Void) {
        let (elements, number) = state.withLock { state in
            change(&state)
            return (state.elements, state.number)
        }
        guard let selector = elements?.selector, let number,
            let pad = gst_element_get_static_pad(selector, Self.padName(number))
        else { return }
        setProperty(selector, "active-pad", toObject: pad)
        gst_object_unref(pad)
    }

    private static func padName(_ number: Int) -> String { "sink_\(number - 1)" }

    /// Links one more track; the first one adds the branch to the pipeline. Thread: the streaming thread that found the pad.
    func link(
        _ pad: UnsafeMutablePointer<GstPad>, _ track: MediaOption, in pipeline: UnsafeMutablePointer<GstElement>
    ) throws(MediaFailure) {
        guard let sink = card?.sink else { return }
        let known = state.withLock { $0.elements }
        let elements = if let known { known } else { try add(before: sink, to: pipeline) }
        guard let entry = gst_element_request_pad_simple(elements.selector, Self.padName(track.number)) else {
            throw MediaFailure(unlinked: "no more tracks of sound")
        }
        defer { gst_object_unref(entry) }
        guard gst_pad_link(pad, entry) == GST_PAD_LINK_OK else {
            throw MediaFailure(unlinked: "the sound's pad does not link")
        }
        activate { $0.tracks.append(track) }
    }

    private func add(
        before sink: UnsafeMutablePointer<GstElement>, to pipeline: UnsafeMutablePointer<GstElement>
    ) throws(MediaFailure) -> Elements {
        func make(_ factory: String) throws(MediaFailure) -> UnsafeMutablePointer<GstElement> {
            gst_object_ref_sink(try makeElement(factory)).assumingMemoryBound(to: GstElement.self)
        }
        let elements = Elements(selector: try make("input-selector"), volume: try make("volume"))
        let sound = state.withLock { state in
            state.elements = elements
            return state.sound
        }
        Self.apply(sound, to: elements)
        let chain = [
            elements.selector, try makeElement("queue", name: "sound-queue"), try makeElement("audioconvert"),
            try makeElement("audioresample"), try makeElement("scaletempo"), elements.volume, sink,
        ]
        for element in chain {
            gst_bin_add(pipeline.cast(to: GstBin.self), element)
        }
        for (from, to) in zip(chain, chain.dropFirst()) where gst_element_link(from, to) == 0 {
            throw MediaFailure(unlinked: "the sound's branch does not link")
        }
        startCardAtEnds(of: sink)
        for element in chain.reversed() { gst_element_sync_state_with_parent(element) }
        return elements
    }

    /// Sends a gap to the sink before the end of each loop segment. The sink starts the card once its buffer is full, or with
    /// a gap or the end of the stream, but not with the end of a segment. With less sound than the buffer holds, the card,
    /// whose clock the film plays by, would never start; with none, the pipeline would wait for the sink's preroll.
    private func startCardAtEnds(of sink: UnsafeMutablePointer<GstElement>) {
        guard let entry = gst_element_get_static_pad(sink, "sink") else { return }
        defer { gst_object_unref(entry) }
        gst_pad_add_probe(
            entry, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { pad, info, _ in
                guard let pad, let info, let event = gst_pad_probe_info_get_event(info),
                    event.pointee.type == GST_EVENT_SEGMENT_DONE,
                    let sticky = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
                else { return GST_PAD_PROBE_OK }
                defer { gst_event_unref(sticky) }
                var segment = GstSegment()
                gst_event_copy_segment(sticky, &segment)
                // The segment's start has been played: the sink does not wait for its time.
                if segment.format == GST_FORMAT_TIME { gst_pad_send_event(pad, gst_event_new_gap(segment.start, 0)) }
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }
}
