// Bug: `jpegparse` has no rank, so that it is never autoplugged.
// https://gitlab.freedesktop.org/gstreamer/gstreamer/-/issues/1775
// Versions: GStreamer before 1.24. Fixed by https://gitlab.freedesktop.org/gstreamer/gstreamer/-/merge_requests/3983
// May go, and `ProcessTuning.rankJPEGParser` with it, when Debian 12 (1.22) is no longer supported.

internal import CGStreamer

/// Makes decodebin plug `jpegparse`, the only element that reads a photograph's orientation from its Exif.
enum UnrankedJPEGParser {
    /// Raises the rank in GStreamer's registry for the whole process: see `ProcessTuning`. GStreamer must have been
    /// started.
    static func raise() {
        withParser { parser in
            // Above the decoders.
            if isUnranked(parser) { gst_plugin_feature_set_rank(parser, guint(GST_RANK_PRIMARY.rawValue) + 1) }
        }
    }

    /// Whether decodebin would not plug the parser. GStreamer must have been started.
    static var isThere: Bool { withParser(isUnranked) ?? false }

    private static func isUnranked(_ parser: OpaquePointer) -> Bool {
        gst_plugin_feature_get_rank(parser) == guint(GST_RANK_NONE.rawValue)
    }

    @discardableResult
    private static func withParser<Result>(_ call: (OpaquePointer) -> Result) -> Result? {
        let feature = gst_registry_lookup_feature(gst_registry_get(), "jpegparse")
        guard let parser = Object(owning: feature.map { UnsafeMutableRawPointer($0) }) else { return nil }
        return withExtendedLifetime(parser) { call(OpaquePointer(parser.object)) }
    }
}
