// Bug: where the alpha's stream has ended, `alphacombine` answers the colours' last frame with "end", although the alpha's last
// frame lies ready for it: the film's last frame is missing, now and then. Not reported.
// Versions: 1.26; 1.22 takes no notice of that end.
// May go when test_ten_places_are_sought_exactly of Tests/Rig/test_formats.py passes for alpha.webm without it.

internal import CGStreamer

/// Keeps the end of the alpha's stream from `alphacombine`. The colours' own end comes behind their last frame and is enough.
enum AlphaEnd {
    static func isNeeded(by factory: String) -> Bool { factory == "alphacombine" }

    /// As the element appears, on any thread.
    static func drop(at element: Element) {
        element.pad("alpha")?.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            info.event?.type == GST_EVENT_EOS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
    }
}
