internal import CGStreamer
internal import PlayerCore

/// The image in the tags of a sound file: an album's cover.
enum Cover {
    /// Adds the cover to a film's pipeline, as one frame followed by EOS. Blocks during decoding, 3 s at most. A
    /// damaged cover is detected as soon as its decoder reports it, and is no error of the sound.
    /// - Returns: the pad that produces the frame; `nil` if the cover cannot be decoded.
    static func pad(of coded: Sample, in pipeline: Element) throws(MediaFailure) -> Pad? {
        guard let picture = decode(coded) else { return nil }
        let source = try Element("appsrc", name: "cover")
        // A frame without a time is never late.
        source.set("format", serialized: "time")
        pipeline.add(source)
        source.pushOnly(picture)
        return source.pad("src")
    }

    /// The first image in the tags of a sound's pad, or of its decoder.
    static func coded(in sound: Pad) -> Sample? { sound.tags.lazy.compactMap(\.image).first }

    private static func decode(_ coded: Sample) -> Sample? {
        let line = "appsrc name=source ! decodebin ! appsink name=picture sync=false"
        guard let pipeline = try? Element(parsing: line) else { return nil }
        defer { pipeline.set(GST_STATE_NULL) }
        guard let source = pipeline.child("source"), let sink = pipeline.child("picture"), let bus = pipeline.bus else {
            return nil
        }
        pipeline.set(GST_STATE_PLAYING)
        source.pushOnly(coded)
        for _ in 0..<60 {
            if let picture = sink.pullSample(within: 50_000_000) { return picture }
            if bus.pop(GST_MESSAGE_ERROR) != nil || sink.hasEnded { return nil }
        }
        return nil
    }
}
