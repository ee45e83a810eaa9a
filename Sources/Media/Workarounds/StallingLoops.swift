// Bug: after a segment seek without a flush `flvdemux` gives nothing out. `tsdemux` refuses segment seeks behind their flush, and
// gives nothing out from then on (1.22), or ends the loop segment by another number than the seek's, with wrong times behind it (1.26).
// Not reported; segment seeks came to `tsdemux` with https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/6023
// Versions: GStreamer 1.22 and 1.26.
// May go when test_a_film_whose_demuxer_knows_segment_seeks_badly_loops of Tests/Rig/test_ends.py passes without it.

extension SegmentLoop {
    /// Whether a demuxer is not to be asked for segment seeks: its films are rewound by a flush.
    static func stalls(_ demuxer: String) -> Bool { ["flvdemux", "tsdemux"].contains(demuxer) }
}
