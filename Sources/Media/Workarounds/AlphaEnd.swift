// Bug: where the alpha's stream has ended, `alphacombine` answers the colours' last frame with EOS, although the
// alpha's last frame is ready: the film's last frame is missing now and then. Not reported.
// Versions: 1.26; 1.22 ignores that EOS.
// May go when test_ten_places_are_sought_exactly of Tests/Rig/test_formats.py passes for alpha.webm without it.

internal import CGStreamer

/// Keeps the EOS of the alpha's stream from `alphacombine`. The colours' own EOS, behind their last frame, is enough.
enum AlphaEnd {
    static func isNeeded(by factory: String) -> Bool { factory == "alphacombine" }

    /// Installs the probe as the element appears, on any thread.
    static func drop(at element: Element) {
        element.pad("alpha")?.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            info.event?.type == GST_EVENT_EOS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
    }
}
