// Bug: libav's decoder of animated GIFs gives each frame the first one's time. Not reported.
// Versions: GStreamer 1.22.0; others were not looked at without this file.
// May go when animated.gif of Tests/Rig/test_formats.py is shown and sought in without it.

internal import CGStreamer
internal import Synchronization

/// Gives a decoder's frames the times of their input buffers, in order.
///
/// For decoders that output one frame for each buffer, in order. Thread: the decoder's streaming thread.
final class FrameTimes: Sendable {
    private struct Times {
        var start: GstClockTime
        var duration: GstClockTime
    }

    /// The times of buffers whose frame is pending; since the last flush.
    private let waiting = Mutex<[Times]>([])

    static func areNeeded(by factory: String) -> Bool { factory == "avdec_gif" }

    /// Watches the decoder's pads.
    static func keep(of decoder: Element) {
        let times = FrameTimes()
        decoder.pad("sink")?.probe([GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { _, info in
            times.waiting.withLock { waiting in
                if let buffer = info.buffer {
                    waiting.append(Times(start: buffer.start, duration: buffer.duration))
                } else {
                    waiting = []
                }
            }
            return GST_PAD_PROBE_OK
        }
        decoder.pad("src")?.probe([GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM]) { _, info in
            // The decoder sees all frames except the first as late, and would drop them.
            if info.event?.type == GST_EVENT_QOS { return GST_PAD_PROBE_DROP }
            if info.buffer != nil { times.set(info) }
            return GST_PAD_PROBE_OK
        }
    }

    private func set(_ info: ProbeInfo) {
        guard let times = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }), let frame = info.writableBuffer
        else { return }
        (frame.start, frame.duration) = (times.start, times.duration)
    }
}
