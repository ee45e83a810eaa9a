internal import CGStreamer
internal import CPictureSink

/// A film's picture as it is seen, with the OSD.
public struct FilmPicture: Hashable, Sendable {
    /// Pixels.
    public var width: Int
    /// Lines.
    public var height: Int
    /// Red, green, blue of each pixel, line by line, no padding.
    public var bytes: [UInt8]
}

extension FilmPipeline {
    /// What is on the screen; `nil` where there is no picture yet. Only for an output that composes the OSD. Blocks for
    /// some 10 ms; any thread that may.
    public func picture() -> FilmPicture? {
        guard let sample = vitrine_sink_copy_picture(video.sink) else { return nil }
        defer { gst_sample_unref(sample) }
        let wanted = gst_caps_from_string("video/x-raw,format=RGB")
        defer { gst_caps_unref(wanted) }
        guard let converted = gst_video_convert_sample(sample, wanted, 5_000_000_000, nil) else { return nil }
        defer { gst_sample_unref(converted) }
        var info = GstVideoInfo()
        var map = GstMapInfo()
        guard gst_video_info_from_caps(&info, gst_sample_get_caps(converted)) != 0,
            let buffer = gst_sample_get_buffer(converted), gst_buffer_map(buffer, &map, GST_MAP_READ) != 0
        else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let (width, height, stride) = (Int(info.width), Int(info.height), Int(info.stride.0))
        let pixels = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        guard stride >= width * 3, pixels.count >= stride * (height - 1) + width * 3 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for row in 0..<height { bytes += pixels[row * stride..<row * stride + width * 3] }
        return FilmPicture(width: width, height: height, bytes: bytes)
    }
}
