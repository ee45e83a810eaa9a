// Bug: libav's demuxers answer a seek with flushes and segments of other sequence numbers. Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_ffmpegdemux_perform_seek).
// May go when animated.gif of Tests/Rig/test_formats.py is sought in without it.

internal import CGStreamer
internal import Synchronization

/// Gives a demuxer's events after a seek the seek's number, so that the frame that answers it is recognised.
///
/// The demuxers send flush and segment while they handle the seek, and a segment at no other time. All source pads of a
/// demuxer share one object. Thread: any.
final class SeekNumber: Sendable {
    /// The number of the last seek; 0 if there was none.
    private let number = Atomic<UInt32>(0)

    static func isNeeded(by factory: String) -> Bool { factory.hasPrefix("avdemux_") }

    /// Watches all source pads that the demuxer will have.
    static func keep(of demuxer: Element) {
        let number = SeekNumber()
        demuxer.connect("pad-added") { values in
            values.pad(1).probe([GST_PAD_PROBE_TYPE_EVENT_BOTH, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { _, info in
                number.note(info)
                return GST_PAD_PROBE_OK
            }
        }
    }

    private func note(_ info: ProbeInfo) {
        guard let event = info.event else { return }
        switch event.type {
        case GST_EVENT_SEEK: number.store(event.seqnum, ordering: .releasing)
        case GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP, GST_EVENT_SEGMENT:
            let wanted = number.load(ordering: .acquiring)
            if wanted != 0, event.seqnum != wanted { info.event = event.numbered(wanted) }
        default: break
        }
    }
}
