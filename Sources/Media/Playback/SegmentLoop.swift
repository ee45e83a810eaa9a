/// The state of a loop without a flush, by GStreamer's segment seeks. For the film's worker.
///
/// A seek with the flag SEGMENT ends without EOS: the demuxer posts SEGMENT_DONE once it has output the last buffer of
/// the loop segment, before that is shown. A seek without a flush puts the next loop segment behind it. It waits for
/// the demuxer's thread, which waits for room in the queues behind it, which a paused film does not make. So the seek
/// is sent when the demuxer's whole output has reached the decoders (`LoopSegmentWatch`).
struct SegmentLoop {
    var isWanted = false
    /// Whether the film's demuxer refuses segment seeks, or stalls in them.
    var isRefused = false
    /// The sequence number of the current segment seek; `nil` if the stream ends with EOS.
    var armed: UInt32?
    /// The loop segments that another one follows already, and whose last frame is still to be shown; in a short film,
    /// several.
    private var continued: [UInt32] = []

    /// Restarts after a flush, which voids the segments under way.
    mutating func restart(_ seqnum: UInt32?) {
        armed = seqnum
        continued = []
    }

    mutating func goOn(with next: UInt32) {
        if let armed { continued.append(armed) }
        armed = next
    }

    /// Notes that the last frame of a loop segment has been shown.
    /// - Returns: whether another one follows it; `nil` if the segment is not this object's.
    mutating func end(_ seqnum: UInt32) -> Bool? {
        if let place = continued.firstIndex(of: seqnum) {
            continued.removeFirst(place + 1)
            return true
        }
        return armed == seqnum ? false : nil
    }
}
