// Bug: after a segment seek without a flush `flvdemux` outputs nothing. `tsdemux` refuses segment seeks after their
// flush, and outputs nothing from then on (1.22), or ends the loop segment with another number than the seek's,
// followed by wrong times (1.26). Not reported; `tsdemux` got segment seeks with
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/6023
// Versions: GStreamer 1.22 and 1.26.
// May go when test_a_film_whose_demuxer_knows_segment_seeks_badly_loops of Tests/Rig/test_ends.py passes without it.

extension SegmentLoop {
    /// Whether a demuxer must not be sent segment seeks: its films are rewound by a flush.
    static func stalls(_ demuxer: String) -> Bool { ["flvdemux", "tsdemux"].contains(demuxer) }
}
