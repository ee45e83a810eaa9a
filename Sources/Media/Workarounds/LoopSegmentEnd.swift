// Bug: `mpegpsdemux` accepts a segment seek, but ends its segment with another number than the seek's. Not reported.
// Versions: GStreamer 1.22 and 1.26.
// May go when test_a_film_whose_demuxer_knows_segment_seeks_badly_loops of Tests/Rig/test_ends.py passes for short.mpg
// without it.

internal import CGStreamer

extension Event {
    /// For the end of a segment with another number than the stream's: the stream's end, to pass in its place. Else `nil`.
    /// - Parameter seqnum: the stream's number; 0 if the demuxer ends a seek before it has sent any segment.
    func endOfStream(with seqnum: UInt32) -> Event? {
        guard self.seqnum != seqnum else { return nil }
        return Event.end(seqnum: seqnum == 0 ? self.seqnum : seqnum)
    }
}
