// Bug: with each bit rate that a tag tells, `uridecodebin` sizes its queue anew to two seconds, perhaps just behind
// `FilmPipeline.setReadAhead`; not where `buffer-size` is set (`configure_stream_buffering`). Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it.
// May go when Tests/Rig/test_read_ahead.py passes without it.

internal import CGStreamer

extension FilmPipeline {
    /// Sets `buffer-size` to what the queue has anyway, also where nobody reads ahead. As an element appears, on any thread.
    static func keepReadAhead(of element: UnsafeMutablePointer<GstElement>, in bin: UnsafeMutableRawPointer) {
        guard let factory = gst_element_get_factory(element), hasProperty(bin, "buffer-size"),
            takeString(gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))) == "queue2"
        else { return }
        setProperty(bin, "buffer-size", to: integerProperty(element, "max-size-bytes"))
    }
}
