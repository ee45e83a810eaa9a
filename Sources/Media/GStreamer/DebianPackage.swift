/// Which Debian package brings an element or decodes a kind of stream (T6). From the packages' own file lists in
/// Debian 12 and 13; what is not listed is unknown.
enum DebianPackage {
    static func having(element: String) -> String? {
        switch element {
        case "kmssink", "waylandsink": "gstreamer1.0-plugins-bad"
        case "alsasink": "gstreamer1.0-alsa"
        case "textoverlay", "ximagesink": "gstreamer1.0-x"
        case "uridecodebin", "videoconvertscale", "videoscale", "videoconvert", "audioconvert", "audioresample",
            "appsrc", "appsink", "volume", "videotestsrc", "audiotestsrc":
            "gstreamer1.0-plugins-base"
        case "queue", "capsfilter", "fakesink", "filesrc", "filesink": "libgstreamer1.0-0"
        case "qtdemux", "matroskademux", "pngenc", "jpegenc", "souphttpsrc", "avidemux", "warptv":
            "gstreamer1.0-plugins-good"
        case _ where element.hasPrefix("av"): "gstreamer1.0-libav"
        default: nil
        }
    }

    /// - Parameter detail: GStreamer's installer detail, `…|decoder-video/x-h264, …`, as a missing-plugin message has it.
    static func having(installerDetail detail: String) -> String? {
        let wanted = detail.split(separator: "|").last.map(String.init) ?? detail
        if wanted.hasPrefix("element-") { return having(element: String(wanted.dropFirst("element-".count))) }
        if wanted.hasPrefix("urisource-http") { return "gstreamer1.0-plugins-good" }
        if wanted.hasPrefix("urisource-rtsp") { return "gstreamer1.0-plugins-good" }
        if wanted.hasPrefix("decoder-") {
            for (kinds, package) in decoders where kinds.contains(where: wanted.contains) { return package }
            return "gstreamer1.0-libav"
        }
        return nil
    }

    private static let decoders: [(kinds: [String], package: String)] = [
        (
            ["video/quicktime", "video/x-matroska", "video/webm", "video/x-msvideo", "video/x-flv"],
            "gstreamer1.0-plugins-good"
        ),
        (
            ["video/x-vp8", "video/x-vp9", "audio/x-flac", "audio/mpeg, mpegversion=(int)1"],
            "gstreamer1.0-plugins-good"
        ),
        (["audio/x-opus", "audio/x-vorbis", "video/x-theora", "application/ogg"], "gstreamer1.0-plugins-base"),
        (
            ["video/mpegts", "application/x-hls", "application/dash+xml", "video/x-av1", "video/mpeg, systemstream"],
            "gstreamer1.0-plugins-bad"
        ),
        (["video/x-h264", "video/x-h265", "audio/mpeg", "audio/x-ac3", "video/mpeg"], "gstreamer1.0-libav"),
    ]
}
