/// The Debian package that contains an element or decodes a kind of stream, from the file lists of Debian 12 and 13.
/// Anything else is unknown.
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
        case "qtdemux", "matroskademux", "pngenc", "jpegenc", "souphttpsrc", "avidemux", "warptv", "deinterlace":
            "gstreamer1.0-plugins-good"
        case _ where element.hasPrefix("av"): "gstreamer1.0-libav"
        default: nil
        }
    }

    /// - Parameter detail: GStreamer's installer detail, `…|decoder-video/x-h264, …`, from a missing-plugin message.
    static func having(installerDetail detail: String) -> String? {
        let wanted = detail.split(separator: "|").last.map(String.init) ?? detail
        if wanted.hasPrefix("element-") { return having(element: String(wanted.dropFirst("element-".count))) }
        if wanted.hasPrefix("urisource-http") { return "gstreamer1.0-plugins-good" }
        if wanted.hasPrefix("urisource-rtsp") { return "gstreamer1.0-plugins-good" }
        if wanted.hasPrefix("decoder-") {
            return decoders.first { $0.kinds.contains(where: wanted.contains) }?.package
        }
        return nil
    }

    /// The first match counts; demuxers and parsers are "decoders" here, too.
    private static let decoders: [(kinds: [String], package: String)] = [
        (
            [
                "video/quicktime", "audio/x-m4a", "application/x-3gp", "video/x-matroska", "audio/x-matroska",
                "video/webm", "audio/webm", "video/x-msvideo", "video/x-flv", "audio/x-wav", "audio/x-rf64",
                "application/x-id3",
                "video/x-vp8", "video/x-vp9", "video/x-dv", "image/jpeg", "image/png", "audio/x-flac", "audio/x-speex",
                "audio/x-wavpack", "audio/mpeg, mpegversion=(int)1",
            ], "gstreamer1.0-plugins-good"
        ),
        (
            [
                "audio/x-opus", "audio/x-vorbis", "video/x-theora", "application/ogg", "audio/ogg", "video/ogg",
                "application/x-subtitle", "application/x-ssa", "application/x-ass",
            ], "gstreamer1.0-plugins-base"
        ),
        (
            [
                "video/mpegts", "application/x-hls", "application/dash+xml", "video/x-av1", "video/mpeg, systemstream",
                "application/mxf", "application/x-teletext", "subpicture/", "image/webp", "image/x-j2c", "image/jp2",
                "audio/x-aiff", "audio/x-musepack", "audio/x-sbc",
            ], "gstreamer1.0-plugins-bad"
        ),
        (["video/x-ms-asf", "application/vnd.rn-realmedia"], "gstreamer1.0-plugins-ugly"),
        (
            [
                "video/x-h263", "video/x-h264", "video/x-h265", "video/mpeg", "video/x-wmv", "video/x-divx",
                "video/x-msmpeg", "video/x-flash-video", "video/x-svq", "video/x-prores", "video/x-dnxhd",
                "video/x-cinepak",
                "video/x-indeo", "audio/mpeg", "audio/x-ac3", "audio/ac3", "audio/x-eac3", "audio/x-dts",
                "audio/x-true-hd", "audio/x-alac", "audio/x-wma", "audio/x-adpcm", "audio/AMR", "audio/x-tta",
            ], "gstreamer1.0-libav"
        ),
    ]
}
