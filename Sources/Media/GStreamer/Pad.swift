internal import CGStreamer
internal import PlayerCore

/// A pad of an element.
final class Pad: Object, @unchecked Sendable {
    var raw: UnsafeMutablePointer<GstPad> { object.assumingMemoryBound(to: GstPad.self) }

    var currentCaps: Caps? { Caps(owning: gst_pad_get_current_caps(raw)) }

    /// The current caps, or else the possible ones.
    var caps: Caps? { currentCaps ?? possibleCaps }

    /// The possible caps: a parser sets its caps with its first frame, which may arrive after its pad is added.
    var possibleCaps: Caps? { Caps(owning: gst_pad_query_caps(raw, nil)) }

    var templateCaps: Caps? { Caps(owning: gst_pad_get_pad_template_caps(raw)) }

    var peer: Pad? { Pad(owning: gst_pad_get_peer(raw)) }

    /// The element that the pad belongs to.
    var parent: Element? { Element(owning: gst_pad_get_parent_element(raw)) }

    /// Whether the pad accepts exactly these caps.
    func accepts(_ caps: Caps) -> Bool { gst_pad_query_accept_caps(raw, caps.raw) != 0 }

    var streamID: String? { takeString(gst_pad_get_stream_id(raw)) }

    /// - Returns: whether the pads fit.
    func link(to sink: Pad) -> Bool { gst_pad_link(raw, sink.raw) == GST_PAD_LINK_OK }

    func unlink(from sink: Pad) { gst_pad_unlink(raw, sink.raw) }

    /// Pushes an event out of a source pad, after its sticky events. May wait for downstream elements.
    func push(_ event: Event) { gst_pad_push_event(raw, gst_event_ref(event.raw)) }

    func send(_ event: Event) { gst_pad_send_event(raw, gst_event_ref(event.raw)) }

    /// Passes a buffer to a sink pad.
    func chain(_ buffer: OwnedBuffer) -> GstFlowReturn { gst_pad_chain(raw, buffer.raw) }

    /// The result of the last data that passed the pad.
    var lastFlow: GstFlowReturn { gst_pad_get_last_flow_return(raw) }

    /// The sticky event of a kind.
    func kept(_ type: GstEventType, _ place: UInt32 = 0) -> Event? {
        Event(owning: gst_pad_get_sticky_event(raw, type, place))
    }
}

/// Looks behind ghost pads.
extension Pad {
    /// The pad behind a decoder's ghost pads: uridecodebin's, decodebin's, and the inner element's.
    var innermost: Pad {
        var pad = self
        while g_type_check_instance_is_a(pad.raw.cast(to: GTypeInstance.self), gst_ghost_pad_get_type()) != 0,
            let target = Pad(owning: gst_ghost_pad_get_target(pad.raw.cast(to: GstGhostPad.self)))
        {
            pad = target
        }
        return pad
    }

    /// The sink pad of the decoder behind a ghost pad; for a stream without a decoder the pad that produces it.
    var decoderEntry: Pad {
        let pad = innermost
        guard let element = pad.parent, element.factoryClass.contains("Decoder") else { return pad }
        return element.pad("sink") ?? pad
    }

    /// The caps of what arrives at a sink pad. The pad stores them once its element has handled them.
    var incomingCaps: Caps? { peer?.currentCaps ?? currentCaps }

    /// Whether the frames behind a decoder's ghost pad may consist of fields, and are not marked as such: GStreamer's
    /// elements for the kernel's decoders set no flags on interlaced frames, and 1.26.2 calls them progressive. A
    /// progressive frame among them looks the same.
    var hasUnmarkedFields: Bool {
        decoder?.name.hasPrefix("v4l2") == true && decoderEntry.incomingCaps?.isOfFields == true
    }

    /// The autoplugged decoder behind a ghost pad; if decoders are nested, the outermost. `nil` for a stream without a
    /// decoder.
    var decoder: VideoDecoder? {
        guard let innermost = decoderEntry.parent else { return nil }
        return sequence(first: innermost, next: \.parent).compactMap {
            VideoDecoder($0.factory ?? "", of: $0.factoryClass)
        }.last
    }

    /// The tags on the sink pad of the element behind a decoder's ghost pad, then those on this pad: a decoder forwards
    /// them with its first frame, ssaparse never does.
    var tags: [TagList] { (innermost.parent?.pad("sink")?.keptTags ?? []) + keptTags }

