internal import CGStreamer
internal import PlayerCore
internal import Synchronization

/// Watches the input of all decoders. When the last buffer of a loop segment has reached all of them, it posts a
/// message on the bus with the sequence number of the loop segment. It also makes each loop segment start where the one
/// before ends, because a demuxer counts only up to the start of its last frame, so that the next loop segment would
/// start one frame too early.
///
/// It works on the streaming threads.
final class LoopSegmentWatch: Sendable {
    static let name = "vitrine-loop-segment-decoding"

    private struct State {
        var streams = 0
        var seqnum: UInt32 = 0
        var arrived = 0
        var length: MediaTime?
    }

    private let state = Mutex(State())

    /// Sets the length of loop segments from now on; `nil` if unknown.
    func setLength(_ length: MediaTime?) {
        state.withLock { $0.length = length }
    }

    /// Adds a stream. Thread: the one that found the pad.
    /// - Parameter pad: a decoder's sink pad, or, for a stream without a decoder, the pad that produces it.
    func watch(_ pad: Pad, in pipeline: Element) {
        state.withLock { $0.streams += 1 }
        let stream = Stream(watch: self, pipeline: pipeline)
        pad.decoderEntry.probe([GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { _, info in
            if let other = info.event.flatMap({ stream.pass($0) }) { info.event = other }
            return GST_PAD_PROBE_OK
        }
    }

    /// The running time at which a loop segment ends that started at the running time `base` and at `start` in the
    /// film. A demuxer may report any number of nanoseconds.
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

    /// The state of one stream.
    ///
    /// `@unchecked Sendable` because it belongs to its streaming thread, and to a flush while that thread waits.
    private final class Stream: @unchecked Sendable {
        let watch: LoopSegmentWatch
        /// The pad belongs to an element of this bin, which the stream must not hold.
        unowned let pipeline: Element
        private var segment: GstSegment?
        private var seqnum: UInt32 = 0
        private var isDone = false

        init(watch: LoopSegmentWatch, pipeline: Element) {
            self.watch = watch
            self.pipeline = pipeline
        }

        /// - Returns: the event to pass in place of this one, if any.
        func pass(_ event: Event) -> Event? {
            switch event.type {
            case GST_EVENT_FLUSH_STOP: (segment, isDone) = (nil, false)
            case GST_EVENT_SEGMENT: return follow(event)
            case GST_EVENT_SEGMENT_DONE:
                if let end = event.endOfStream(with: seqnum) { return end }
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
            // An unknown time is the largest value.
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
