// Bug: libav's demuxers answer a seek with flushes and segments of other sequence numbers. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_ffmpegdemux_perform_seek).
// May go when animated.gif of Tests/Rig/test_formats.py is sought in without it.

internal import CGStreamer
internal import Synchronization

/// Gives what a demuxer sends after a seek the seek's number: else nobody would know the frame that answers.
///
/// They send flush and segment while they handle the seek, and a segment at no other time. Each source pad of a demuxer has the same
/// object. Thread: any.
final class SeekNumber: Sendable {
    /// Of the last seek; 0: there was none.
    private let number = Atomic<guint32>(0)

    static func isNeeded(by factory: String) -> Bool { factory.hasPrefix("avdemux_") }

    /// Watches all source pads that the demuxer will have.
    static func keep(of demuxer: UnsafeMutablePointer<GstElement>) {
        let added: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = { _, pad, data in
            guard let pad, let data else { return }
            Unmanaged<SeekNumber>.fromOpaque(data).takeUnretainedValue().watch(pad)
        }
        g_signal_connect_data(
            demuxer, "pad-added", unsafeBitCast(added, to: GCallback.self),
            Unmanaged.passRetained(SeekNumber()).toOpaque(),
            { data, _ in Unmanaged<SeekNumber>.fromOpaque(data!).release() }, .init(rawValue: 0))
    }

    private func watch(_ pad: UnsafeMutablePointer<GstPad>) {
        gst_pad_add_probe(
            pad,
            GstPadProbeType(
                rawValue: GST_PAD_PROBE_TYPE_EVENT_BOTH.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue),
            { _, info, data in
                if let info, let data {
                    Unmanaged<SeekNumber>.fromOpaque(data).takeUnretainedValue().note(info)
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<SeekNumber>.fromOpaque($0!).release() })
    }

    private func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let event = gst_pad_probe_info_get_event(info) else { return }
        switch event.pointee.type {
        case GST_EVENT_SEEK: number.store(gst_event_get_seqnum(event), ordering: .releasing)
        case GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT:
            let wanted = number.load(ordering: .acquiring)
            guard wanted != 0, gst_event_get_seqnum(event) != wanted else { return }
            let own = gst_mini_object_make_writable(
                UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
            info.pointee.data = UnsafeMutableRawPointer(own)
            gst_event_set_seqnum(info.pointee.data?.assumingMemoryBound(to: GstEvent.self), wanted)
        default: break
        }
    }
}
