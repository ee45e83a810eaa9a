import Testing

@testable import Media

@Suite("What there is no decoder for (T6)")
struct MissingDecoderTests {
    @Test(
        "data is no film's, and nobody misses it",
        arguments: [
            "meta/x-gst-fourcc-gpmd", "meta/x-klv", "application/x-onvif-metadata",
            "application/x-rtp, media=(string)application, encoding-name=(string)VND.ONVIF.METADATA",
        ])
    func data(caps: String) {
        let missing = MissingDecoder("gstreamer|1.0|vitrine|\(caps) decoder|decoder-\(caps)")
        #expect(missing.isOfData && !missing.isVideo)
    }

    @Test("video, sounds, and other plugins than decoders are")
    func film() {
        let video = MissingDecoder("gstreamer|1.0|vitrine|H.264 decoder|decoder-video/x-h264, profile=(string)high")
        #expect(video.isVideo && !video.isOfData)
        let sound = MissingDecoder("gstreamer|1.0|vitrine|AC-3 decoder|decoder-audio/x-ac3")
        #expect(!sound.isVideo && !sound.isOfData)
        let element = MissingDecoder("gstreamer|1.0|vitrine|GStreamer element x|element-x")
        #expect(!element.isVideo && !element.isOfData && element.caps.isEmpty)
    }
}
