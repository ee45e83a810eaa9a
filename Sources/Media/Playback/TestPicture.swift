internal import CGStreamer
internal import PlayerCore

/// `testsrc:`, colour bars and a tone, for a display and a sound card without a film (S1).
enum TestPicture {
    static let uri = "testsrc:"
    static let title = "Test picture"

    /// The effect has the bars' edges wave: a picture that stands is told from one that goes on. It takes RGB, and a quarter of
    /// the time at half the size.
    private static let parts = [
        (
            elements: ["videotestsrc", "warptv"],
            caps: "video/x-raw,format=BGRx,width=640,height=360,framerate=25/1,pixel-aspect-ratio=1/1"
        ),
        (elements: ["audiotestsrc"], caps: "audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved"),
    ]

    /// Adds the picture, and where it can be heard the tone, to a pipeline. The pads are the caller's.
    static func pads(
        in pipeline: UnsafeMutablePointer<GstElement>, hasTone: Bool
    ) throws(MediaFailure) -> [UnsafeMutablePointer<GstPad>] {
        var pads: [UnsafeMutablePointer<GstPad>] = []
        // A source that is not linked is an error.
        for part in parts.prefix(hasTone ? 2 : 1) {
            var chain: [UnsafeMutablePointer<GstElement>] = []
            for name in part.elements + ["capsfilter"] {
                let element = try makeElement(name)
                gst_bin_add(pipeline.cast(to: GstBin.self), element)
                // A tenth of full scale: it may go on for hours.
                if hasProperty(element, "wave") { setProperty(element, "volume", to: 0.1) }
                chain.append(element)
            }
            let filter = chain[chain.count - 1]
            let caps = gst_caps_from_string(part.caps)
            setProperty(filter, "caps", to: caps)
            gst_caps_unref(caps)
            let areLinked = zip(chain, chain.dropFirst()).allSatisfy { gst_element_link($0, $1) != 0 }
            guard areLinked, let pad = gst_element_get_static_pad(filter, "src") else {
                throw MediaFailure(
                    reason: .cannotBuild, message: "Unable to build pipeline: the test picture does not link")
            }
            pads.append(pad)
        }
        return pads
    }
}
