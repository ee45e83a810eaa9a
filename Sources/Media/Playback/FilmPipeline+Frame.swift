internal import CGStreamer

/// A film's frame as shown, with the OSD.
public struct FilmFrame: Hashable, Sendable {
    /// Pixels.
    public var width: Int
    /// Lines.
    public var height: Int
    /// Red, green, blue of each pixel, line by line, no padding.
    public var bytes: [UInt8]
}

extension FilmPipeline {
    /// Copies the shown frame; `nil` before the first one. Only for an output that composes the OSD. Blocks for about 10 ms. Any
    /// thread that may wait.
    public func copyFrame() -> FilmFrame? {
        guard let copy = video.sink.copyFrame(), let wanted = Caps("video/x-raw,format=RGB"),
            let converted = copy.converted(to: wanted), let info = converted.caps?.videoInfo
        else { return nil }
        let (width, height, stride) = (Int(info.width), Int(info.height), Int(info.stride.0))
        var bytes: [UInt8] = []
        _ = converted.buffer?.withBytes(GST_MAP_READ) { pixels in
            guard stride >= width * 3, pixels.count >= stride * (height - 1) + width * 3 else { return }
            bytes.reserveCapacity(width * height * 3)
            for row in 0..<height { bytes += pixels[row * stride..<row * stride + width * 3] }
        }
        guard !bytes.isEmpty else { return nil }
        return FilmFrame(width: width, height: height, bytes: bytes)
    }
}
