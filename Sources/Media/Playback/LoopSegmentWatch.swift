internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Stands before the decoders of all streams. It hears when the last of a loop segment has reached them all, told as a
/// message on the bus with the sequence number of the loop segment; and it has each loop segment begin where the one before ends. (A demuxer
/// counts up to where its last frame begins: the next loop segment would come a frame's length too soon.)
///
/// Its work is done on the streaming threads.
final class LoopSegmentWatch: Sendable {
    static let name = "vitrine-loop-segment-decoding"

    private struct State {
        var streams = 0
        var seqnum: UInt32 = 0
        var arrived = 0
        var length: MediaTime?
    }

    private let state = Mutex(State())

    /// Where loop segments end, from now on; `nil`: unknown.
    func setLength(_ length: MediaTime?) {
        state.withLock { $0.length = length }
    }

    /// Counts one more stream in. Thread: the one that found the pad.
    /// - Parameter pad: one of a decoder's, or, of a stream that needs none, of whatever gives it out.
    func watch(_ pad: Pad, in pipeline: Element) {
        state.withLock { $0.streams += 1 }
        let stream = Stream(watch: self, pipeline: pipeline)
        pad.decoderEntry.probe([GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { _, info in
            if let other = info.event.flatMap({ stream.pass($0) }) { info.event = other }
            return GST_PAD_PROBE_OK
        }
    }

    /// The running time at which a loop segment ends that began at the running time `base` and at `start` in the film. A demuxer may
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

    /// One stream's.
    ///
    /// `@unchecked Sendable` because it is its streaming thread's alone, and a flush's while that waits.
    private final class Stream: @unchecked Sendable {
        let watch: LoopSegmentWatch
        /// The pad is of an element of this bin, which it must not hold.
        unowned let pipeline: Element
        private var segment: GstSegment?
        private var seqnum: UInt32 = 0
        private var isDone = false

        init(watch: LoopSegmentWatch, pipeline: Element) {
            self.watch = watch
            self.pipeline = pipeline
        }

        /// - Returns: what is to pass in the event's place, if anything.
        func pass(_ event: Event) -> Event? {
            switch event.type {
            case GST_EVENT_FLUSH_STOP: (segment, isDone) = (nil, false)
            case GST_EVENT_SEGMENT: return follow(event)
            case GST_EVENT_SEGMENT_DONE:
                // The demuxer of MPEG-PS takes segment seeks, but ends the loop segment by another number than the seek's: it ends as
                // a stream does.
                guard event.seqnum == seqnum else {
                    // A demuxer may end a seek before it has sent any segment.
                    return Event.end(seqnum: seqnum == 0 ? event.seqnum : seqnum)
                }
                isDone = true
                report(seqnum)
            default: break
            }
            return nil
        }

        private func follow(_ event: Event) -> Event? {
            seqnum = event.seqnum
            var next = event.segment
            guard next.format == GST_FORMAT_TIME else { return nil }
            defer { (segment, isDone) = (next, false) }
            guard isDone, let before = segment, let length = watch.length, before.rate > 0,
                let rate = PlaybackRate(factor: before.rate)
            else { return nil }
            // A time that is unknown is the largest.
            let (start, isBeyond) = before.time.addingReportingOverflow(before.offset)
            next.base = guint64(
                LoopSegmentWatch.base(
                    after: UInt64(before.base), from: isBeyond ? .max : UInt64(start), to: length, rate: rate))
            return Event.segment(next, seqnum: seqnum)
        }

        private func report(_ seqnum: UInt32) {
            if watch.arrived(seqnum) { pipeline.post(LoopSegmentWatch.name, seqnum: seqnum) }
        }
    }
}
