internal import CGStreamer
internal import PlayerCore

/// `testsrc:`, a picture of colour bars and a tone, for a display and a sound card without a film (S1).
enum TestPicture {
    static let uri = "testsrc:"
    static let title = "Test picture"

    private static let parts = [
        (
            source: "videotestsrc",
            caps: "video/x-raw,format=I420,width=1280,height=720,framerate=25/1,pixel-aspect-ratio=1/1"
        ),
        (source: "audiotestsrc", caps: "audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved"),
    ]

    /// Adds the picture, and where it can be heard the tone, to a pipeline. The pads are the caller's.
    static func pads(
        in pipeline: UnsafeMutablePointer<GstElement>, hasTone: Bool
    ) throws(MediaFailure) -> [UnsafeMutablePointer<GstPad>] {
        var pads: [UnsafeMutablePointer<GstPad>] = []
        // A source that is not linked is an error.
        for part in parts.prefix(hasTone ? 2 : 1) {
            let source = try makeElement(part.source)
            let filter = try makeElement("capsfilter")
            let caps = gst_caps_from_string(part.caps)
            setProperty(filter, "caps", to: caps)
            gst_caps_unref(caps)
            // A tenth of full scale: it may go on for hours.
            if hasProperty(source, "wave") { setProperty(source, "volume", to: 0.1) }
            for element in [source, filter] { gst_bin_add(pipeline.cast(to: GstBin.self), element) }
            guard gst_element_link(source, filter) != 0, let pad = gst_element_get_static_pad(filter, "src") else {
                throw MediaFailure(
                    reason: .cannotBuild, message: "Unable to build pipeline: the test picture does not link")
            }
            pads.append(pad)
        }
        return pads
    }
}
