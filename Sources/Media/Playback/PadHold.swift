internal import CGStreamer
internal import Synchronization

/// The pads of a film that is made ready while another one plays. What comes of them waits, before it can reach the sound card
/// that the other one has; by then the decoders have made their first sound.
final class PadHold: Sendable {
    /// `@unchecked Sendable` because pads lock for themselves.
    private struct Held: @unchecked Sendable {
        /// A reference of its own.
        let pad: UnsafeMutablePointer<GstPad>
        let probe: gulong
    }

    /// `nil`: nothing is held.
    private let held: Mutex<[Held]?>

    init(isHolding: Bool) {
        held = Mutex(isHolding ? [] : nil)
    }

    deinit { letGo(held.withLock { $0 } ?? []) }

    var isHolding: Bool { held.withLock { $0 != nil } }

    /// Thread: the streaming thread that found the pad, before anything comes of it.
    /// - Returns: whether the pad waits.
    func take(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        // As a number: a mutex lets no pointer in that somebody outside still has.
        let place = UInt(bitPattern: pad)
        return held.withLock { held in
            guard held != nil, let pad = UnsafeMutablePointer<GstPad>(bitPattern: place) else { return false }
            let one = Held(
                pad: gst_object_ref(pad).assumingMemoryBound(to: GstPad.self),
                probe: gst_pad_add_probe(pad, Self.all, Self.wait, nil, nil))
            held?.append(one)
            return true
        }
    }

    /// A pad is gone.
    func forget(_ pad: UnsafeMutablePointer<GstPad>) {
        let place = UInt(bitPattern: pad)
        let gone = held.withLock { held -> Held? in
            guard let index = held?.firstIndex(where: { UInt(bitPattern: $0.pad) == place }) else { return nil }
            return held?.remove(at: index)
        }
        if let gone { letGo([gone]) }
    }

    /// Nothing is held any more: each pad is linked, and then, once all of them are, things flow. A pipeline is ready when all
    /// the sinks that it has are.
    func release(_ link: (UnsafeMutablePointer<GstPad>) -> Void, whenLinked: () -> Void) {
        let released = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for one in released { link(one.pad) }
        whenLinked()
        letGo(released)
    }

    private func letGo(_ pads: [Held]) {
        for one in pads {
            gst_pad_remove_probe(one.pad, one.probe)
            gst_object_unref(one.pad)
        }
    }

    private static let all = GstPadProbeType(
        rawValue: GST_PAD_PROBE_TYPE_BLOCK.rawValue | GST_PAD_PROBE_TYPE_BUFFER.rawValue
            | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)

    /// What a pad keeps for whatever it will be linked to (caps, a segment) passes, so that the decoder gets as far as a picture.
    private static let wait: GstPadProbeCallback = { _, info, _ in
        guard let info, info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue != 0,
            let event = gst_pad_probe_info_get_event(info), event.pointee.type != GST_EVENT_EOS
        else { return GST_PAD_PROBE_OK }
        let isKept = event.pointee.type.rawValue & GST_EVENT_TYPE_STICKY.rawValue != 0
        return isKept ? GST_PAD_PROBE_PASS : GST_PAD_PROBE_OK
    }
}
