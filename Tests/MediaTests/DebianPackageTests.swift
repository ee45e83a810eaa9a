import Testing

@testable import Media

@Suite("Missing plugins: the Debian package to install (T6)")
struct DebianPackageTests {
    /// Installer details in the form of GStreamer 1.22.
    @Test(
        "of what a missing-plugin message asks for",
        arguments: [
            ("H.264 decoder|decoder-video/x-h264", "gstreamer1.0-libav"),
            ("H.265 decoder|decoder-video/x-h265", "gstreamer1.0-libav"),
            ("MPEG-4 AAC decoder|decoder-audio/mpeg, mpegversion=(int)4", "gstreamer1.0-libav"),
            ("AC-3 (ATSC A/52) decoder|decoder-audio/x-ac3", "gstreamer1.0-libav"),
            (
                "MPEG-2 Video decoder|decoder-video/mpeg, mpegversion=(int)2, systemstream=(boolean)false",
                "gstreamer1.0-libav"
            ),
            (
                "MPEG-1 Layer 3 (MP3) decoder|decoder-audio/mpeg, mpegversion=(int)1, layer=(int)3",
                "gstreamer1.0-plugins-good"
            ),
            ("VP9 decoder|decoder-video/x-vp9", "gstreamer1.0-plugins-good"),
            ("Quicktime demuxer|decoder-video/quicktime", "gstreamer1.0-plugins-good"),
            ("Audio Video Interleave (AVI) demuxer|decoder-video/x-msvideo", "gstreamer1.0-plugins-good"),
            ("Opus decoder|decoder-audio/x-opus", "gstreamer1.0-plugins-base"),
            ("Ogg demuxer|decoder-application/ogg", "gstreamer1.0-plugins-base"),
            ("AV1 decoder|decoder-video/x-av1", "gstreamer1.0-plugins-bad"),
            (
                "MPEG-2 Transport Stream demuxer|decoder-video/mpegts, systemstream=(boolean)true",
                "gstreamer1.0-plugins-bad"
            ),
            (
                "MPEG-2 System Stream demuxer|decoder-video/mpeg, systemstream=(boolean)true, mpegversion=(int)2",
                "gstreamer1.0-plugins-bad"
            ),
            ("application/x-hls decoder|decoder-application/x-hls", "gstreamer1.0-plugins-bad"),
            ("Wave demuxer|decoder-audio/x-wav", "gstreamer1.0-plugins-good"),
            ("Advanced Streaming Format (ASF) demuxer|decoder-video/x-ms-asf", "gstreamer1.0-plugins-ugly"),
            ("DTS decoder|decoder-audio/x-dts", "gstreamer1.0-libav"),
            ("Teletext decoder|decoder-application/x-teletext", "gstreamer1.0-plugins-bad"),
            ("HTTPS protocol source|urisource-https", "gstreamer1.0-plugins-good"),
            ("Real Time Streaming Protocol (RTSP) source|urisource-rtsp", "gstreamer1.0-plugins-good"),
            ("GStreamer element kmssink|element-kmssink", "gstreamer1.0-plugins-bad"),
        ])
    func installerDetail(detail: String, package: String) {
        #expect(DebianPackage.having(installerDetail: "gstreamer|1.0|vitrine|\(detail)") == package)
    }

    @Test("of the elements that Vitrine makes itself")
    func elements() {
        for element in ["uridecodebin", "videoconvertscale", "audioconvert", "audioresample", "appsrc"] {
            #expect(DebianPackage.having(element: element) == "gstreamer1.0-plugins-base")
        }
        #expect(DebianPackage.having(element: "kmssink") == "gstreamer1.0-plugins-bad")
        #expect(DebianPackage.having(element: "alsasink") == "gstreamer1.0-alsa")
        #expect(DebianPackage.having(element: "queue") == "libgstreamer1.0-0")
        #expect(DebianPackage.having(element: "avdec_h264") == "gstreamer1.0-libav")
        #expect(DebianPackage.having(element: "avidemux") == "gstreamer1.0-plugins-good")
        #expect(DebianPackage.having(element: "textoverlay")?.contains("gstreamer1.0-x") == true)
    }

    @Test(
        "what is not known is not guessed",
        arguments: [
            "", "a|b|c", "encoder-video/x-h264", "urisource-gopher",
            "gstreamer|1.0|vitrine|AC-4 decoder|decoder-audio/x-ac4",
        ])
    func unknown(detail: String) {
        #expect(DebianPackage.having(installerDetail: detail) == nil)
        #expect(DebianPackage.having(element: "nosuchelement") == nil)
    }
}
