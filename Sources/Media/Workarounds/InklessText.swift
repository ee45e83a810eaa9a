// Bug: `textoverlay` never renders again after a text of 1 pixel.
// Versions: GStreamer before 1.24. Fixed by https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/5614
// May go when Debian 12 (1.22) is no longer supported.

extension OverlayText {
    /// Whether a line has ink; else it is not rendered, and `textoverlay` would keep showing the text before it.
    static func hasInk(_ line: String) -> Bool { line.unicodeScalars.contains(where: hasInk) }

    private static func hasInk(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
