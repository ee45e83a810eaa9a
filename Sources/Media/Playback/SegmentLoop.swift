/// What a film's worker keeps of a loop without a flush: GStreamer's segment seeks.
///
/// A seek with the flag SEGMENT ends without an end of the stream: the demuxer says SEGMENT_DONE once it has given out the
/// last of the loop segment, before that is seen. A seek without a flush puts the next loop segment behind it. It waits for the demuxer's
/// thread, and that one for room in the queues behind it, which a paused film does not make: so the seek is sent when all
/// that the demuxer gave out has reached the decoders (`LoopSegmentWatch`).
struct SegmentLoop {
    var isWanted = false
    /// The film's demuxer takes no segment seeks, or stalls in them.
    var isRefused = false
    /// The sequence number of the segment seek in force; `nil`: the stream ends with an end.
    var armed: UInt32?
    /// Of those that another pass already follows, and whose last frame is still to be seen; of a brief film, several.
    private var continued: [UInt32] = []

    /// A flush: what was under way is void.
    mutating func restart(_ seqnum: UInt32?) {
        armed = seqnum
        continued = []
    }

    mutating func goOn(with next: UInt32) {
        if let armed { continued.append(armed) }
        armed = next
    }

    /// The last frame of a loop segment has been seen.
    /// - Returns: whether another pass follows it; `nil` where it is none of ours.
    mutating func end(_ seqnum: UInt32) -> Bool? {
        if let place = continued.firstIndex(of: seqnum) {
            continued.removeFirst(place + 1)
            return true
        }
        return armed == seqnum ? false : nil
    }
}
