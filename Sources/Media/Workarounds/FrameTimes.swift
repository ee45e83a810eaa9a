// Bug: libav's decoder of animated GIFs gives each frame the first one's time. Not reported.
// Versions: GStreamer 1.22.0; others were not looked at without this file.
// May go when animated.gif of Tests/Rig/test_formats.py is shown and sought in without it.

internal import CGStreamer
internal import Synchronization

/// Gives the frames of a decoder the times of what they were decoded from, one after the other.
///
/// For decoders that give out one frame for each buffer, in order. Thread: the decoder's streaming thread.
final class FrameTimes: Sendable {
    private struct Times {
        var start: GstClockTime
        var duration: GstClockTime
    }

    /// Of buffers whose frame is still to come; since the last flush.
    private let waiting = Mutex<[Times]>([])

    static func areNeeded(by factory: String) -> Bool { factory == "avdec_gif" }

    /// Watches the decoder's pads.
    static func keep(of decoder: UnsafeMutablePointer<GstElement>) {
        let times = FrameTimes()
        let (down, up) = (GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue)
        for (name, events) in [("sink", down), ("src", up)] {
            guard let pad = gst_element_get_static_pad(decoder, name) else { continue }
            defer { gst_object_unref(pad) }
            gst_pad_add_probe(
                pad, GstPadProbeType(rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | events),
                { pad, info, data in
                    guard let pad, let info, let data else { return GST_PAD_PROBE_OK }
                    let times = Unmanaged<FrameTimes>.fromOpaque(data).takeUnretainedValue()
                    if gst_pad_get_direction(pad) == GST_PAD_SINK {
                        times.note(info)
                    } else if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
                        times.set(info)
                    } else if gst_pad_probe_info_get_event(info).pointee.type == GST_EVENT_QOS {
                        // To the decoder all frames but the first are late, and it would leave them out.
                        return GST_PAD_PROBE_DROP
                    }
                    return GST_PAD_PROBE_OK
                }, Unmanaged.passRetained(times).toOpaque(), { Unmanaged<FrameTimes>.fromOpaque($0!).release() })
        }
    }

    private func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 else {
            return waiting.withLock { $0 = [] }
        }
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
        waiting.withLock { $0.append(Times(start: buffer.pointee.pts, duration: buffer.pointee.duration)) }
    }

    private func set(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let buffer = gst_pad_probe_info_get_buffer(info),
            let times = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
        else { return }
        let own = gst_mini_object_make_writable(
            UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
        info.pointee.data = UnsafeMutableRawPointer(own)
        guard let frame = info.pointee.data?.assumingMemoryBound(to: GstBuffer.self) else { return }
        (frame.pointee.pts, frame.pointee.duration) = (times.start, times.duration)
    }
}
