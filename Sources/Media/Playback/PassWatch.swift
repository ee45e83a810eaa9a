internal import CGStreamer
internal import CPictureSink
internal import PlayerCore
internal import Synchronization

/// Stands before the decoders of all streams. It hears when the last of a pass of a loop has reached them all, told as a
/// message on the bus with the sequence number of the pass; and it has each pass begin where the one before ends. (A demuxer
/// counts up to where its last picture begins: the next pass would come a picture's length too soon.)
///
/// Its work is done on the streaming threads.
final class PassWatch: Sendable {
    static let name = "vitrine-pass-decoding"

    private struct State {
        var streams = 0
        var seqnum: UInt32 = 0
        var arrived = 0
        var length: MediaTime?
    }

    private let state = Mutex(State())

    /// Where passes end, from now on; `nil`: unknown.
    func setLength(_ length: MediaTime?) {
        state.withLock { $0.length = length }
    }

    /// Counts one more stream in. Thread: the one that found the pad.
    /// - Parameter pad: one of a decoder's, or, of a stream that needs none, of whatever gives it out.
    func watch(_ pad: UnsafeMutablePointer<GstPad>, in pipeline: UnsafeMutablePointer<GstElement>) {
        state.withLock { $0.streams += 1 }
        let entry = decoderEntry(of: pad)
        defer { gst_object_unref(entry) }
        let probe = Probe(watch: self, pipeline: pipeline)
        let events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
        gst_pad_add_probe(
            entry, GstPadProbeType(rawValue: events),
            { _, info, data in
                guard let data, let info, let event = gst_pad_probe_info_get_event(info) else {
                    return GST_PAD_PROBE_OK
                }
                let probe = Unmanaged<Probe>.fromOpaque(data).takeUnretainedValue()
                if let other = probe.pass(event) {
                    gst_event_unref(event)
                    info.pointee.data = UnsafeMutableRawPointer(other)
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(probe).toOpaque(), { Unmanaged<Probe>.fromOpaque($0!).release() })
    }

    /// The running time at which a pass ends that began at the running time `base` and at `start` in the film. A demuxer may
    /// tell any number of nanoseconds.
    static func base(after base: UInt64, from start: UInt64, to end: MediaTime, rate: PlaybackRate) -> UInt64 {
        let rest = max(end.nanoseconds - Int64(clamping: start), 0)
        let length = rate.clockTime(for: MediaTime(nanoseconds: rest)) ?? .zero
        let (next, isBeyond) = base.addingReportingOverflow(UInt64(length.inNanoseconds))
        return isBeyond ? base : next
    }

    private var length: MediaTime? { state.withLock { $0.length } }

    private func arrived(_ seqnum: UInt32) -> Bool {
        state.withLock { state in
            state.arrived = state.seqnum == seqnum ? state.arrived + 1 : 1
            state.seqnum = seqnum
            return state.arrived == state.streams
        }
    }

    /// One stream's: its streaming thread's alone.
    private final class Probe {
        let watch: PassWatch
        /// Borrowed: the pad is of an element of this bin.
        let pipeline: UnsafeMutablePointer<GstElement>
        private var segment: GstSegment?
        private var seqnum: UInt32 = 0
        private var isDone = false

        init(watch: PassWatch, pipeline: UnsafeMutablePointer<GstElement>) {
            self.watch = watch
            self.pipeline = pipeline
        }

        /// - Returns: what is to pass in the event's place, if anything.
        func pass(_ event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstEvent>? {
            switch event.pointee.type {
            case GST_EVENT_FLUSH_STOP: (segment, isDone) = (nil, false)
            case GST_EVENT_SEGMENT: return follow(event)
            case GST_EVENT_SEGMENT_DONE:
                // The demuxer of MPEG-PS takes segment seeks, but ends the pass by another number than the seek's: it ends as
                // a stream does.
                guard gst_event_get_seqnum(event) == seqnum else { return end(event) }
                isDone = true
                tell(seqnum)
            default: break
            }
            return nil
        }

        private func follow(_ event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstEvent>? {
            seqnum = gst_event_get_seqnum(event)
            var next = GstSegment()
            gst_event_copy_segment(event, &next)
            guard next.format == GST_FORMAT_TIME else { return nil }
            defer { (segment, isDone) = (next, false) }
            guard isDone, let before = segment, let length = watch.length, before.rate > 0,
                let rate = PlaybackRate(factor: before.rate)
            else { return nil }
            // A time that is unknown is the largest.
            let (start, isBeyond) = before.time.addingReportingOverflow(before.offset)
            next.base = guint64(
                PassWatch.base(
                    after: UInt64(before.base), from: isBeyond ? .max : UInt64(start), to: length, rate: rate))
            let other = gst_event_new_segment(&next)
            gst_event_set_seqnum(other, gst_event_get_seqnum(event))
            return other
        }

        /// - Parameter event: what came in its place; a demuxer may end a seek before it has sent any segment.
        private func end(_ event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstEvent>? {
            let end = gst_event_new_eos()
            gst_event_set_seqnum(end, seqnum == 0 ? gst_event_get_seqnum(event) : seqnum)
            return end
        }

        private func tell(_ seqnum: UInt32) {
            guard watch.arrived(seqnum) else { return }
            let message = gst_message_new_application(
                pipeline.cast(to: GstObject.self), gst_structure_new_empty(PassWatch.name))
            gst_message_set_seqnum(message, seqnum)
            gst_element_post_message(pipeline, message)
        }
    }
}