    /// The tags between the demuxer and a decoder's sink pad, the nearest last. A decoder that knows its frames' size
    /// from the stream's header is linked before its parser forwards any tag.
    var tagsOnTheWay: [TagList] {
        var (tags, pad, hops) = (keptTags, self, 0)
        while let before = pad.peer, let element = before.parent, hops < 16 {
            tags = before.keptTags + tags
            // A multiqueue has a sink pad for each of its source pads.
            let name = takeString(gst_object_get_name(before.object.assumingMemoryBound(to: GstObject.self))) ?? ""
            guard name.hasPrefix("src"), let sink = element.pad("sink\(name.dropFirst(3))") else { break }
            (pad, tags, hops) = (sink, sink.keptTags + tags, hops + 1)
        }
        return tags
    }

    private var keptTags: [TagList] {
        sequence(state: UInt32(0)) { place in
            defer { place += 1 }
            return self.kept(GST_EVENT_TAG, place)
        }.compactMap(\.tags)
    }
}

/// The data that a probe sees on a pad; valid while the probe runs.
struct ProbeInfo {
    fileprivate let raw: UnsafeMutablePointer<GstPadProbeInfo>

    private func isOf(_ type: GstPadProbeType) -> Bool { !raw.pointee.type.isDisjoint(with: type) }

    /// The event. A replacement that is set here passes in its place.
    var event: Event? {
        get { isOf(GST_PAD_PROBE_TYPE_EVENT_BOTH) ? gst_pad_probe_info_get_event(raw).map { Event(sharing: $0) } : nil }
        nonmutating set {
            guard let newValue else { return }
            gst_event_unref(gst_pad_probe_info_get_event(raw))
            raw.pointee.data = UnsafeMutableRawPointer(gst_event_ref(newValue.raw))
        }
    }

    var buffer: Buffer? {
        isOf(GST_PAD_PROBE_TYPE_BUFFER) ? gst_pad_probe_info_get_buffer(raw).map { Buffer(raw: $0) } : nil
    }

    /// Answers an allocation query as kmssink would.
    /// - Returns: whether it was such a query.
    func answerMemory() -> Bool {
        guard isOf(GST_PAD_PROBE_TYPE_QUERY_BOTH), let query = raw.pointee.data,
            case .memory(let question)? = DecoderQuestion(query)
        else { return false }
        question.answerAsSink()
        return true
    }

    /// The buffer, or a writable copy in its place if others share it.
    var writableBuffer: Buffer? {
        guard let buffer else { return nil }
        let own = gst_mini_object_make_writable(buffer.raw.cast(to: GstMiniObject.self))
        raw.pointee.data = UnsafeMutableRawPointer(own)
        return self.buffer
    }
}

/// A probe that was added to a pad.
struct Probe {
    let pad: Pad
    fileprivate let number: gulong

    func remove() { gst_pad_remove_probe(pad.raw, number) }
}

/// Probes run on the pad's streaming threads; upstream events and flushes run them on others.
extension Pad {
    /// Adds a probe for the lifetime of the pad, or until it is removed. It must not hold the pad, which holds it.
    @discardableResult
    func probe(
        _ types: GstPadProbeType, _ body: @escaping @Sendable (Pad, ProbeInfo) -> GstPadProbeReturn
    ) -> Probe {
        typealias Body = Context<@Sendable (Pad, ProbeInfo) -> GstPadProbeReturn>
        let number = gst_pad_add_probe(
            raw, types,
            { pad, info, data in
                guard let pad, let info, let data else { return GST_PAD_PROBE_OK }
                return Body.body(of: data)(Pad(sharing: pad), ProbeInfo(raw: info))
            }, Body.retained(body), { Body.release($0) })
        return Probe(pad: self, number: number)
    }

    /// Watches downstream events of one type.
    func watch(_ type: GstEventType, _ body: @escaping @Sendable (Pad, Event) -> Void) {
        probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { pad, info in
            if let event = info.event, event.type == type { body(pad, event) }
            return GST_PAD_PROBE_OK
        }
    }

    func watchBuffers(_ body: @escaping @Sendable (Buffer) -> Void) {
        probe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
            if let buffer = info.buffer { body(buffer) }
            return GST_PAD_PROBE_OK
        }
    }

    /// Blocks the pad. Sticky events (caps, a segment) pass, so that the decoder gets as far as a frame.
    func block() -> Probe {
        let all: GstPadProbeType = [
            GST_PAD_PROBE_TYPE_BLOCK, GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_BUFFER_LIST,
            GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        ]
        return probe(all) { _, info in
            guard let type = info.event?.type, type != GST_EVENT_EOS else { return GST_PAD_PROBE_OK }
            return type.rawValue & GST_EVENT_TYPE_STICKY.rawValue != 0 ? GST_PAD_PROBE_PASS : GST_PAD_PROBE_OK
        }
    }
}

extension GstPadProbeType: @retroactive OptionSet {}
extension GstMapFlags: @retroactive OptionSet {}
extension GstSeekFlags: @retroactive OptionSet {}
extension GstMessageType: @retroactive OptionSet {}
