internal import CGStreamer
public import PlayerCore

/// A picture in memory, for the screen: ARGB8888, rows without gaps.
public struct Still: Sendable {
    public var width: Int
    public var height: Int
    public var pixels: [UInt32]

    /// The time limit of decoding, 3 s.
    private static let patience: GstClockTime = 3_000_000_000

    /// Reads a picture file, or a frame from the first third of a film. Blocks during decoding.
    /// - Parameters:
    ///   - file: a path, or an address.
    ///   - width: the width that the picture is fitted into, with black beside it.
    public static func read(
        _ file: String, isFilm: Bool = false, width: Int, height: Int
    ) throws(MediaFailure) -> Still {
        try GStreamer.start()
        let location = try MediaLocation(file)
        // No hardware decoder: it is left to the film that plays.
        let pipeline = try Element(
            parsing:
                "uridecodebin name=source force-sw-decoders=true expose-all-streams=false caps=\"video/x-raw(ANY)\" "
                + "! videoflip video-direction=auto ! videoconvertscale add-borders=true ! capsfilter name=size "
                + "! appsink name=picture sync=false")
        pipeline.child("source")?.set("uri", to: location.uri)
        return try take(from: pipeline, file, isFilm: isFilm, width, height)
    }

    private static func failure(_ file: String, _ why: String) -> MediaFailure {
        MediaFailure(reason: .notMedia, message: "\(file): \(why)")
    }

    private static func take(
        from pipeline: Element, _ file: String, isFilm: Bool, _ width: Int, _ height: Int
    ) throws(MediaFailure) -> Still {
        defer { pipeline.set(GST_STATE_NULL) }
        guard let size = pipeline.child("size"), let sink = pipeline.child("picture"), let bus = pipeline.bus,
            let caps = Caps("video/x-raw,format=BGRA,width=\(width),height=\(height),pixel-aspect-ratio=1/1")
        else { throw failure(file, "it cannot be decoded") }
        size.set("caps", to: caps)
        pipeline.set(GST_STATE_PAUSED)
        func wait() throws(MediaFailure) {
            let message = bus.pop([GST_MESSAGE_ASYNC_DONE, GST_MESSAGE_ERROR], within: patience)
            switch message?.content {
            case .error(let report): throw failure(file, report.text)
            case nil where message == nil: throw failure(file, "its decoder gave no frame")
            default: break
            }
        }
        try wait()
        if isFilm, let duration = pipeline.duration(), duration > 0,
            pipeline.seek(to: duration / 3, [GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_KEY_UNIT])
        {
            try wait()
        }
        pipeline.set(GST_STATE_PLAYING)
        guard let sample = sink.pullSample(within: patience), let buffer = sample.buffer else {
            throw failure(file, "there is no picture in it")
        }
        let pixels: [UInt32]? =
            buffer.withBytes(GST_MAP_READ) { bytes -> [UInt32]? in
                guard bytes.count >= width * height * 4 else { return nil }
                return (0..<width * height).map {
                    bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) | 0xFF00_0000
                }
            } ?? nil
        guard let pixels else { throw failure(file, "there is no picture in it") }
        return Still(width: width, height: height, pixels: pixels)
    }
}
