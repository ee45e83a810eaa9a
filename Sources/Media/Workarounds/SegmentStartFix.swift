// Bug: without an index, `matroskademux` and `avidemux` seek to a frame that is no key frame; `mpegpsdemux` seeks by the stream's
// clock, and not by the frames' times.
// https://gitlab.freedesktop.org/gstreamer/gst-plugins-bad/-/merge_requests/2163 (MPEG-PS; not merged as of August 2026),
// https://bugzilla.gnome.org/show_bug.cgi?id=790696 (Matroska: scans back to a cluster that begins with a key frame; those of
// browsers may not). AVI: not reported.
// Versions: GStreamer 1.22 to 1.28. Matroska has an index of its own making from 1.30 on:
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/10642
// May go, for one demuxer after the other, when the tests "without an index" and disc.vob of Tests/Rig/test_formats.py pass without it;
// with MPEG-PS's also `FrameInput.gate` and Sources/CVideoSink/WorkaroundKeyFrameWait.c.

internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Corrects the start of a demuxer's segments after a seek to a key frame before it, if the demuxer does not know key
/// frames.
///
/// `begin` is for the film's worker; the rest runs on streaming threads.
final class SegmentStartFix: Sendable {
    private struct Request {
        var seqnum: UInt32
        var place: MediaTime
    }

    private let request = Mutex<Request?>(nil)

    /// Whether the demuxer seeks, without an index, to any frame, or to the start of a part of the file.
    static func isNeeded(by factory: String) -> Bool {
        factory == "matroskademux" || factory == "avidemux" || landsAnywhere(factory)
    }

    /// Whether the demuxer seeks by the stream's clock, which runs ahead of the frames: to the middle of a later group.
    static func landsAnywhere(_ factory: String) -> Bool { factory == "mpegpsdemux" }

    /// The most that the clock may run ahead (ISO 13818-1: a second in the decoder's buffer, and B-frames before their
    /// own time).
    static let mostAhead = MediaTime.milliseconds(1500)
    /// The assumed distance between key frames while it is unknown: twice the most that a DVD may have.
    static let usualGroup = MediaTime.milliseconds(1200)

    /// - Parameter seqnum: the seek whose streams start at `place`; `nil` leaves their start.
    func begin(_ seqnum: UInt32?, at place: MediaTime) {
        request.withLock { $0 = seqnum.map { Request(seqnum: $0, place: place) } }
    }

    /// Watches all streams that the demuxer will have. Thread: the one that adds it to the pipeline.
    func watch(_ demuxer: Element) {
        demuxer.connect("pad-added") { [self] values in
            values.pad(1).probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [self] _, info in
                if let event = info.event, event.type == GST_EVENT_SEGMENT, let late = late(event) { info.event = late }
                return GST_PAD_PROBE_OK
            }
        }
    }

    /// The segment that starts there: its running times count from there.
    private func late(_ event: Event) -> Event? {
        let seqnum = event.seqnum
        guard let place = request.withLock({ $0?.seqnum == seqnum ? $0?.place : nil }) else { return nil }
        var segment = event.segment
        guard segment.format == GST_FORMAT_TIME, segment.rate > 0, let time = mediaTime(Int64(clamping: segment.time)),
            place > time
        else { return nil }
        let late = guint64((place - time).nanoseconds)
        guard UInt64(segment.stop) == .max || segment.stop > segment.start + late else { return nil }
        segment.start += late
        segment.time += late
        segment.position = segment.start
        return Event.segment(segment, seqnum: seqnum)
    }
}

extension FrameInput {
    /// Drops what arrives before this key frame, from where a seek's frames are decoded; `nil`: nothing.
    func begin(at keyframe: MediaTime?) { gate.hold(until: keyframe?.nanoseconds ?? .min) }
}
