// Bug: with each bit rate in a tag, `uridecodebin` resizes its queue to two seconds, perhaps just after
// `FilmSource.setReadAhead`; not if `buffer-size` is set (`configure_stream_buffering`). Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it.
// May go when Tests/Rig/test_read_ahead.py passes without it.

extension FilmSource {
    /// Sets `buffer-size` to the queue's default, also without read-ahead. As an element appears, on any thread.
    static func keepReadAhead(of element: Element, in bin: Element) {
        guard bin.has("buffer-size"), element.factory == "queue2" else { return }
        bin.set("buffer-size", to: element.integer("max-size-bytes"))
    }
}
